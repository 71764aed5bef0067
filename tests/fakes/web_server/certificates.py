"""Certificates of a made-up authority, good and bad, made once for each process."""

import atexit
import ssl
import tempfile
import warnings
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

import trustme
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

OLD_VERSIONS = {"tls1.0": ssl.TLSVersion.TLSv1, "tls1.1": ssl.TLSVersion.TLSv1_1}

_PAST = {"not_before": datetime(2019, 1, 1, tzinfo=UTC)} | {
    "not_after": datetime(2020, 1, 1, tzinfo=UTC)
}
_FUTURE = {"not_before": datetime(2090, 1, 1, tzinfo=UTC)} | {
    "not_after": datetime(2095, 1, 1, tzinfo=UTC)
}


@cache
def authority_file() -> str:
    """The path of the authority's certificate, for ``Guard(ca_file=)``."""
    path = _folder() / "authority.pem"
    _authority("known").cert_pem.write_to_path(str(path))
    return str(path)


def context_for(host: str, mode: str) -> ssl.SSLContext:
    """A server's side of TLS for a host; ``mode`` says what is wrong with it, or ok."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    if mode == "self_signed":
        context.load_cert_chain(_self_signed(host))
    else:
        _certificate(host, mode).configure_cert(context)
    if mode == "tls1.2":
        context.maximum_version = ssl.TLSVersion.TLSv1_2
    if mode == "h2_offered":
        context.set_alpn_protocols(["h2", "http/1.1"])
    if mode in OLD_VERSIONS:
        _speak_only(context, OLD_VERSIONS[mode])
    return context


@cache
def _certificate(host: str, mode: str) -> trustme.LeafCert:
    authority = _authority("unknown" if mode == "untrusted_ca" else "known")
    if mode == "expired":
        return authority.issue_cert(host, **_PAST)
    if mode == "not_yet":
        return authority.issue_cert(host, **_FUTURE)
    if mode == "cn_only":
        return authority.issue_cert("another.weighed.org", common_name=host)
    names = {
        "wrong_host": "another.weighed.org",
        "wildcard": "*." + host.partition(".")[2],
        "wildcard_too_deep": "*." + host.partition(".")[2].partition(".")[2],
    }
    return authority.issue_cert(names.get(mode, host))


def _speak_only(context: ssl.SSLContext, version: ssl.TLSVersion) -> None:
    context.set_ciphers("ALL:@SECLEVEL=0")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        context.minimum_version = context.maximum_version = version


@cache
def _self_signed(host: str) -> Path:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, host)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), 1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=9))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    form = serialization.PrivateFormat.PKCS8
    secret = key.private_bytes(pem, form, serialization.NoEncryption())
    path = _folder() / f"{host}.pem"
    path.write_bytes(certificate.public_bytes(pem) + secret)
    return path


@cache
def _authority(_: str) -> trustme.CA:
    return trustme.CA()


@cache
def _folder() -> Path:
    folder = tempfile.TemporaryDirectory(prefix="certificates")
    atexit.register(folder.cleanup)
    return Path(folder.name)
