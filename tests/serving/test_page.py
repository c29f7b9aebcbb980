"""The page: self-contained, safe, labelled; and in headless Chromium, usable by keyboard."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from tests.chromium import open_chromium
from tests.serving.made_up import ATTACK, made_engine, until
from xorqa.lab.common.server import running
from xorqa.serving.app import SITE, SITE_FILES

PAGES = [name for name, _ in SITE_FILES.values() if name.endswith(".html")]


class Tags(HTMLParser):
    """Collects the tags of a page, and the controls without a label."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.unlabelled: list[str] = []
        labels = set(re.findall(r'<label for="(\w+)"', html))
        self.labels = labels
        self.feed(html)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = dict(attributes)
        self.tags.append((tag, found))
        control = tag in {"select", "input", "textarea"}
        if control and "label" not in self.open and found.get("id") not in self.labels:
            self.unlabelled.append(tag)
        if tag not in {"meta", "input", "br", "link"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop() != tag:
            pass


@pytest.mark.parametrize("name", PAGES)
def test_a_page_loads_only_files_of_the_server_and_labels_its_controls(name: str) -> None:
    html = (SITE / name).read_text(encoding="utf-8")
    parsed = Tags(html)
    linked = [a.get("src") or a.get("href") or "" for _, a in parsed.tags if {"src", "href"} & {*a}]
    assert {path.lstrip("./") for path in linked if path[0] != "#"} <= {
        *(path[1:] for path in SITE_FILES),
        "openapi.json",
    }
    assert parsed.unlabelled == [] and ("html", {"lang": "en"}) in parsed.tags
    names = [tag for tag, _ in parsed.tags]
    assert names.count("h1") == 1 and "main" in names and "noscript" in names
    assert "style=" not in html and not re.search(r" on\w+=", html)  # as the policy demands


def test_scripts_write_texts_as_text_and_load_nothing_from_elsewhere() -> None:
    for path in SITE.iterdir():
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(", text)
        outside = text.replace('xmlns="http://www.w3.org/2000/svg"', "")
        assert not re.search(r"https?://|@import|url\(", outside), path.name


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server in a thread."""
    engine = made_engine(tmp_path_factory.mktemp("page"), two=True)
    with running(engine) as (host, port):
        yield f"http://{host}:{port}/"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Debian's Chromium, headless."""
    chromium = open_chromium()
    yield chromium
    chromium.quit()


class Page:
    """The page in a browser, used by its keyboard where that matters."""

    def __init__(self, browser: Any, address: str) -> None:
        self.browser = browser
        browser.get(address)
        assert until(lambda: self.one("html").get_attribute("data-ready"))

    def one(self, css: str) -> Any:
        return self.all(css)[0]

    def all(self, css: str) -> list[Any]:
        return list(self.browser.find_elements("css selector", css))

    def ask(self, question: str) -> list[str]:
        """Ask by keyboard; the answers shown."""
        field = self.one("#question")
        field.clear()
        field.send_keys(question, "\n")
        return self.answers()

    def answers(self) -> list[str]:
        assert until(lambda: self.one("#status").text.startswith("Answered"))
        return [each.text for each in self.all(".answer")]

    def choose(self, css: str, text: str) -> None:
        from selenium.webdriver.support.ui import Select

        Select(self.one(css)).select_by_visible_text(text)


@pytest.fixture
def page(browser: Any, address: str) -> Iterator[Page]:
    """The page, in whose console no error may appear."""
    yield Page(browser, address)
    assert [row for row in browser.get_log("browser") if row["level"] == "SEVERE"] == []
    assert browser.title.startswith("xorqa")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "answer", "lang", "direction"),
    [
        ("Which river is the Nile?", "Africa", "en", "ltr"),
        ("한강은 서울을 흐르는 무엇인가요?", "강이다", "ko", "ltr"),
        ("أين نهر النيل في العالم؟", "أفريقيا", "ar", "rtl"),
    ],
)
def test_ask(page: Page, question: str, answer: str, lang: str, direction: str) -> None:
    assert page.ask(question) == [answer]
    shown = page.one(".answer")
    assert (shown.get_attribute("lang"), shown.get_attribute("dir")) == (lang, direction)
    assert page.one(".passage mark").text == answer
    assert page.one(".passage").value_of_css_property("direction") in {"ltr", direction}
    assert page.one("meter").get_attribute("value") != "0"
    assert "How it was made: a span of the passage" in page.one(".result").text


@pytest.mark.slow
def test_the_road_is_opened_by_keyboard(page: Page) -> None:
    page.ask("Which river is the Nile?")
    road = page.one(".road")
    assert road.get_attribute("open") is None
    page.one(".road > summary").send_keys("\n")
    assert road.get_attribute("open")
    text = road.text
    assert "Searched with the question as asked: Which river is the Nile?" in text
    captions = [each.text for each in page.all(".road caption")]
    assert captions == [
        "Hits",
        "Candidates of the reader",
        "Answers after localisation; the chosen one is in bold",
    ]
    assert page.one(".road tr.chosen").text.startswith("Africa")
    assert "all.retrieve" in text


@pytest.mark.slow
def test_two_pipelines_are_compared_side_by_side(page: Page) -> None:
    page.choose("#second", "fused")
    assert page.ask("Which river is the Nile?") == ["Africa", "Africa"]
    assert [each.text for each in page.all(".result > h2")] == ["words", "fused"]
    left, right = (each.rect for each in page.all(".result"))
    assert left["y"] == right["y"] and left["x"] + left["width"] <= right["x"]
    page.all(".road > summary")[1].send_keys("\n")
    captions = [each.text for each in page.all(".result:last-child .road caption")]
    assert captions[:3] == ["Hits of bm25", "Hits of bm25", "Hits, fused"]


@pytest.mark.slow
def test_examples_scripts_themes_and_narrow_screens(page: Page) -> None:
    assert len(page.all("#examples button")) == 3
    page.all("#examples button")[1].send_keys("\n")
    assert page.answers() == ["강이다"]
    page.ask(f"the Rhine {ATTACK}")
    assert ATTACK in page.one(".passage").text
    before = page.one("html").get_attribute("data-theme")
    page.one("#theme").send_keys("\n")
    assert page.one("html").get_attribute("data-theme") != before
    page.browser.set_window_size(500, 900)
    width = "return document.documentElement.scrollWidth <= innerWidth"
    assert page.browser.execute_script(width)
    page.browser.set_window_size(1200, 900)


@pytest.mark.slow
def test_upload_a_file_or_paste_a_text_and_ask_it(page: Page, tmp_path: Path) -> None:
    page.one("#own > summary").send_keys("\n")
    (path := tmp_path / "lakes.jsonl").write_text('{"text": "The lake of Oulu is Oulujärvi."}')
    page.one("#file").send_keys(str(path))
    page.one("#upload button").send_keys("\n")
    assert until(lambda: page.one("#uploaded").text.startswith("Indexed 1 passage."))
    assert page.ask("Which lake?") == ["Oulujärvi"]
    page.one("#file").clear()
    page.one("#text").send_keys("The capital of the county is Kajaani.")
    page.one("#upload button").send_keys("\n")
    assert until(lambda: len(page.all("#corpus option")) == 3)
    assert page.ask("Which capital?") == ["Kajaani"]
    page.choose("#corpus", page.one("#corpus option").text)
    assert page.ask("Which river is the Nile?") == ["Africa"]


@pytest.mark.slow
def test_errors_are_shown(page: Page) -> None:
    page.one("#own > summary").send_keys("\n")
    page.one("#upload button").send_keys("\n")
    assert page.one("#uploaded").text == "Choose a file or paste text."


@pytest.mark.slow
def test_the_page_of_the_api(browser: Any, address: str) -> None:
    page = Page(browser, f"{address}docs")
    heads = [each.text for each in page.all("h2")]
    assert {"POST /ask", "POST /corpora", "GET /metrics"} <= set(heads)
    page.one("#try-ask ~ button").send_keys("\n")
    assert until(lambda: page.one("pre").text.startswith("200"))
    assert [row for row in browser.get_log("browser") if row["level"] == "SEVERE"] == []
