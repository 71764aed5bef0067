"""Why a fetch was refused."""

from enum import StrEnum


class Reason(StrEnum):
    """One word a refusal; stored and shown, so words are never reused."""

    SCHEME = "scheme"
    URL = "url"
    URL_LENGTH = "url_length"
    URL_CHARS = "url_chars"
    USERINFO = "userinfo"
    PORT = "port"
    HOST = "host"
    HOST_NAME = "host_name"
    IP_FORM = "ip_form"
    ADDRESS = "address"
    DNS = "dns"
    PERMIT = "permit"
    CONNECT = "connect"
    TLS = "tls"
    DEADLINE = "deadline"
    HEADERS = "headers"
    PROTOCOL = "protocol"
    STATUS = "status"
    REDIRECT_LIMIT = "redirect_limit"
    REDIRECT_LOOP = "redirect_loop"
    REDIRECT_MISSING = "redirect_missing"
    REDIRECT_LOCATION = "redirect_location"
    REDIRECT_METHOD = "redirect_method"
    MEDIA_TYPE = "media_type"
    BINARY = "binary"
    ENCODING = "encoding"
    DECODE = "decode"
    ROBOTS = "robots"
    BUSY = "busy"
    BLOCKED = "blocked"


SENTENCES = {
    Reason.SCHEME: "Only https addresses are fetched.",
    Reason.URL: "The address is not written as scheme, two slashes and host.",
    Reason.URL_LENGTH: "The address is too long.",
    Reason.URL_CHARS: "The address has a character that addresses may not have.",
    Reason.USERINFO: "The address carries a user name or a password.",
    Reason.PORT: "The port is not allowed.",
    Reason.HOST: "The host name is not valid.",
    Reason.HOST_NAME: "The host name is not a public one.",
    Reason.IP_FORM: "The IP address is not written in its plain form.",
    Reason.ADDRESS: "The address is not on the public internet.",
    Reason.DNS: "The host name could not be looked up.",
    Reason.PERMIT: "The address is not among those that may be read.",
    Reason.CONNECT: "No connection could be made.",
    Reason.TLS: "The server could not prove who it is.",
    Reason.DEADLINE: "The server took too long.",
    Reason.HEADERS: "The server sent too many headers.",
    Reason.PROTOCOL: "The answer is not proper HTTP.",
    Reason.STATUS: "The server did not send the page.",
    Reason.REDIRECT_LIMIT: "There were too many redirects.",
    Reason.REDIRECT_LOOP: "The redirects go round in a circle.",
    Reason.REDIRECT_MISSING: "A redirect did not say where to.",
    Reason.REDIRECT_LOCATION: "A redirect did not say clearly where to.",
    Reason.REDIRECT_METHOD: "Only a plain reading request may be redirected.",
    Reason.MEDIA_TYPE: "The content is of a kind that is not read.",
    Reason.BINARY: "The content is binary, not text.",
    Reason.ENCODING: "The content is packed in a way that was not offered.",
    Reason.DECODE: "The content could not be unpacked.",
    Reason.ROBOTS: "The site asks robots not to read this.",
    Reason.BUSY: "The site could not be asked again so soon.",
    Reason.BLOCKED: "The site showed something else in place of the page.",
}


class FetchRefused(Exception):
    """Nothing was fetched; ``reason`` is one word, ``detail`` says more where known.

    ``touched_network`` says whether anything was asked of the network before, be it
    only a name; a refusal that touched nothing costs nobody anything.
    """

    def __init__(
        self, reason: Reason | str, detail: str = "", *, touched_network: bool = False
    ) -> None:
        self.reason = Reason(reason)
        self.detail = detail
        self.touched_network = touched_network
        super().__init__(f"{SENTENCES[self.reason]} {detail}".strip())
