"""What answers the questions about a package, in its own files and in what is given."""

from research.subjects import cues_maintenance, cues_security
from research.subjects.question import OPEN_WEB, Cue, LineCue, Question

METADATA = r"/(?:METADATA|PKG-INFO)$"
WHEEL = r"/WHEEL$"
RECORD = r"/RECORD$"
LICENCE_FILE = r"(?i)/(?:licenses/.*|licen[cs]e[^/]*|copying[^/]*)$"
_LICENCE_NAME = (
    r"(?:MIT|BSD|Apache|ISC|Mozilla|GNU|Python Software Foundation|Academic|Artistic|"
    r"Eclipse|zlib|Unlicense|Boost|Creative Commons|PSF|CC0|Zope)"
)
_FORGE = r"https?://(?:www\.)?(?:github|gitlab|bitbucket|codeberg|sr)\.(?:com|org|ht)"


def _header(pattern: str, rank: int, most: int = 1) -> LineCue:
    return LineCue(METADATA, pattern, rank, head=True, most=most, data=False)


QUESTIONS = (
    Question(
        "licence",
        "Under which licence is it published?",
        searches=("license licensed under", "licence terms released distributed under"),
        lines=(
            _header(r"License-Expression: .+", 0),
            _header(r"License: (?!UNKNOWN|None\b).+", 0),
            _header(r"Classifier: License :: .+", 1, most=2),
            LineCue(
                LICENCE_FILE,
                rf"\s*(?:The |Copyright.{{0,60}})?{_LICENCE_NAME}\b"
                r".*(?:Licen[cs]e|LICENSE).*",
                2,
                head=True,
            ),
        ),
        cues=(
            Cue(
                r"(?i)\A(?>.*?\b(?:licen[cs]ed|distributed|released|available|published|"
                r"offered)\s+under\b)"
                r".*(?:licen[cs]e|\bMIT\b|\bBSD\b|\bGPL|\bLGPL|\bMPL|Apache)",
                3,
            ),
            Cue(rf"(?is)\A(?>.*?:License:\s).*\b{_LICENCE_NAME}", 3),
            Cue(
                r"(?i)\bis \[?(?:an? )?(?:BSD|MIT|Apache|GPL|LGPL)[- ]licen[cs]ed\b", 3
            ),
        ),
        negative=(r"(?i)\bcontribut(?:e|ing|ions?) (?:is|are|to)\b",),
    ),
    Question(
        "maintained",
        "Is it maintained or deprecated, and by whom?",
        searches=cues_maintenance.SEARCHES,
        lines=(
            _header(r"Classifier: Development Status :: .+", 1),
            _header(r"Maintainer(?:-email)?: .+", 2),
            _header(r"Author(?:-email)?: .+", 3),
        ),
        cues=(
            *cues_maintenance.ENDED,
            Cue(
                r"(?i)\b@NAME@ (?:is|was|has been|will be|is now) (?:\w+ ){0,2}"
                r"(?:deprecated|archived|discontinued|retired|obsolete|superseded)\b",
                0,
            ),
            *cues_maintenance.ACTIVE,
        ),
        negative=cues_maintenance.NEGATIVE,
    ),
    Question(
        "release_history",
        "What is its release history?",
        searches=(
            "changelog release notes version released",
            "changes history what's new",
        ),
        lines=(
            _header(
                r"(?i)Project-URL: [^,]*(?:change|release|history|what'?s new|news)"
                r"[^,]*, .+",
                0,
            ),
            _header(r"Version: .+", 1),
        ),
        cues=(
            Cue(
                r"(?im)^\W*(?:version |release |v)?\d+\.\d+(?:\.\w+)*\b[^\n]{0,20}"
                r"(?:\b(?:19|20)\d\d\b)",
                2,
                prose=False,
            ),
            Cue(
                r"(?i)\b(?:full )?(?:change ?log|release notes)\b.*https?://", 3, False
            ),
        ),
        negative=(r"(?i)\bcopyright\b",),
        changelog=True,
        headings=True,
    ),
    Question(
        "security_contact",
        "How are security issues reported to its maintainers?",
        searches=cues_security.CONTACT_SEARCHES,
        lines=(_header(r"(?i)Project-URL: [^,]*(?:security|vulnerab)[^,]*, .+", 0),),
        cues=cues_security.CONTACTS,
    ),
    Question(
        "advisories",
        "Which security advisories are known?",
        searches=cues_security.ADVISORY_SEARCHES,
        cues=cues_security.ADVISORIES,
        changelog=True,
    ),
    Question(
        "install_time",
        "What happens when it is installed?",
        searches=(
            "so pyd dylib dll pth",
            "compiled extension build from source compiler wheel pure python",
            "post-install script setup.py runs at installation",
        ),
        lines=(
            LineCue(r"\.pth$", r"\s*\S.*", 0),
            LineCue(WHEEL, r"(?:Root-Is-Purelib|Tag): .+", 0),
            LineCue(RECORD, r"[^/,]+\.pth,.*", 0),
            LineCue(RECORD, r"[^,]+\.(?:so|pyd|dylib|dll)(?:\.[\d.]+)?,.*", 1),
            LineCue(r"/entry_points\.txt$", r"\[.+\]|[^=]+=.+", 2),
            LineCue(RECORD, r"\.\./[^,]+(?<!\.pyc),.*", 3),
        ),
        cues=(
            Cue(r"(?i)\b(?:C|C\+\+|Cython|Rust|native) extensions?\b", 4),
            Cue(r"(?i)\bpure[- ]python\b", 4),
            Cue(
                r"(?i)\bcompil(?:ed|ation|er|ing)\b(?=.*\binstall)"
                r"|\binstall\w*\b(?=.*\bcompil(?:ed|ation|er|ing)\b)",
                4,
            ),
            Cue(r"(?i)\bbuil[dt](?:ing)? (?:it )?from source\b", 4),
            Cue(r"(?i)\bpost-?install(?:ation)? (?:script|hook|step)\b", 4),
        ),
    ),
    Question(
        "requirements",
        "What does it require, and on what does it depend?",
        searches=(
            "requires python version dependencies",
            "depends on required packages",
        ),
        lines=(
            _header(r"Requires-Python: .+", 0),
            _header(r"Requires-Dist: (?!.*\bextra\s*==).+", 1, most=2),
            _header(r"Requires-External: .+", 1),
        ),
        cues=(
            Cue(r"(?i)\brequires?\b[^.]{0,30}\b[A-Z][\w.+-]{0,40}\s*(?:>=|v)?\d", 3),
            Cue(r"(?i)\b(?:needs|works with|supports) Python \d", 3),
            Cue(r"(?i)\bno (?:third[- ]party |external |other )?dependencies\b", 3),
            Cue(r"\b[Dd]epends (?:only )?on (?:the )?[`*\[A-Z]", 3),
        ),
    ),
    Question(
        "provenance",
        "Where do its releases come from?",
        searches=(
            "source repository code hosted",
            "signed releases attestation provenance trusted publishing reproducible",
        ),
        lines=(
            _header(
                r"(?i)Project-URL: [^,]*\b(?:source|repo\w*|code|github|gitlab)\b"
                r"[^,]*, .+",
                0,
            ),
            _header(rf"Home-page: {_FORGE}/.+", 1),
            _header(rf"Project-URL: [^,]+, {_FORGE}/[^/\s]+/[^/\s]+/?", 1),
            LineCue(WHEEL, r"Generator: .+", 2, head=True),
        ),
        cues=(
            Cue(r"(?i)\b(?:sigstore|slsa|trusted publish\w+|build provenance)\b", 1),
            Cue(
                r"(?i)\b(?:releases?|tags?|wheels?|artifacts?|distributions?)\b"
                r"[^.]{0,40}\b(?:signed|attest\w+|reproducible)\b",
                1,
            ),
        ),
    ),
    Question(
        "independent",
        "What do independent parties say of it?",
        needs=OPEN_WEB,
    ),
)
