"""No host is asked too often, and nobody waits for longer than their fetch may take."""

import threading

import pytest

from chat.web.guard import FetchLimits, FetchRefused, Pacing, PageCache, PoliteGuard
from tests.chat.web.guard.conftest import guard_for
from tests.fakes.web_server import WebServer, answer, redirect

pytestmark = pytest.mark.row("C3")

HERE = "one.weighed.net"
URL = f"https://{HERE}/"


class Clock:
    """A clock that only sleeping moves; ``slept`` are the pauses."""

    def __init__(self) -> None:
        self.time = 0.0
        self.slept: list[float] = []

    def now(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.time += seconds


def pacing_by(clock: Clock, **options: float) -> Pacing:
    return Pacing(now=clock.now, sleep=clock.sleep, **options)  # type: ignore[arg-type]


def visit(pacing: Pacing, host: str, patience_s: float = 20.0) -> None:
    pacing.enter(host, patience_s)
    pacing.leave(host)


def test_visits_of_one_host_begin_a_second_apart() -> None:
    clock = Clock()
    pacing = pacing_by(clock)

    for _ in range(3):
        visit(pacing, HERE)
    clock.time += 0.25
    visit(pacing, HERE)

    assert clock.slept == [1.0, 1.0, 0.75]


def test_hosts_do_not_wait_for_each_other() -> None:
    clock = Clock()
    pacing = pacing_by(clock)

    for host in ("one.weighed.net", "two.weighed.net", "weighed.net"):
        visit(pacing, host)

    assert clock.slept == []


def test_a_wait_that_cannot_end_in_time_is_refused_at_once() -> None:
    clock = Clock()
    pacing = pacing_by(clock)
    visit(pacing, HERE)

    with pytest.raises(FetchRefused, match="so soon") as refused:
        pacing.enter(HERE, 0.5)

    assert (str(refused.value.reason), clock.slept) == ("busy", [])
    visit(pacing, HERE, 1.0)
    assert clock.slept == [1.0]


def test_a_host_that_asks_for_time_is_given_it() -> None:
    clock = Clock()
    pacing = pacing_by(clock)

    pacing.hold_off(HERE, 7.0)
    visit(pacing, HERE)

    assert clock.slept == [7.0]


def test_two_visits_of_a_host_run_at_once_and_a_third_waits_for_one_to_end() -> None:
    pacing = Pacing(spacing_s=0)
    pacing.enter(HERE, 20.0)
    pacing.enter(HERE, 20.0)
    with pytest.raises(FetchRefused):
        pacing.enter(HERE, 0.0)
    is_in = threading.Event()

    def third() -> None:
        pacing.enter(HERE, 60.0)
        is_in.set()

    waiting = threading.Thread(target=third)
    waiting.start()
    pacing.leave(HERE)

    assert is_in.wait(60)
    waiting.join()
    with pytest.raises(FetchRefused):
        pacing.enter(HERE, 0.0)


def test_a_turn_is_given_back_when_waiting_for_it_is_broken_off() -> None:
    def interrupted(_: float) -> None:
        raise KeyboardInterrupt

    pacing = Pacing(at_once=1, now=lambda: 0.0, sleep=interrupted)
    visit(pacing, HERE)
    with pytest.raises(KeyboardInterrupt):
        pacing.enter(HERE, 20.0)

    with pytest.raises(KeyboardInterrupt):
        pacing.enter(HERE, 20.0)


def test_hosts_are_forgotten_when_they_are_many_and_idle() -> None:
    clock = Clock()
    pacing = pacing_by(clock)
    pacing.enter("busy.weighed.net", 20.0)

    for number in range(3_000):
        clock.time += 1
        visit(pacing, f"a{number}.weighed.net")

    assert len(pacing._lanes) <= 1_001
    assert pacing._lanes["busy.weighed.net"].running == 1


@pytest.mark.parametrize("wrong", [{"at_once": 0}, {"spacing_s": -1.0}])
def test_a_pace_that_makes_no_sense_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="At least one"):
        Pacing(**wrong)  # type: ignore[arg-type]


def test_a_redirect_within_a_host_is_the_same_visit_and_one_elsewhere_is_not(
    site: WebServer,
) -> None:
    site.answers = {
        f"{HERE}/": redirect("/b"),
        f"{HERE}/b": redirect("https://two.weighed.net/"),
        "two.weighed.net/": answer("there"),
    }
    clock = Clock()
    pacing = pacing_by(clock)
    visit(pacing, "two.weighed.net")

    page = PoliteGuard(guard_for(site), pacing=pacing).fetch(URL)

    assert [hop.status for hop in page.hops] == [302, 302, 200]
    assert clock.slept == [1.0]
    assert [lane.running for lane in pacing._lanes.values()] == [0, 0]


def test_a_turn_ends_with_its_fetch_whatever_became_of_it(site: WebServer) -> None:
    site.answers = {f"{HERE}/": redirect("https://gone.weighed.net/")}
    pacing = Pacing(at_once=1, spacing_s=0)
    polite = PoliteGuard(guard_for(site), pacing=pacing)

    for _ in range(2):
        with pytest.raises(FetchRefused) as refused:
            polite.fetch(URL)
        assert str(refused.value.reason) == "dns"

    assert not any(lane.running for lane in pacing._lanes.values())


def test_waiting_takes_of_the_time_that_a_fetch_has(site: WebServer) -> None:
    site.answers = {f"{HERE}/": answer("words"), f"{HERE}/b": answer("words")}
    clock = Clock()
    limits = FetchLimits(deadline_s=60)
    polite = PoliteGuard(guard_for(site, limits=limits), pacing=pacing_by(clock))
    polite.fetch(URL)
    polite._pacing.hold_off(HERE, 61)

    with pytest.raises(FetchRefused) as refused:
        polite.fetch(URL + "b")

    assert (str(refused.value.reason), refused.value.touched_network) == ("busy", False)
    assert (clock.slept, len(site.seen)) == ([], 1)


@pytest.mark.parametrize("status", [429, 503])
def test_a_site_that_says_when_to_come_back_is_left_alone_until_then(
    site: WebServer, status: int
) -> None:
    site.answers = {f"{HERE}/": answer("wait", "Retry-After: 90", status=status)}
    clock = Clock()
    polite = PoliteGuard(guard_for(site), pacing=pacing_by(clock), cache=PageCache())

    reasons = []
    for _ in range(2):
        with pytest.raises(FetchRefused) as refused:
            polite.fetch(URL)
        reasons.append(str(refused.value.reason))
    clock.time += 90
    site.answers = {f"{HERE}/": answer("now")}

    assert (reasons, len(site.seen)) == (["status", "busy"], 1)
    assert polite.fetch(URL).body == b"now"


def test_every_server_is_told_who_asks_and_whom_to_write_to(site: WebServer) -> None:
    site.answers = {
        f"{HERE}/": redirect("https://two.weighed.net/"),
        "two.weighed.net/": answer("there"),
    }

    guard_for(site, contact="https://weigh.example.org/bot").fetch(URL)
    guard_for(site, contact="ada@example.org").fetch(URL)
    guard_for(site).fetch(URL)

    told = [seen.headers["user-agent"] for seen in site.seen]
    assert told == [
        *["Weighhouse/0.1 (+https://weigh.example.org/bot)"] * 2,
        *["Weighhouse/0.1 (+mailto:ada@example.org)"] * 2,
        *["Weighhouse/0.1"] * 2,
    ]


@pytest.mark.parametrize(
    "contact",
    ["http://weigh.example.org", "Ada", "ada@", "https://a.org/(b)", "a@b.org\r\nX: y"],
)
def test_a_contact_that_cannot_be_one_is_refused(contact: str) -> None:
    with pytest.raises(ValueError, match="A contact is"):
        guard_for(WebServer(), contact=contact)
