"""The browser page in a real Chromium, against a server of its own: what a person does, by mouse and by keyboard."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = os.environ.get("DUPAI_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
if CHROMIUM is None:
    pytest.skip("no Chromium on this machine (or set DUPAI_CHROMIUM)", allow_module_level=True)
playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed (extra 'web-test')")
for _part in ("fastapi", "uvicorn"):
    pytest.importorskip(_part, reason=f"{_part} is not installed (extra 'web')")

expect = playwright.expect
# the first reading of a fresh machine compiles its kernels
expect.set_options(timeout=200_000)
ARGUMENTS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
PAGES = ("/", "/replay", "/solve", "/equity", "/players", "/results")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server on a free port; its address. ``DUPAI_WEB`` names one that runs already."""
    if running := os.environ.get("DUPAI_WEB"):
        yield running
        return
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    folder = tmp_path_factory.mktemp("web")
    log = (folder / "log").open("wb")
    process = subprocess.Popen(
        [sys.executable, "-m", "dupai", "web", "--port", str(port), "--folder", str(folder / "data")],
        stdout=log,
        stderr=subprocess.STDOUT,
    )
    address = f"http://127.0.0.1:{port}"
    try:
        end = time.monotonic() + 300
        while True:
            try:
                urllib.request.urlopen(f"{address}/api/info", timeout=5).read()
                break
            except OSError:
                if process.poll() is not None or time.monotonic() > end:
                    pytest.fail((folder / "log").read_text(errors="replace"))
                time.sleep(0.2)
        yield address
    finally:
        process.terminate()
        process.wait(20)
        log.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield chromium
        chromium.close()


class Watched:
    """A person's browser: its page, what it asked other servers for, and what went wrong in it."""

    def __init__(self, browser: Any, server: str, width: int = 1280, height: int = 860) -> None:
        self.context = browser.new_context(viewport={"width": width, "height": height}, locale="en-GB")
        self.page = self.context.new_page()
        self.page.set_default_timeout(200_000)
        self.server = server
        self.trouble: list[str] = []
        self.page.on("request", lambda request: self._asked(request.url))
        self.page.on("pageerror", lambda error: self.trouble.append(str(error)))
        self.page.on("console", lambda line: self.trouble.append(line.text) if line.type == "error" else None)

    def _asked(self, url: str) -> None:
        if not url.startswith((self.server, "data:", "blob:")):
            self.trouble.append(f"a request to {url}")

    def make_table(self, **settings: Any) -> str:
        """Open the page and make a table from it, as the start page does; the table's address."""
        self.page.goto(self.server)
        made = self.page.evaluate(
            """async (settings) => {
                const answer = await fetch("/api/tables", {
                    method: "POST", body: JSON.stringify(settings), headers: {"Content-Type": "application/json"}});
                return answer.json();
            }""",
            settings,
        )
        address = f"{self.server}/table/{made['id']}"
        self.page.goto(address)
        return address

    def hand(self) -> int:
        """The number of the hand that is shown, 0 before the first."""
        text = self.page.locator(".table-top p").inner_text()
        return int(text.split("Hand ")[1].split()[0]) if "Hand " in text else 0


@pytest.fixture
def person(browser: Any, server: str) -> Iterator[Watched]:
    watched = Watched(browser, server)
    yield watched
    watched.context.close()
    assert not watched.trouble


HEADS_UP = {"seats": 2, "opponents": ["caller"], "speed": "fast", "panel": False, "coach": False}


def showdowns(person: Watched, hands: int, check: Any, go_on: Any) -> int:
    """Check and call until so many hands have been shown down; how many were."""
    page = person.page
    shown: set[int] = set()
    end = time.monotonic() + 400
    while len(shown) < hands and time.monotonic() < end:
        if page.locator(".do-call").count():
            check()
        elif page.locator(".actions .primary").count():
            if page.locator(".seat:not(.mine) .card[class*=suit-]").count() == 2:
                shown.add(person.hand())
            go_on()
        page.wait_for_timeout(60)
    return len(shown)


def quick(action: Any) -> Any:
    """A click that may come too late: the table has gone on."""

    def attempt() -> None:
        with contextlib.suppress(playwright.TimeoutError):
            action()

    return attempt


def test_three_hands_to_showdown_by_mouse(person: Watched) -> None:
    person.make_table(**HEADS_UP)
    page = person.page
    check = quick(lambda: page.locator(".do-call").click(timeout=500))
    assert showdowns(person, 3, check, quick(lambda: page.locator(".actions .primary").click(timeout=500))) == 3


def test_three_hands_to_showdown_by_keyboard(person: Watched) -> None:
    person.page.goto(person.server)
    # the button that makes a table has the focus
    expect(person.page.get_by_role("button", name="Sit down")).to_be_focused()
    person.make_table(**HEADS_UP)
    keys = person.page.keyboard
    assert showdowns(person, 3, lambda: keys.press("c"), lambda: keys.press("n")) == 3


def test_opponents_have_names_and_stand_by_kind_the_strongest_first(person: Watched) -> None:
    page = person.page
    page.goto(person.server)
    seat = page.locator(".opponent").first
    expect(seat.locator("select")).to_have_value("persona:pros")
    assert seat.locator("optgroup").count() >= 4
    assert seat.locator("option[value='rules']").inner_text().startswith("Beginner's rules")
    for group in seat.locator("optgroup").all()[:4]:
        texts = group.locator("option").all_inner_texts()
        rated = [float(t[t.rindex("(") + 1 : -1].replace("−", "-")) for t in texts if t.endswith(")")]
        assert rated == sorted(rated, reverse=True)
        assert all(t.endswith(")") for t in texts[: len(rated)])
    seat.locator("select").select_option("rules")
    expect(seat.locator(".opponent-about")).to_contain_text("price of a call")
    assert not seat.get_by_text("rules", exact=True).count(), "specs stand behind the options"
    page.get_by_role("button", name="Sit down").click()
    expect(page.locator(".felt")).to_contain_text("Six-max pro")


def test_the_panel_opens_on_who_bet_last_and_says_who_has_not_acted(person: Watched) -> None:
    person.make_table(seats=3, opponents=["caller", "raiser"], speed="instant", panel=True, coach=False)
    page = person.page
    opened = page.locator(".panel-body > .tabs [aria-selected=true]")
    # On the button one acts first of three: that is so in one hand of three.
    for _ in range(3):
        expect(page.locator(".do-call")).to_be_visible()
        if "Call 100" in page.locator(".do-call").inner_text():
            break
        hand = person.hand()
        page.keyboard.press("f")
        page.wait_for_function(
            "(n) => !document.querySelector('.table-top p').innerText.includes(`Hand ${n}`)", arg=hand
        )
    expect(page.locator(".read-words").first).to_have_text("has not acted yet: any hand is possible")
    expect(page.locator(".panel-body .stack").first).to_be_visible()
    page.keyboard.press("c")
    expect(opened).to_contain_text("Raises everything")
    expect(page.locator(".read-words").first).to_contain_text("narrowed to about")


def test_the_reading_moves_on_while_others_act(person: Watched) -> None:
    person.make_table(seats=6, opponents=["caller"] * 5, speed="slow", panel=True, coach=False)
    page = person.page
    expect(page.locator(".advice")).to_be_visible()
    tabs = page.locator(".panel-body > .tabs")
    assert tabs.locator("button").count() == 5
    page.keyboard.press("f")
    expect(page.locator(".actions.idle")).to_be_visible()
    # what is read without a decision of one's own: no advice, but a grid, and it is never blank
    expect(page.locator(".advice")).to_have_count(0)
    for _ in range(10):
        assert page.locator(".panel-body .grid13").count() == 1
        page.wait_for_timeout(200)
    expect(page.locator(".read-words").first).to_contain_text("narrowed to about")


def test_amounts_are_shown_in_big_blinds_by_a_switch(person: Watched) -> None:
    person.make_table(**HEADS_UP, stack=20_000)
    page = person.page
    expect(page.locator(".do-raise")).to_have_text("Raise to 200 R")
    page.get_by_role("button", name="Amounts in big blinds").click()
    expect(page.locator(".do-raise")).to_have_text("Raise to 2 bb R")
    expect(page.locator(".seat.mine .seat-stack")).to_have_text("BTN199.5 bb")
    page.reload()
    expect(page.locator(".do-call")).to_have_text("Call 0.5 bb C")
    amount = page.locator(".sizing input[type=number]")
    amount.fill("7")
    amount.press("Tab")
    page.locator(".do-raise").click()
    page.get_by_role("tab", name="Log").click()
    expect(page.locator(".log")).to_contain_text("raise to 7 bb")
    page.goto(f"{person.server}/replay")
    page.get_by_role("link", name="as a poker site writes them").click()
    page.locator(".hand-list a").first.click()
    expect(page.locator(".felt .pot")).to_contain_text("bb")


def test_the_lobby_refuses_in_words(person: Watched) -> None:
    page = person.page
    page.goto(person.server)
    page.get_by_label("Small blind").fill("200")
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_role("alert")).to_contain_text("cannot be larger than the big blind")
    page.get_by_label("Small blind").fill("50")
    page.get_by_label("Stack", exact=True).fill("20")
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_role("alert")).to_contain_text("at least one big blind")


def test_a_bet_by_keyboard_has_the_size_that_is_shown(person: Watched) -> None:
    person.make_table(**HEADS_UP, stack=20_000)
    page = person.page
    expect(page.locator(".do-raise")).to_be_visible()
    amount = page.locator(".sizing input[type=number]").input_value()
    expect(page.locator(".do-raise")).to_contain_text(f"{int(amount):,}")
    page.keyboard.press("+")
    assert int(page.locator(".sizing input[type=number]").input_value()) == int(amount) + 100


def test_the_pot_by_keyboard_is_bet_at_once(person: Watched) -> None:
    person.make_table(**HEADS_UP, stack=20_000)
    page = person.page
    expect(page.locator(".do-raise")).to_be_visible()
    page.keyboard.press("p")
    page.get_by_role("tab", name="Log").click()
    expect(page.locator(".log")).to_contain_text("raise to 300")


def test_a_phone_shows_what_can_be_done(browser: Any, server: str, tmp_path: Path) -> None:
    phone = Watched(browser, server, 360, 640)
    phone.make_table(seats=6, speed="instant", panel=True, coach=False)
    expect(phone.page.locator(".do-call")).to_be_visible()
    phone.page.screenshot(path=os.environ.get("DUPAI_SHOT") or tmp_path / "phone.png")
    for button in phone.page.locator(".main-actions button").all():
        box = button.bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 640
    # who reads further down can still act
    phone.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    for button in phone.page.locator(".main-actions button").all():
        assert button.bounding_box()["y"] >= 0
    phone.context.close()
    assert not phone.trouble


def test_two_people_at_one_table(browser: Any, server: str) -> None:
    first, second = Watched(browser, server), Watched(browser, server)
    address = first.make_table(seats=2, opponents=[None], speed="slow", panel=False, coach=False, name="Ann")
    second.page.goto(address)
    expect(second.page.get_by_text("You are looking on")).to_be_visible()
    second.page.get_by_role("button", name="Sit here").click()
    second.page.locator(".actions input[type=text]").fill("Bob")
    second.page.keyboard.press("Enter")
    for watched in (first, second):
        expect(watched.page.locator(".seat.mine .card[class*=suit-]")).to_have_count(2)
        expect(watched.page.locator(".seat:not(.mine) .card.back")).to_have_count(2)
    cards = [watched.page.locator(".seat.mine .hole").inner_html() for watched in (first, second)]
    assert cards[0] != cards[1]
    end = time.monotonic() + 200
    while first.page.locator(".board .card[class*=suit-]").count() < 3 and time.monotonic() < end:
        for watched in (first, second):
            quick(lambda page=watched.page: page.locator(".do-call").click(timeout=300))()
    expect(first.page.locator(".board .card[class*=suit-]")).to_have_count(3)
    expect(second.page.locator(".board .card[class*=suit-]")).to_have_count(3)
    for watched in (first, second):
        watched.context.close()
        assert not watched.trouble


def test_reload_in_the_middle_of_a_hand(person: Watched) -> None:
    person.make_table(**HEADS_UP, clock=0)
    page = person.page
    expect(page.locator(".do-call")).to_be_visible()
    before = person.hand(), page.locator(".seat.mine .hole").inner_html(), page.locator(".pot").inner_text()
    page.reload()
    expect(page.locator(".do-call")).to_be_visible()
    assert (person.hand(), page.locator(".seat.mine .hole").inner_html(), page.locator(".pot").inner_text()) == before


def test_panel_on_and_off(person: Watched) -> None:
    person.make_table(seats=3, opponents=["rules", "caller"], speed="fast", panel=True, coach=False)
    page = person.page
    grids = page.get_by_role("grid")
    expect(grids).to_have_count(1)
    # every square says its hand and probability, and arrow keys walk through them
    first = page.get_by_role("gridcell").first
    first.focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tooltip")).to_contain_text("AKs")
    expect(page.get_by_role("tooltip")).to_contain_text("before the betting")
    expect(page.locator(".advice")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("tooltip")).to_have_count(0)
    page.locator('.reading-grid [data-square="30"]').hover()
    expect(page.get_by_role("tooltip")).to_contain_text("QTs")
    page.locator("h3").first.hover()
    expect(page.get_by_role("tooltip")).to_have_count(0)
    page.locator(".table-bottom button[aria-pressed]").click()
    expect(page.get_by_text("The reading panel is off for everyone at this table.").first).to_be_visible()
    expect(grids).to_have_count(0)
    page.locator(".table-bottom button[aria-pressed]").click()
    expect(page.get_by_role("tab", name="Reading")).to_be_visible()


@pytest.mark.parametrize(
    ("sends", "says"), [(True, "Your browser's share is in it."), (False, "No browser added a share")]
)
def test_a_deal_can_be_checked(person: Watched, sends: bool, says: str) -> None:
    page = person.page
    if not sends:
        page.add_init_script("""const send = WebSocket.prototype.send;
            WebSocket.prototype.send = function (text) { if (!/"share"/.test(text)) send.call(this, text); };""")
    person.make_table(**HEADS_UP)
    page.locator(".do-fold, .do-call").first.click()
    showdowns(person, 1, quick(lambda: page.locator(".do-call").click(timeout=500)), lambda: None)
    page.get_by_role("button", name="Fair deal").click()
    page.get_by_role("button", name="Check this deal").click()
    expect(page.get_by_text("The deck is the sealed one.")).to_be_visible()
    expect(page.get_by_text(says)).to_be_visible()


def test_replay_a_hand(person: Watched) -> None:
    page = person.page
    page.goto(f"{person.server}/replay")
    page.locator(".hand-list a").first.click()
    slider = page.locator(".player input[type=range]")
    expect(slider).to_have_value("0")
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_value("1")
    page.keyboard.press("End")
    expect(slider).to_have_value(slider.get_attribute("max"))
    page.keyboard.press("Home")
    expect(page.get_by_role("grid")).to_have_count(1)
    with page.expect_download() as picture:
        page.get_by_role("button", name="Export PNG").click()
    assert Path(picture.value.path()).read_bytes()[:4] == b"\x89PNG"
    with page.expect_download() as hand:
        page.get_by_role("link", name="Export PHH").click()
    assert "variant" in Path(hand.value.path()).read_text()


def test_a_replay_opens_where_cards_are_known(person: Watched) -> None:
    page = person.page
    page.goto(f"{person.server}/replay")
    page.get_by_role("link", name="as a poker site writes them").click()
    # Ann's file: she completes her small blind, Bo raises all-in and shows nothing.
    page.locator(".hand-list a").nth(1).click()
    expect(page.get_by_text("What Ann could know")).to_be_visible()
    expect(page.get_by_role("grid").first).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("The cards of Bo are not known")).to_be_visible()
    expect(page.get_by_role("grid").first).to_be_visible()
    expect(page.get_by_text("Bo seems to hold")).to_be_visible()


def test_buttons_are_off_while_the_server_is_away(person: Watched) -> None:
    page = person.page
    page.add_init_script(
        "const Real = WebSocket;"
        "window.WebSocket = class extends Real { constructor(...all) { super(...all); window.line = this; } };"
    )
    person.make_table(**HEADS_UP)
    expect(page.locator(".do-call")).to_be_enabled()
    page.evaluate("() => { window.WebSocket = class extends EventTarget {}; line.close(); }")
    expect(page.get_by_text("The server is away")).to_be_visible()
    expect(page.locator(".do-call")).to_be_disabled()


def test_solve_a_river(person: Watched) -> None:
    page = person.page
    page.goto(f"{person.server}/solve")
    expect(page.locator(".painter-sum").first).not_to_contain_text("0.0 %")
    page.get_by_role("button", name="Solve", exact=True).click()
    expect(page.locator(".node .grid13")).to_be_visible()
    page.locator('.node [data-square="0"]').click()
    expect(page.locator(".hands-table tbody tr")).not_to_have_count(0)
    page.locator(".node-actions button").first.click()
    expect(page.locator(".crumbs button")).to_have_count(2)


def test_a_node_is_locked_and_the_spot_solved_again(person: Watched) -> None:
    page = person.page
    page.goto(f"{person.server}/solve")
    expect(page.locator(".painter-sum").first).not_to_contain_text("0.0 %")
    page.get_by_role("button", name="Solve", exact=True).click()
    expect(page.locator(".node-actions button")).not_to_have_count(0)
    first = page.url
    page.get_by_role("button", name="Lock this node").click()
    shares = page.locator(".lock input").nth(1)
    shares.fill("check = 0, bet 100 = 1, bet 200 = 0, allin 900 = 0")
    shares.press("Tab")
    page.get_by_role("button", name="Solve", exact=True).click()
    expect(page).not_to_have_url(first)
    expect(page.locator(".node-actions button").nth(1)).to_contain_text("100.0 %")
    page.get_by_role("button", name="Beside the previous solution").click()
    expect(page.locator(".node .grid13")).to_have_count(2)
    expect(page.locator(".node .mix-key li").nth(1)).not_to_contain_text("100.0 %")


def test_a_match_is_started_from_the_page(person: Watched) -> None:
    page = person.page
    page.goto(f"{person.server}/results")
    page.locator(".run-form summary").click()
    page.get_by_label("Player 1").select_option("caller")
    page.get_by_label("Player 2").select_option("raiser")
    page.get_by_label("Hands", exact=True).fill("200")
    page.locator(".run-form button.primary").click()
    expect(page.locator(".name-list a[aria-current]").first).to_contain_text("Calls everything v Raises everything")
    expect(page.locator("table").first).to_contain_text("Raises everything")
    expect(page.get_by_text("Not finished")).to_have_count(0)

    # It ends between two answers: the list was read before its end, the run itself after it.
    lists: list[Any] = []

    def read_before(route: Any) -> None:
        answer = route.fetch()
        lists.append(answer.json() if lists else [{**run, "finished": False} for run in answer.json()])
        route.fulfill(response=answer, json=lists[-1])

    page.route("**/api/results", read_before)
    page.reload()
    expect(page.locator(".name-list a[aria-current]").first).to_contain_text("Calls everything v Raises everything")
    expect(page.get_by_text("Not finished")).to_have_count(0)
    assert len(lists) == 2, "the list is read once more, and no oftener"


def test_an_opened_solution_fills_the_form(person: Watched, tmp_path: Path) -> None:
    from dupai.cfr import SolveSpot, save_solution, solve_spot

    spot = {"board": "Td9d6hQc2s", "oop": "AA,KK", "ip": "QQ,JJ", "pot": 321, "stack": 400, "rake": 0.05}
    solver = solve_spot(SolveSpot.from_dict({**spot, "sizes": {"bet": "a", "raise": "a"}}), max_iterations=30)
    save_solution(solver, tmp_path / "spot.solve")
    page = person.page
    page.goto(f"{person.server}/solve")
    page.locator('input[type="file"]').set_input_files(tmp_path / "spot.solve")
    expect(page.get_by_label("Pot", exact=True)).to_have_value("321")
    expect(page.locator(".painter textarea").first).to_have_value("KK+")
    expect(page.get_by_text("This solution holds more than the form shows")).to_be_visible()
    opened = page.url
    page.get_by_role("button", name="Solve", exact=True).click()
    expect(page).not_to_have_url(opened)
    expect(page.locator(".node .grid13")).to_be_visible()
    expect(page.get_by_text("This solution holds more than the form shows")).to_be_visible()
    page.get_by_label("Pot", exact=True).fill("100")
    expect(page.get_by_text("This solution holds more than the form shows")).to_have_count(0)


def test_runouts_are_shown_as_a_grid_of_cards(person: Watched) -> None:
    page = person.page
    page.goto(f"{person.server}/solve")
    expect(page.locator(".painter-sum").first).not_to_contain_text("0.0 %")
    page.locator('.deck-card.suit-s[aria-pressed="true"]').click()  # the river is to come
    page.get_by_role("button", name="Solve", exact=True).click()
    for steps in (1, 2):
        page.locator(".node-actions button").first.click()
        expect(page.locator(".crumbs button")).to_have_count(steps + 1)
    page.get_by_role("button", name="Runouts").click()
    cells = page.locator("button.runout-cell")
    expect(cells).to_have_count(48)
    page.get_by_role("button", name="EV, In position").click()
    expect(page.locator(".runout-value")).to_have_count(48)
    cells.first.click()
    expect(page.locator(".crumbs button")).to_have_count(4)


def test_a_range_is_painted_by_dragging(person: Watched) -> None:
    page = person.page
    page.goto(f"{person.server}/equity")
    text = page.locator(".painter textarea")
    page.locator(".painter").get_by_role("button", name="Clear").click()
    expect(text).to_have_value("")
    grid, box = page.locator(".painter .grid13"), None
    while box != (now := grid.bounding_box()):  # on a busy machine the page is still moving
        box = now
        page.wait_for_timeout(200)
    cell = box["width"] / 13
    page.mouse.move(box["x"] + cell / 2, box["y"] + cell / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 1.5 * cell, box["y"] + 1.5 * cell, steps=1)
    page.mouse.up()
    expect(text).to_have_value("KK+")
    page.get_by_role("button", name="Compute").click()
    expect(page.locator(".equity-out")).to_have_count(2)


def test_a_pasted_range_is_sent_on_as_hands_and_its_form_is_named(person: Watched) -> None:
    page = person.page
    page.goto(f"{person.server}/equity")
    text, form = page.locator(".painter textarea"), page.locator(".range-form")
    expect(form).to_have_text("read as hands")
    text.fill("[40]AKs[/40], 5%")
    expect(form).to_have_text("read as hands, weights as in [50]AKs[/50], 5% by all-in equity")
    text.fill('{"AKs": 0.5, "QQ": 1}')
    expect(form).to_have_text("read as JSON")
    expect(page.locator(".equity-row.chosen input")).to_have_value("QQ, AKs:0.5")
    page.get_by_role("button", name="Compute").click()
    expect(page.locator(".equity-out")).to_have_count(2)


def test_names_at_the_table_are_in_the_language_of_the_page(person: Watched) -> None:
    person.page.add_init_script("localStorage.setItem('language', 'zh')")
    person.make_table(seats=3, opponents=["caller", "caller"], speed="fast", panel=False, coach=False)
    for name in ("跟到底 1", "跟到底 2"):
        expect(person.page.locator(".seat-name").get_by_text(name)).to_be_visible()


#: Paints two squares of a grid, the second after the page was drawn for the first and before its effects have run.
TWO_SQUARES = """async () => {
  SVGElement.prototype.setPointerCapture = () => {};
  const grid = document.querySelector(".painter .grid13");
  const box = grid.getBoundingClientRect();
  const at = (type, square) => {
    const step = (square + 0.5) * box.width / 13;
    grid.dispatchEvent(new PointerEvent(type, {bubbles: true, clientX: box.x + step, clientY: box.y + step}));
  };
  await new Promise(requestAnimationFrame);
  at("pointerdown", 0);
  for (let turn = 0; turn < 20; turn++) await null;
  at("pointermove", 1);
  at("pointerup", 1);
}"""


def test_a_range_painted_at_once_is_written_in_the_fewest_words(person: Watched) -> None:
    page = person.page
    page.goto(f"{person.server}/equity")
    text = page.locator(".painter textarea")
    page.locator(".painter").get_by_role("button", name="Clear").click()
    expect(page.locator(".painter-sum")).to_contain_text(" 0 combos")
    page.wait_for_timeout(600)
    page.evaluate(TWO_SQUARES)
    expect(page.locator(".painter-sum")).to_contain_text(" 12 combos")
    expect(text).to_have_value("KK+", timeout=5_000)


def test_a_bad_file_is_refused_in_one_sentence(person: Watched, tmp_path: Path) -> None:
    page = person.page
    bad = tmp_path / "holiday.phh"
    bad.write_bytes(b"\x00\xff this is no hand \x80" * 40)
    page.goto(f"{person.server}/replay")
    page.locator(".upload input[type=file]").set_input_files(str(bad))
    refusal = page.locator(".upload [role=alert], .upload [role=status]")
    expect(refusal).to_be_visible()
    # the browser itself reports the refused request: no trouble of ours
    person.trouble = [line for line in person.trouble if "Failed to load resource" not in line]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_phone_shows_every_page_without_scrolling_sideways(
    browser: Any, server: str, theme: str, tmp_path: Path
) -> None:
    phone = Watched(browser, server, 360, 740)
    phone.page.emulate_media(color_scheme=theme)
    table = phone.make_table(seats=9, speed="fast", panel=False, coach=False).removeprefix(server)
    for path in (table, *PAGES):
        phone.page.goto(server + path)
        phone.page.wait_for_selector("main > *:not(.wait)")
        assert phone.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        assert len(phone.page.screenshot(path=tmp_path / "phone.png")) > 5_000
    assert phone.page.evaluate("document.documentElement.dataset.theme") == theme
    phone.context.close()
    assert not phone.trouble


#: The lowest contrast of the text of a grid's squares with the colour under it (WCAG 2.2, 1.4.3), measured on a canvas.
CONTRAST = """() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const light = (color) => {
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const linear = (x) => x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((x) => linear(x / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const fill = (element) => light(getComputedStyle(element).fill);
  return Math.min(...[...document.querySelectorAll(".grid13 .cell")].map((cell) => {
    const squares = [...cell.querySelectorAll("rect:not(.frame)")];
    const [under, text] = [fill(squares.at(-1)), fill(cell.querySelector("text"))];
    return (Math.max(under, text) + 0.05) / (Math.min(under, text) + 0.05);
  }));
}"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_stands_out_from_every_square_of_a_grid(person: Watched, theme: str) -> None:
    page = person.page
    page.emulate_media(color_scheme=theme)
    person.make_table(seats=2, opponents=["rules"], speed="instant", panel=True, coach=False)
    expect(page.get_by_role("gridcell")).to_have_count(169)
    assert page.evaluate(CONTRAST) > 3.5
    page.goto(f"{person.server}/equity")
    expect(page.get_by_role("gridcell")).to_have_count(169)
    expect(page.locator(".painter-sum")).to_contain_text("22 combos")
    assert page.evaluate(CONTRAST) > 3.5


#: Seats and bets that lie over the board or over each other.
OVERLAPS = """() => {
  const all = (query) => [...document.querySelectorAll(query)];
  const meet = (one, other) => {
    const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
    const across = a.right - 1 > b.left && b.right - 1 > a.left;
    return one !== other && across && a.bottom - 1 > b.top && b.bottom - 1 > a.top;
  };
  const name = (one) => `${one.className} "${one.textContent}"`;
  const said = (a, others) => others.filter((b) => meet(a, b)).map((b) => `${name(a)} on ${name(b)}`);
  const over = (one, other) => one.flatMap((a) => said(a, other));
  const [cards, bets] = [all(".board .card"), all(".bet-place")];
  const seats = all(".felt .plate, .felt .hole .card");
  return [...over(seats, cards), ...over(bets, seats), ...over(bets, cards), ...over(bets, bets)];
}"""


@pytest.mark.parametrize("seats", range(2, 11))
def test_nothing_lies_over_the_board(person: Watched, seats: int) -> None:
    page = person.page
    person.make_table(seats=seats, opponents=["caller"] * (seats - 1), speed="instant", panel=False, coach=False)
    expect(page.locator(".do-call")).to_be_visible()
    for width, height in ((1440, 900), (1024, 768), (360, 740)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(OVERLAPS) == [], width


def test_a_table_that_is_not_there_says_so(person: Watched) -> None:
    person.page.goto(f"{person.server}/table/nosuchtable")
    expect(person.page.get_by_text("There is no such table, or it has ended.")).to_be_visible()
    # the browser itself reports the refused socket: no trouble of ours
    person.trouble = [line for line in person.trouble if "WebSocket" not in line]


def test_chinese(person: Watched) -> None:
    page = person.page
    page.goto(person.server)
    page.get_by_role("button", name="Language: 中文").click()
    expect(page.get_by_role("button", name="入座")).to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name="入座")).to_be_visible()
    assert page.evaluate("document.documentElement.lang") == "zh-CN"
    # what the server says in English is in Chinese too: the reasons of the advice, the log
    page.get_by_role("button", name="单挑").click()
    expect(page.locator(".reasons li").first).to_have_attribute("lang", "zh-CN")
    assert page.locator(".reasons li[lang=en]").count() == 0
    page.get_by_role("tab", name="牌局记录").click()
    expect(page.locator(".log-post").first).to_contain_text("下盲注")
