"""Where webhooks may connect to, however they are led there, and how long they wait."""

import socket
import ssl
from datetime import UTC, datetime, timedelta
from ipaddress import ip_network

import httpcore
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from reports.web import outgoing
from reports.web.outgoing import RefusedTargetError, checked_addresses, may_reach, post

PUBLIC = ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "64:ff9b::5db8:d70e"]
LOCAL = [
    *("127.0.0.1", "127.8.8.8", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254"),
    *("100.64.0.1",),
    *("224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12:3456::1", "ff02::1"),
    *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a00:1", "2002:7f00:1::", "2002:a00:1::"),
]


def leading_to(monkeypatch, *answers):
    """Let every name lead to these addresses, one answer after the other."""
    left, real = list(answers), socket.getaddrinfo

    def resolve(host, port, *more, **how):
        if host[0].isdigit():
            return real(host, port, *more, **how)
        found = left.pop(0) if len(left) > 1 else left[0]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in found]

    monkeypatch.setattr(outgoing.socket, "getaddrinfo", resolve)


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_are_reached(address):
    assert may_reach(address)


@pytest.mark.parametrize("address", LOCAL)
def test_addresses_of_the_local_network_are_refused(address):
    assert not may_reach(address)


def test_local_network_that_was_allowed_is_reached_and_no_other(settings):
    settings.WEBHOOK_LOCAL = [ip_network("10.1.0.0/16"), ip_network("fd00::/8")]

    reached = [may_reach(text) for text in ("10.1.2.3", "::ffff:10.1.2.3", "fd12::1", "10.2.0.1", "127.0.0.1")]
    assert reached == [True, True, True, False, False]


def test_name_that_leads_to_the_local_network_is_refused_also_beside_a_public_one(monkeypatch):
    leading_to(monkeypatch, ["93.184.215.14", "10.0.0.5"])

    with pytest.raises(RefusedTargetError, match=r"chat.example leads to 10.0.0.5.*UPREG_WEBHOOK_LOCAL"):
        checked_addresses("chat.example", 443)


def test_connection_goes_to_the_address_that_was_checked(listener, settings, monkeypatch):
    settings.WEBHOOK_LOCAL = [ip_network("127.0.0.1")]
    leading_to(monkeypatch, ["127.0.0.1"], ["127.0.0.2"])  # the second answer would be another place

    answer = post(f"http://chat.example:{listener.port}/hook", b"{}", {})

    assert (answer.status, answer.text) == (200, "ok\n")
    assert listener.heard[0][1]["host"] == f"chat.example:{listener.port}"


def certificate(folder, name):
    """Write a certificate of a host that signs itself, with its key; return the file."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    made = x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
    made = made.not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1))
    made = made.add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
    plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    file = folder / f"{name}.pem"
    signed = made.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
    file.write_bytes(signed + key.private_bytes(serialization.Encoding.PEM, *plain))
    return file


@pytest.fixture
def _read_anew():
    """Let certificates be read in this test, and forgotten after it."""
    outgoing.trusted.cache_clear()
    yield
    outgoing.trusted.cache_clear()


@pytest.mark.usefixtures("_read_anew")
@pytest.mark.parametrize("name", ["chat.example", "another.example"])
def test_certificate_must_be_that_of_the_name_though_the_address_is_connected_to(
    listener, allowed, monkeypatch, tmp_path, name
):
    file = certificate(tmp_path, name)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    listener.socket = context.wrap_socket(listener.socket, server_side=True)
    monkeypatch.setenv("SSL_CERT_FILE", str(file))  # as a company trusts its own
    leading_to(monkeypatch, ["127.0.0.1"])
    address = f"https://chat.example:{listener.port}/hook"

    if name == "chat.example":
        assert post(address, b"{}", {}).status == 200
        assert listener.heard[0][2] == b"{}"
    else:
        with pytest.raises(httpcore.ConnectError, match="certificate verify failed"):
            post(address, b"{}", {})
        assert listener.heard == []


def test_nothing_is_sent_to_a_refused_target(listener):
    with pytest.raises(RefusedTargetError):
        post(listener.url, b"{}", {})

    assert listener.heard == []


def test_redirect_is_not_followed(listener, allowed):
    listener.answer = (302, {"Location": f"http://127.0.0.1:{listener.port}/elsewhere"})

    assert post(listener.url, b"{}", {}).status == 302
    assert [path for path, *_ in listener.heard] == ["/hook?key=of-it"]


def test_no_proxy_of_the_environment_is_asked(listener, allowed, monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://192.0.2.1:9")

    assert post(listener.url, b"{}", {}).status == 200


@pytest.mark.parametrize("way", ["hang", "drip"])
def test_target_that_hangs_or_drips_is_cut(listener, allowed, way):
    listener.answer = way

    with pytest.raises((httpcore.TimeoutException, httpcore.ProtocolError)):
        post(listener.url, b"{}", {}, timeout_s=0.3)


def test_only_the_beginning_of_an_answer_is_read(listener, allowed, monkeypatch):
    monkeypatch.setattr(outgoing, "MOST_READ", 2)

    assert post(listener.url, b"{}", {}).text == "ok"
