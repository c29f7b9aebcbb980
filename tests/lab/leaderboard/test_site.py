"""The site: without other resources, escaped; in headless Chromium, usable by keyboard."""

import csv
import io
import json
import re

import pytest

from tests.chromium import open_chromium, until
from tests.lab.diagnosis.made_up import random_data
from tests.lab.diagnosis.test_page import Tags
from tests.lab.leaderboard.systems import write_metadata, write_system
from xorqa.io.files import write_text
from xorqa.lab.diagnosis.diagnosis import diagnose_data
from xorqa.lab.diagnosis.page import diagnosis_page
from xorqa.lab.diagnosis.page_data import read_page
from xorqa.lab.leaderboard.entries import read_systems
from xorqa.lab.leaderboard.from_papers import published_systems
from xorqa.lab.leaderboard.leaderboard import make_leaderboard
from xorqa.lab.leaderboard.site import diagnose_systems, write_site
from xorqa.metrics.significance import Settings

ATTACK = "<script>document.title = 'attacked'</script>"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A site of three systems, one of which is called like a script, and a rejected one."""
    folder, out = tmp_path_factory.mktemp("systems"), tmp_path_factory.mktemp("site")
    write_system(folder / "good", 0.9, model="good")
    write_system(folder / "large", 0.5, model="large", parameters=560_000_000)
    write_system(folder / "evil", 0.4, model=ATTACK, services=["=1+1"])
    page = diagnosis_page(diagnose_data(random_data(4), settings=Settings(samples=50)))
    write_text(folder / "good" / "diagnosis.html", page.replace("<main>", f"<main>{ATTACK}"))
    other = diagnosis_page(diagnose_data(random_data(5), settings=Settings(samples=50)))
    write_text(folder / "large" / "diagnosis.html", other)
    write_metadata(folder / "bad", model=f"bad {ATTACK}")
    systems, rejected = read_systems(folder)
    pages = diagnose_systems(systems, out)
    assert not pages.missing
    rows = [*systems, *published_systems()]
    write_site(make_leaderboard(rows, rejected, Settings(samples=200)), out, pages)
    return out


def test_the_page_loads_only_files_beside_it_and_is_labelled(site):
    text = (site / "index.html").read_text(encoding="utf-8")
    parsed = Tags(text)
    for tag, attributes in parsed.tags:
        address = attributes.get("src") or attributes.get("href")
        if address:
            assert (site / address).is_file(), (tag, address)
    assert "<style" not in text and "onclick" not in text
    assert re.findall(r"<script(?![^>]*src)[^>]*>", text) == [
        '<script type="application/json" id="data">'
    ]
    assert parsed.unlabelled == []
    files = [site / name for name in ("leaderboard.js", "leaderboard.css", "interactive.js")]
    assert not [f for f in files if re.search(r"https?://|@import|url\(|eval", f.read_text())]


def test_everything_is_escaped(site):
    text = (site / "index.html").read_text(encoding="utf-8")
    assert ATTACK not in text and "bad &lt;script&gt;" in text
    data = json.loads(re.search(r'id="data">(.*)</script>', text)[1])
    xquad = next(board for board in data["boards"] if board["name"] == "xquad")
    assert [row["metadata"]["model"] for row in xquad["rows"]][:3] == ["good", "large", ATTACK]
    assert data == json.loads((site / "leaderboard.json").read_text(encoding="utf-8"))


def test_the_csv_has_a_line_for_each_value(site):
    rows = [*csv.DictReader(io.StringIO((site / "leaderboard.csv").read_text(encoding="utf-8")))]
    of = {(row["system"], row["scorer"], row["language"], row["metric"]): row for row in rows}
    mean = of["large", "official", "mean", "f1"]
    assert (mean["rank"], mean["above"], mean["parameters"]) == ("2", "good", "560000000")
    assert of["evil", "strict", "fi", "em"]["black_box"] == "'=1+1"
    assert of["mlqa-xlm", "official", "hi", "f1"]["value"] == "48.8"


def test_systems_over_the_same_questions_have_a_page_together(site):
    boards = json.loads((site / "leaderboard.json").read_text(encoding="utf-8"))["boards"]
    rows = next(board["rows"] for board in boards if board["name"] == "xquad")
    together = {row["system"]: row["pairs"] for row in rows if row["pairs"]}
    assert together == dict.fromkeys(("good", "large"), "diagnosis/pairs/1.html")
    data = read_page(site / together["good"])
    assert list(data.systems) == ["good", "large"]
    singles = [read_page(site / "diagnosis" / f"{name}.html") for name in data.systems]
    assert [list(row) for row in data.values] == [list(page.values[0]) for page in singles]


@pytest.fixture(scope="module")
def browser():
    driver = open_chromium()
    yield driver
    driver.quit()


@pytest.mark.slow
def test_the_site_in_a_browser(site, browser):
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys

    def one(css):
        return browser.find_element(By.CSS_SELECTOR, css)

    def models():
        elements = browser.find_elements(By.CSS_SELECTOR, "#board tbody strong")
        return [element.text for element in elements]

    def press(*keys):
        browser.switch_to.active_element.send_keys(*keys)

    browser.get((site / "index.html").as_uri() + "#xquad")
    assert until(lambda: one("html").get_attribute("data-ready"))
    translated = [f"mBERT, {way}translate-train" for way in ("multilingual ", "")]
    assert models() == [
        *("good", "large", ATTACK, "Human performance", "mT5-XXL, multilingual translate-train"),
        *("mT5-XXL", "XLM-R Large", *translated, "mBERT"),
    ]
    assert browser.title == "Leaderboard"
    assert "against good" in one("#board tbody tr:nth-child(2)").text
    assert one("#board a").get_attribute("href").endswith("diagnosis/good.html")

    assert "to English" in one("#board thead").text and "to people" in one("#board thead").text
    assert one("#board tbody tr:nth-child(4)").text.startswith("–")  # people are not ranked

    one("#rank").send_keys("Chinese")  # from here on, keys only
    assert until(lambda: models() == ["mT5-XXL", *translated, "mBERT", "XLM-R Large"])
    assert one("#board tbody tr:nth-child(5)").text.startswith("5")
    one("#rank").send_keys(Keys.HOME)
    assert until(lambda: len(models()) == 10)
    one("#open").send_keys(Keys.SPACE)
    assert until(lambda: one("#status").text == "6 of 10 rows") and ATTACK not in models()
    one("#parameters").send_keys("200")
    assert until(lambda: models() == ["good", "mBERT"])
    one("#parameters").send_keys(Keys.BACKSPACE * 3)
    one("#kind").send_keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    assert until(lambda: models() == ["Human performance", "mT5-XXL", "XLM-R Large", "mBERT"])
    one("#kind").send_keys(Keys.HOME)
    assert until(lambda: len(models()) == 6)
    one("#search").send_keys("squad v1.1", Keys.TAB)

    for _ in range(12):  # to the button that sorts by model
        if browser.switch_to.active_element.text.startswith("model"):
            break
        press(Keys.TAB)
    press(Keys.ENTER)
    assert until(lambda: models() == ["good", "large", "mBERT", "mT5-XXL", "XLM-R Large"])
    assert one("#board th[aria-sort]").get_attribute("aria-sort") == "ascending"
    press(Keys.ENTER)
    assert until(lambda: models()[0] == "XLM-R Large")
    assert one("#board th[aria-sort]").get_attribute("aria-sort") == "descending"

    one("#by").send_keys(Keys.ARROW_DOWN)
    assert until(lambda: "Afro-Asiatic" in one("#board thead").text)
    one("#task").send_keys(Keys.ARROW_DOWN)
    assert until(lambda: "MLQA, in percent" in one("#board caption").text)
    assert one("#board tbody tr").text.startswith("1")

    before = one("html").get_attribute("data-theme")
    one("#theme").send_keys(Keys.ENTER)
    assert one("html").get_attribute("data-theme") != before
    assert [row for row in browser.get_log("browser") if row["level"] == "SEVERE"] == []


@pytest.mark.slow
def test_a_page_made_again_in_a_browser(site, browser):
    browser.get((site / "diagnosis" / "good.html").as_uri())
    assert until(lambda: browser.find_element("css selector", "html").get_attribute("data-ready"))
    assert browser.title == "Diagnosis: good"
    assert browser.find_elements("css selector", "#map button")
    assert [row for row in browser.get_log("browser") if row["level"] == "SEVERE"] == []


@pytest.mark.slow
def test_a_site_without_ranked_systems_in_a_browser(tmp_path, browser):
    write_site(make_leaderboard([]), tmp_path)
    browser.get((tmp_path / "index.html").as_uri())
    assert until(lambda: browser.find_element("css selector", "html").get_attribute("data-ready"))
    for name in ("by", "search"):
        browser.find_element("id", name).send_keys("s")
    assert browser.find_element("id", "status").text == "No system is ranked."
    assert [row for row in browser.get_log("browser") if row["level"] == "SEVERE"] == []


@pytest.mark.slow
def test_pairs_and_years_in_a_browser(site, browser):
    from selenium.webdriver.common.by import By

    def one(css):
        return browser.find_element(By.CSS_SELECTOR, css)

    browser.get((site / "index.html").as_uri() + "#xquad")
    assert until(lambda: one("html").get_attribute("data-ready"))
    pairs = one("#board a + a").get_attribute("href")
    assert pairs.endswith("diagnosis/pairs/1.html")
    one("#year").send_keys("2021")
    assert until(lambda: one("#status").text == "7 of 10 rows")
    assert "large" not in one("#board").text

    browser.get(pairs)
    assert until(lambda: one("html").get_attribute("data-ready"))
    assert "good − large" in one("#system").text
    assert [row for row in browser.get_log("browser") if row["level"] == "SEVERE"] == []
