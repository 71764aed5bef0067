"""What twelve distributions say in their own installed files, read by a person.

For each question that a distribution's files answer: `facts`, patterns of which each is
one thing that the files state and that an answer has to quote, and `also`, patterns of
quotes that are right too. A question that is not listed is not answered by the files,
so that every quote offered for it is wrong. Patterns are searched in the quote with
its white space folded.

The first six were at hand while the cues were written. The other six were read, and
written down here, before the researcher ever ran on them, and nothing was changed for
their sake since.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Stated:
    """What the files state for one question."""

    facts: tuple[str, ...]
    also: tuple[str, ...] = ()


@dataclass(frozen=True)
class Truth:
    """One distribution at the version whose files were read."""

    version: str
    stated: dict[str, Stated]


PURE = Stated((r"Root-Is-Purelib: true",))
BUILT_BY = r"^Generator: "

TUNED = {
    "bleach": Truth(
        "6.4.0",
        {
            "licence": Stated(
                (r"^License: Apache Software License",), (r"Apache License v2",)
            ),
            "maintained": Stated(
                (
                    r"Bleach is no longer maintained\. There will be no future rel",
                    r"Development Status :: 7 - Inactive",
                    r"Maintainer: Will Kahn-Greene",
                ),
            ),
            "release_history": Stated(
                (r"Version 6\.4\.0 \(June 5th, 2026\)",),
                (r"^Version: 6\.4\.0$", r"^Version 6\.3\.0 \(October 27th, 2025\)"),
            ),
            "security_contact": Stated(
                (r"security AT mozilla DOT org",),
                (
                    r"mozilla\.org/en-US/security",
                    r"responsible security vulnerability reporting process",
                ),
            ),
            "advisories": Stated(
                (r"GHSA-8rfp-98v4-mmr6", r"GHSA-gj48-438w-jh9v"),
                (r"CVE-\d{4}-\d+|GHSA-\w{4}-\w{4}-\w{4}",),
            ),
            "install_time": PURE,
            "requirements": Stated(
                (r"Requires-Python: >=3\.10", r"Requires-Dist: webencodings")
            ),
            "provenance": Stated(
                (r"Home-page: https://github\.com/mozilla/bleach",), (BUILT_BY,)
            ),
        },
    ),
    "django": Truth(
        "5.2.19",
        {
            "licence": Stated((r"License-Expression: BSD-3-Clause",)),
            "maintained": Stated(
                (
                    r"Development Status :: 5 - Production/Stable",
                    r"Author-email: Django Software Foundation",
                )
            ),
            "release_history": Stated(
                (r"Release notes, https://docs\.djangoproject\.com",),
                (r"^Version: 5\.2\.19$",),
            ),
            "install_time": Stated(
                (r"Root-Is-Purelib: true", r"^\[console_scripts\] django-admin"),
                (r"bin/django-admin",),
            ),
            "requirements": Stated(
                (r"Requires-Python: >=3\.10", r"asgiref>=3\.8\.1.*sqlparse>=0\.3\.1")
            ),
            "provenance": Stated(
                (r"Source, https://github\.com/django/django",), (BUILT_BY,)
            ),
        },
    ),
    "httpx": Truth(
        "0.28.1",
        {
            "licence": Stated(
                (r"^License: BSD-3-Clause",), (r"License :: .* BSD License",)
            ),
            "maintained": Stated(
                (r"Development Status :: 4 - Beta", r"Author-email: Tom Christie")
            ),
            "release_history": Stated(
                (r"Changelog, https://github\.com/encode/httpx",),
                (r"^Version: 0\.28\.1$",),
            ),
            "install_time": Stated(
                (r"Root-Is-Purelib: true", r"^\[console_scripts\] httpx"),
                (r"bin/httpx",),
            ),
            "requirements": Stated(
                (
                    r"Requires-Python: >=3\.8",
                    r"anyio.*certifi.*httpcore==1\.\*.*idna",
                    r"HTTPX requires Python 3\.8\+",
                )
            ),
            "provenance": Stated(
                (r"Source, https://github\.com/encode/httpx",), (BUILT_BY,)
            ),
        },
    ),
    "selectolax": Truth(
        "1.0.2",
        {
            "licence": Stated((r"License-Expression: MIT", r"^MIT License$")),
            "maintained": Stated(
                (
                    r"Development Status :: 5 - Production/Stable",
                    r"Author: Artem Golubin",
                )
            ),
            "release_history": Stated(
                (r"Changelog, https://github\.com/rushter/selectolax",),
                (r"^Version: 1\.0\.2$",),
            ),
            "install_time": Stated(
                (
                    r"Root-Is-Purelib: false",
                    r"selectolax/lexbor.*\.(?:so|pyd),",
                    r"If installation fails due to compilation errors",
                )
            ),
            "requirements": Stated((r"Requires-Python: <3\.16,>=3\.9",)),
            "provenance": Stated(
                (r"Repository, https://github\.com/rushter/selectolax",), (BUILT_BY,)
            ),
        },
    ),
    "anthropic": Truth(
        "2.14.0",
        {
            "licence": Stated(
                (r"^License: Apache-2\.0", r"License :: .* Apache Software License"),
                (r"^Apache License$", r"licensed under the Apache License"),
            ),
            "maintained": Stated((r"Author-email: Anthropic",)),
            "release_history": Stated((r"^Version: 2\.14\.0$",)),
            "install_time": PURE,
            "requirements": Stated(
                (r"Requires-Python: >=3\.10", r"httpx2<3,>=2\.0\.0.*pydantic<3,>=1\.10")
            ),
            "provenance": Stated(
                (r"Repository, https://github\.com/anthropics/anthropic-sdk-python",),
                (BUILT_BY,),
            ),
        },
    ),
    "psycopg": Truth(
        "3.3.9",
        {
            "licence": Stated(
                (r"License-Expression: LGPL-3\.0-only",),
                (r"GNU LESSER GENERAL PUBLIC LICENSE",),
            ),
            "maintained": Stated(
                (
                    r"Development Status :: 5 - Production/Stable",
                    r"Author-email: Daniele Varrazzo",
                )
            ),
            "release_history": Stated(
                (r"Changes, https://psycopg\.org/psycopg3/docs/news",),
                (r"^Version: 3\.3\.9$",),
            ),
            "install_time": Stated(
                (r"Root-Is-Purelib: true",), (r"pure Python package ``psycopg``",)
            ),
            "requirements": Stated(
                (r"Requires-Python: >=3\.10", r"Requires-Dist: typing-extensions>=4\.6")
            ),
            "provenance": Stated(
                (r"Code, https://github\.com/psycopg/psycopg",), (BUILT_BY,)
            ),
        },
    ),
}

HELD_OUT = {
    "whitenoise": Truth(
        "6.12.0",
        {
            "licence": Stated((r"License-Expression: MIT", r"The MIT License \(MIT\)")),
            "maintained": Stated(
                (
                    r"Development Status :: 5 - Production/Stable",
                    r"Maintainer-email: Adam Johnson",
                ),
                (r"^Author: David Evans",),
            ),
            "release_history": Stated(
                (r"Changelog, https://whitenoise\.readthedocs\.io",),
                (r"^Version: 6\.12\.0$",),
            ),
            "install_time": PURE,
            "requirements": Stated((r"Requires-Python: >=3\.10",)),
            "provenance": Stated(
                (r"Repository, https://github\.com/evansd/whitenoise",), (BUILT_BY,)
            ),
        },
    ),
    "rich": Truth(
        "15.0.0",
        {
            "licence": Stated((r"^License: MIT", r"License :: .* MIT License")),
            "maintained": Stated(
                (
                    r"Development Status :: 5 - Production/Stable",
                    r"Author: Will McGugan",
                )
            ),
            "release_history": Stated((r"^Version: 15\.0\.0$",)),
            "install_time": PURE,
            "requirements": Stated(
                (
                    r"Requires-Python: >=3\.9\.0",
                    r"Requires-Dist: markdown-it-py .*Requires-Dist: pygments",
                    r"Rich requires Python 3\.8 or later",
                )
            ),
            "provenance": Stated(
                (r"Homepage, https://github\.com/Textualize/rich",), (BUILT_BY,)
            ),
        },
    ),
    "drf-spectacular": Truth(
        "0.30.0",
        {
            "licence": Stated(
                (r"License-Expression: BSD-3-Clause", r"Licensed under 3-Clause BSD")
            ),
            "maintained": Stated(
                (
                    r"Development Status :: 5 - Production/Stable",
                    r"Author-email: \"T\. Franzel\"",
                ),
            ),
            "release_history": Stated(
                (r"^Version: 0\.30\.0$",),
                (r"deliberately stays below version", r"We define version increments"),
            ),
            "install_time": PURE,
            "requirements": Stated(
                (
                    r"Requires-Python: >=3\.8",
                    r"Django>=2\.2.*djangorestframework>=3\.10\.3.*inflection",
                ),
                (r"Python >= 3\.8", r"Django \(3\.2", r"Django REST Framework \(3\.12"),
            ),
            "provenance": Stated(
                (r"Source, https://github\.com/tfranzel/drf-spectacular",),
                (BUILT_BY, r"heavily modified fork"),
            ),
        },
    ),
    "gunicorn": Truth(
        "27.0.1",
        {
            "licence": Stated(
                (
                    r"License-Expression: MIT",
                    r"Gunicorn is released under the MIT License",
                )
            ),
            "maintained": Stated(
                (
                    r"Development Status :: 5 - Production/Stable",
                    r"Gunicorn is maintained by volunteers",
                    r"Author-email: Benoit Chesneau",
                )
            ),
            "release_history": Stated(
                (r"Changelog, https://gunicorn\.org/news/",),
                (r"^Version: 27\.0\.1$", r"New in v25"),
            ),
            "install_time": Stated(
                (r"Root-Is-Purelib: true", r"^\[console_scripts\] gunicorn"),
                (r"bin/gunicornc?,", r"^\[paste\.server_runner\]"),
            ),
            "requirements": Stated(
                (r"Requires-Python: >=3\.10",), (r"Compatible with Python 3\.10\+",)
            ),
            "provenance": Stated(
                (r"Source code, https://github\.com/benoitc/gunicorn",), (BUILT_BY,)
            ),
        },
    ),
    "django-csp": Truth(
        "4.0",
        {
            "licence": Stated((r"^License: BSD", r"License :: .* BSD License")),
            "maintained": Stated(
                (
                    r"Development Status :: 5 - Production/Stable",
                    r"Maintainer-email: Mozilla MEAO team",
                ),
                (r"Author-email: James Socol",),
            ),
            "release_history": Stated(
                (r"Changelog, https://github\.com/mozilla/django-csp",),
                (r"^Version: 4\.0$",),
            ),
            "install_time": PURE,
            "requirements": Stated(
                (r"Requires-Dist: django>=4\.2.*Requires-Dist: packaging",)
            ),
            "provenance": Stated(
                (r"Source Code, https://github\.com/mozilla/django-csp",),
                (BUILT_BY, r"The code lives on GitHub"),
            ),
        },
    ),
    "redis": Truth(
        "8.1.0",
        {
            "licence": Stated(
                (r"License-Expression: MIT", r"License :: .* MIT License"),
                (r"^MIT License$",),
            ),
            "maintained": Stated(
                (
                    r"Development Status :: 5 - Production/Stable",
                    r"redis-py is developed and maintained by \[Redis Inc\]",
                ),
                (r"Author-email: \"Redis Inc\.\"",),
            ),
            "release_history": Stated(
                (r"Changes, https://github\.com/redis/redis-py/releases",),
                (r"^Version: 8\.1\.0$",),
            ),
            "install_time": PURE,
            "requirements": Stated(
                (
                    r"Requires-Python: >=3\.10",
                    r"Requires-Dist: async-timeout>=4\.0\.3",
                ),
                (r"library supports Redis version", r"supports Python 3\.[89]"),
            ),
            "provenance": Stated(
                (r"Code, https://github\.com/redis/redis-py",), (BUILT_BY,)
            ),
        },
    ),
}
