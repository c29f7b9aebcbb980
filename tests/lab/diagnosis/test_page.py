"""The page: self-contained, labelled, safe, small; and in headless Chromium, usable by keyboard."""

import base64
import gzip
import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from tests.chromium import open_chromium, until
from tests.lab.diagnosis.made_up import random_data
from xorqa.lab.diagnosis.diagnosis import diagnose_data
from xorqa.lab.diagnosis.page import diagnosis_page
from xorqa.metrics.significance import Settings

ATTACK = "<script>document.title = 'attacked'</script>"


@pytest.fixture(scope="module")
def page():
    """A page of two systems; every passage holds a script."""
    data = random_data(4)
    facts = tuple(
        replace(row, context=f"{row.context} {ATTACK}", text=f"{row.text} {ATTACK}")
        for row in data.questions
    )
    diagnosis = diagnose_data(replace(data, questions=facts), settings=Settings(samples=100))
    return diagnosis_page(diagnosis)


class Tags(HTMLParser):
    """Collects the tags of a page, and the labels around controls."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.open, self.unlabelled = [], [], []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag in {"select", "input"} and "label" not in self.open:
            self.unlabelled.append(tag)
        if tag not in {"meta", "input", "br"}:
            self.open.append(tag)

    def handle_endtag(self, tag):
        while self.open and self.open.pop() != tag:
            pass


def test_the_page_is_self_contained_and_its_controls_are_labelled(page):
    parsed = Tags(page)
    assert not [a for _, a in parsed.tags if {"src", "href"} & a.keys()]
    assert not re.search(r"https?://|@import|url\(", page)
    assert parsed.unlabelled == []
    names = [tag for tag, _ in parsed.tags]
    assert names.count("h1") == 1 and "main" in names and "noscript" in names
    assert ("html", {"lang": "en"}) in parsed.tags
    assert ("p", {"id": "status", "role": "status"}) in parsed.tags


def test_texts_of_questions_are_only_in_the_compressed_data(page):
    assert ATTACK not in page
    compressed = re.search(r'id="data">([^<]+)<', page)[1]
    data = json.loads(gzip.decompress(base64.b64decode(compressed)))
    assert ATTACK in data["contexts"][0] and len(data["contexts"]) == 10
    assert len(data["values"]) == 2 and len(data["values"][0][0]) == 200
    assert [f["name"] for f in data["features"]][:2] == ["language", "script"]


@pytest.fixture(scope="module")
def browser():
    driver = open_chromium()
    yield driver
    driver.quit()


@pytest.mark.slow
def test_the_page_in_a_browser(page, browser, tmp_path):
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys

    def one(css):
        return browser.find_element(By.CSS_SELECTOR, css)

    def press(*keys):
        browser.switch_to.active_element.send_keys(*keys)

    def label():
        return browser.switch_to.active_element.get_attribute("aria-label")

    (tmp_path / "page.html").write_text(page, encoding="utf-8")
    browser.get((tmp_path / "page.html").as_uri())
    assert until(lambda: one("html").get_attribute("data-ready"))
    assert len(browser.find_elements(By.CSS_SELECTOR, "#map tbody tr")) == 6  # all, and 5 languages

    for _ in range(10):  # to the first cell; from here on, keys only
        if (label() or "").startswith("all"):
            break
        press(Keys.TAB)
    assert label().startswith("all, aLen 1: f1 ") and "60 questions" in label()
    press(Keys.ARROW_DOWN)
    assert label().startswith("Arabic, aLen 1:")
    press(Keys.ENTER)
    assert one("#bucket").text == "Arabic, aLen 1" and one("#status").text == "40 questions."
    assert browser.switch_to.active_element.get_attribute("id") == "bucket"
    assert len(browser.find_elements(By.CSS_SELECTOR, "#questions li")) == 20
    one("#more").send_keys(Keys.ENTER)
    assert len(browser.find_elements(By.CSS_SELECTOR, "#questions li")) == 40
    assert ATTACK in one("#questions h3").text and browser.title == "Diagnosis: squad"
    assert one("#questions mark").get_attribute("textContent") in {"1901", "مصر"}

    one("#filter").send_keys("1901")
    assert until(lambda: one("#status").text == '20 questions with "1901".')
    one("#filter").clear()
    one("#filter").send_keys("a", Keys.BACKSPACE)

    one("#system").send_keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    assert until(lambda: "s0 − s1" in one("#map caption").text)
    one("#metric").send_keys(Keys.ARROW_DOWN)
    assert until(lambda: "em of" in one("#map caption").text)
    one("#order").send_keys(Keys.ARROW_DOWN)
    one("#feature").send_keys(Keys.ARROW_DOWN)
    assert until(lambda: "qLen" in one("#map caption").text)
    assert one("#bucket").text == "Questions"

    caption, marked = "#bars caption", "#bars .worst th"
    assert "aLen, em" in [c.text for c in browser.find_elements(By.CSS_SELECTOR, caption)]
    assert "(worst)" in one(marked).text
    one("#system").send_keys(Keys.END)
    assert until(lambda: "share of the questions alone" in one("#map caption").text)
    assert "aLen, share" in [c.text for c in browser.find_elements(By.CSS_SELECTOR, caption)]
    assert browser.find_elements(By.CSS_SELECTOR, marked) == []
    one("#lang").send_keys("Thai")
    assert until(lambda: "n 40" in one("#bars").text or "n 20" in one("#bars").text)

    before = one("html").get_attribute("data-theme")
    one("#theme").send_keys(Keys.ENTER)
    assert one("html").get_attribute("data-theme") != before
    assert [row for row in browser.get_log("browser") if row["level"] == "SEVERE"] == []
