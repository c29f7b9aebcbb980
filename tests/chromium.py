"""Debian's Chromium, headless, for tests of HTML pages."""

import shutil
import time

import pytest


def open_chromium():
    """A browser that logs errors of the console; skips the test where there is no Chromium."""
    selenium = pytest.importorskip("selenium.webdriver")
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not chromium or not driver:
        pytest.skip("needs chromium and chromedriver")
    options = selenium.ChromeOptions()
    options.binary_location = chromium
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1200,900"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = selenium.chrome.service.Service(driver)
    return selenium.Chrome(options=options, service=service)


def until(condition, seconds=60):
    """Wait for a condition to hold, and return its value."""
    stop = time.monotonic() + seconds
    while not (value := condition()) and time.monotonic() < stop:
        time.sleep(0.1)
    return value
