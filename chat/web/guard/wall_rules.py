"""By what walls are known: a table, to be added to as sites change.

A wall needs one sign of ``must`` and one more of either kind, on a page that says no
more than ``most_chars``. Ordinary pages carry many a sign alone: a site behind a
protection has its scripts on every page, a form has a captcha, an article quotes both.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

# code: tags and scripts; moved: the last address, where the first was none of these.
Place = Literal["code", "title", "text", "header", "moved"]


class WallKind(StrEnum):
    """What stands in place of the page."""

    CHALLENGE = "challenge"
    LOGIN = "login"
    CONSENT = "consent"
    PAYWALL = "paywall"
    SOFT_404 = "soft_404"
    EMPTY_SHELL = "empty_shell"


@dataclass(frozen=True, slots=True)
class Sign:
    """A pattern and where it is looked for; headers are lines of name and value."""

    name: str
    place: Place
    pattern: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Rule:
    """``of_main`` counts the characters of the main content alone."""

    kind: WallKind
    most_chars: int
    must: tuple[Sign, ...]
    also: tuple[Sign, ...]
    of_main: bool = False


def _sign(name: str, place: Place, *patterns: str) -> Sign:
    flags = re.IGNORECASE | re.MULTILINE
    return Sign(name, place, re.compile("|".join(patterns), flags))


_PROTECTION = _sign(
    "a protection's own page",
    "code",
    r"_cf_chl_opt|/cdn-cgi/challenge-platform/h/|id=.cf-error-details",
    r"captcha-delivery\.com",
    r"id=.px-captcha|_pxBlockedUrl|window\._pxVid ?=.{0,200}px-captcha",
    r"sec-if-cpt-container|bm-verify=",
    r"_Incapsula_Resource",
    r"awsWafCookieDomainList|window\.gokuProps",
    r"sucuri_cloudproxy_js",
    r"id=.anubis_challenge",
    r"/\.well-known/vercel/security/",
    r"check\.ddos-guard\.net",
)
_PROTECTION_HEADER = _sign(
    "a protection's header", "header", r"^cf-mitigated: challenge"
)
_CAPTCHA = _sign(
    "a captcha",
    "code",
    r"(?:js|assets)\.hcaptcha\.com|class=.h-captcha",
    r"challenges\.cloudflare\.com/turnstile|class=.cf-turnstile",
    r"class=.g-recaptcha|/recaptcha/(?:api|enterprise)\.js",
    r"arkoselabs\.com|funcaptcha\.com",
)
_CHALLENGE_TITLE = _sign(
    "a challenge's title",
    "title",
    r"^just a moment\W*$|^attention required! \| cloudflare$|^please wait\W*$",
    r"^access (?:to this page has been )?denied\W*$|^pardon our interruption\W*$",
    r"^(?:are you (?:a )?(?:robot|human)|robot or human|human verification)\W*$",
    r"^(?:verify(?:ing)?|confirm) (?:that )?you(?: are|'re) (?:a )?human\W*$",
    r"^(?:vercel )?security check(?:point)?\W*$|^client challenge\W*$|^ddos-guard$",
    r"^making sure you're not a bot!?$|^captcha\W*$|^one more step\W*$",
)
_CHALLENGE_WORDS = _sign(
    "a challenge's words",
    "text",
    r"enable (?:javascript|js) and (?:cookies to continue|disable any ad blocker)",
    r"verify(?:ing)? (?:that )?you(?: are|'re) (?:a )?(?:human|not a (?:ro)?bot)",
    r"(?:confirm|prove) (?:that )?you(?: are|'re) (?:a human|human|not a robot)",
    r"checking (?:if the site connection is secure|your browser)",
    r"needs to review the security of your connection",
    r"unusual traffic from your|complete the (?:security check|captcha)",
    r"request unsuccessful\. incapsula incident",
    r"you don't have permission to access .{1,300} on this server",
    r"sorry, you have been blocked|press (?:&|and) hold to confirm",
    r"something about your browser made us think you (?:were|might be) a bot",
    r"one moment, please|ensure (?:the )?security of your connection",
)
_REFERENCE = _sign("an incident's number", "text", r"reference ?#[0-9a-f.]{8,}|ray id:")

_PASSWORD = _sign("a password field", "code", r"<input[^>]{0,200}type=.?password")
_LOGIN_MOVED = _sign(
    "sent on to a login",
    "moved",
    r"^https://(?:log-?in|sign-?in|accounts?|auth|sso)\.",
    r"/(?:log-?in|sign-?in|logon|sso|session/new|sign_in|oauth2?/auth\w*)/?(?:\?|$)",
    r"/(?:accounts?|users?|auth)/(?:log|sign)[-_]?in",
)
_LOGIN_TITLE = _sign(
    "a login's title",
    "title",
    r"^(?:log|sign)[ -]?(?:in|on)\b|\b(?:log|sign)[ -]?in(?: page)?$",
    r"^anmelden\b|^connexion\b|^iniciar sesión\b",
)
_LOGIN_WORDS = _sign(
    "a login's words",
    "text",
    r"(?:must|need to|have to|please) (?:be logged in|(?:log|sign) in) "
    r"(?:to|before|in order)",
    r"(?:log|sign) in to (?:continue|view|see|access|your account)",
    r"forgot(?:ten)? (?:your |my )?password",
)

_CONSENT_MOVED = _sign(
    "sent on to a consent page",
    "moved",
    r"^https://(?:consent|guce|cookie-?wall)\.",
    r"/(?:consent|cookie-?wall|cookie-consent|gdpr-consent|privacy-gate)/?(?:\?|$)",
)
_CONSENT_TITLE = _sign(
    "a consent page's title",
    "title",
    r"^before you continue\b|^(?:your )?(?:privacy|cookie) (?:consent|settings)\W*$",
    r"^cookie ?wall$|^we value your privacy\W*$",
)
_CONSENT_WORDS = _sign(
    "a consent page's words",
    "text",
    r"before you continue to|we (?:and our partners )?(?:use|store) .{0,60}cookies",
    r"(?:accept|reject) all\b|we value your privacy|manage (?:privacy|cookie) settings",
)

_NOT_FREE = _sign(
    "its own word that it is not free",
    "code",
    r"\"isAccessibleForFree\"\s{0,9}:\s{0,9}\"?false",
)
_PAYWALL_WORDS = _sign(
    "a paywall's words",
    "text",
    r"subscribe (?:now |today )?to (?:continue|keep) reading",
    r"(?:to|and) (?:continue|keep) reading,? (?:please )?(?:subscribe|sign|log|join)",
    r"(?:subscribe|sign up|create an account) to (?:read|unlock|access) "
    r"the (?:full|rest)",
    r"this (?:article|content|story|post) is (?:only |exclusively )?"
    r"(?:available |reserved )?(?:to|for) "
    r"(?:our )?(?:paying |paid )?(?:subscribers|members)",
    r"you(?: have|'ve) (?:reached|used) your .{0,30}free articles?",
)
_SUBSCRIBER = _sign(
    "a question to subscribers",
    "text",
    r"already (?:a|an) (?:paid )?(?:subscriber|member)\?",
)
_PAYWALL_CODE = _sign(
    "a paywall's markup",
    "code",
    r"(?:class|id)=.{0,80}\bpaywall|\.piano\.io|\.tinypass\.com|\.poool\.fr|\.zephr\.com",
)

_MISSING_TITLE = _sign(
    "a missing page's title",
    "title",
    r"^(?:error )?404\b|\b404 (?:not found|error|page)\b|\berror 404\b",
    r"\bpage (?:was |could )?not (?:be )?found|^not found\b",
    r"^page (?:doesn't|does not) exist",
    r"seite (?:wurde )?nicht gefunden|page (?:introuvable|non trouvée)",
    r"página no encontrada|pagina non trovata|página não encontrada",
)
_MISSING_MOVED = _sign(
    "sent on to a page for missing ones",
    "moved",
    r"/(?:404|error-?404|not-?found|page-?not-?found)(?:\.\w{2,5})?/?(?:\?|$)",
)
_MISSING_WORDS = _sign(
    "a missing page's words",
    "text",
    r"(?:page|url|link|address|document|content) (?:that )?you.{0,50}"
    r"(?:not (?:be )?found|not exist|n't exist|n't find|not available|moved|removed"
    r"|n't here|gone)",
    r"(?:can't|can't seem to|cannot|couldn't|could not|unable to) (?:find|locate) "
    r"(?:the|that|this) (?:page|url|document|content)",
    r"(?:this|the requested|that) (?:page|url|document|content) "
    r"(?:does not exist|doesn't exist|could not be found|was not found|cannot be found"
    r"|can't be found|is (?:missing|gone|no longer))",
    r"nothing (?:was found|here|to see)|you may have mistyped",
    r"seite (?:existiert nicht|wurde nicht gefunden|konnte nicht gefunden)",
    r"page (?:que vous|demandée) .{0,50}(?:existe|trouv)",
    r"página.{0,50} no (?:existe|se ha encontrado)",
)

_EMPTY_ROOT = _sign(
    "an empty place for an application",
    "code",
    r"<(\w{1,9})[^>]{0,200}\bid=.?(?:root|app|__next|__nuxt|main-app|react-root|q-app"
    r"|svelte|application|app-root)\b[^>]{0,200}></\1",
    r"<app-root[^>]{0,200}></app-root",
)
_ROOT = _sign(
    "a place for an application",
    "code",
    r"\bid=.?(?:root|app|__next|__nuxt|main-app|react-root|q-app|svelte|application"
    r"|app-root)\b|<app-root",
)
_SCRIPT = _sign("a script", "code", r"<script")
_WAITING = _sign(
    "only words to wait by",
    "text",
    r"\A(?:loading|please wait|initiali[sz]ing|redirecting)?\W*\Z",
)
_SCRIPTS_WANTED = _sign(
    "words to those without scripts",
    "text",
    r"enable javascript|(?:requires|without|turn on|activate) javascript",
    r"javascript (?:is |must be )?(?:required|disabled|not enabled|enabled)",
)

RULES = (
    Rule(
        WallKind.CHALLENGE,
        1_500,
        (_PROTECTION, _PROTECTION_HEADER),
        (_CHALLENGE_TITLE, _CHALLENGE_WORDS, _WAITING, _SCRIPTS_WANTED),
    ),
    Rule(
        WallKind.CHALLENGE,
        800,
        (_CHALLENGE_TITLE,),
        (_CHALLENGE_WORDS, _CAPTCHA, _REFERENCE),
    ),
    Rule(WallKind.CHALLENGE, 300, (_CAPTCHA,), (_CHALLENGE_WORDS,)),
    Rule(
        WallKind.LOGIN,
        1_200,
        (_PASSWORD, _LOGIN_MOVED),
        (_LOGIN_TITLE, _LOGIN_WORDS),
    ),
    Rule(
        WallKind.CONSENT,
        3_000,
        (_CONSENT_MOVED, _CONSENT_TITLE),
        (_CONSENT_WORDS,),
    ),
    Rule(
        WallKind.PAYWALL,
        3_000,
        (_NOT_FREE, _PAYWALL_WORDS),
        (_SUBSCRIBER, _PAYWALL_CODE),
        of_main=True,
    ),
    Rule(
        WallKind.SOFT_404,
        1_200,
        (_MISSING_TITLE, _MISSING_MOVED),
        (_MISSING_WORDS,),
        of_main=True,
    ),
    Rule(
        WallKind.EMPTY_SHELL,
        300,
        (_EMPTY_ROOT, _WAITING),
        (_SCRIPT,),
    ),
    Rule(WallKind.EMPTY_SHELL, 300, (_SCRIPTS_WANTED,), (_ROOT,)),
)
