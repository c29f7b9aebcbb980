"""A page of another origin in headless Chromium that calls a server in every way it can."""

import re
import shutil
import subprocess
import threading
from collections import Counter
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from tempfile import TemporaryDirectory

from .requests import SECONDS, Address

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
COUNTED = re.compile(r'xorqa_requests_total\{route="(/[^"]*)",status="(\d+)"\} (\d+)')
PAGE = """<!DOCTYPE html><title>attack</title><iframe name="frame"></iframe><script>
const read = [];
async function send(url, options) {
  try {
    const reply = await fetch(url, { credentials: "include", ...options });
    if (reply.type !== "opaque") read.push(url);
  } catch { }
}
async function attack(server) {
  const text = { method: "POST", body: "A text.", headers: { "Content-Type": "text/plain" } };
  for (let i = 0; i < 5; i++) await send(server + "/corpora", { ...text, mode: "no-cors" });
  await send(server + "/corpora", text);
  await send(server + "/ask", { ...text, mode: "no-cors" });
  await send(server + "/ask", { ...text, headers: { "Content-Type": "application/json" } });
  await send(server + "/corpora/CORPUS", { method: "DELETE" });
  await send(server + "/about", {});
  navigator.sendBeacon(server + "/corpora", new Blob(["A text."], { type: "text/plain" }));
  const form = document.createElement("form");
  Object.assign(form, { action: server + "/corpora", method: "POST", enctype: "text/plain" });
  form.target = "frame";
  form.append(Object.assign(document.createElement("input"), { name: "a", value: "text" }));
  document.body.append(form);
  form.submit();
  await new Promise(resolve => setTimeout(resolve, 1000));
}
(async () => {
  for (const host of ["localhost", "127.0.0.1"]) await attack(`http://${host}:PORT`);
  await fetch("/done", { method: "POST", body: read.join(" ") });
})();
</script>"""


def find_chromium() -> str | None:
    """The path of a Chromium, or None."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


def attack_by_page(chromium: str, address: Address, corpus: str) -> tuple[Counter[int], str]:
    """Open the page; returns what the server counted by status, and what the page could read.

    `corpus` is an uploaded corpus that the page tries to remove.

    Raises:
        TimeoutError: if the page does not end.
    """
    done, read = threading.Event(), []
    page = PAGE.replace("PORT", str(address[1])).replace("CORPUS", corpus).encode()

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(page)))
            self.end_headers()
            self.wfile.write(page)

        def do_POST(self) -> None:
            read.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
            self.send_response(204)
            self.end_headers()
            done.set()

        def log_message(self, format: str, *args: object) -> None:
            pass

    before = _counted(address)
    site = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    options = ("--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run")
    with TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        url = f"http://127.0.0.1:{site.server_port}/"
        browser = subprocess.Popen(
            [chromium, *options, f"--user-data-dir={profile}", url],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            if not done.wait(SECONDS):
                raise TimeoutError("the page in Chromium did not end")
        finally:
            browser.kill()
            browser.wait()
            site.shutdown()
            site.server_close()
    return _counted(address) - before, " ".join(read)


def _counted(address: Address) -> Counter[int]:
    """The requests to routes that a page may call, by their status."""
    connection = HTTPConnection(*address, timeout=SECONDS)
    connection.request("GET", "/metrics")
    text = connection.getresponse().read().decode()
    connection.close()
    rows = COUNTED.findall(text)
    counts: Counter[int] = Counter()
    for route, status, number in rows:
        if route in {"/corpora", "/ask"}:
            counts[int(status)] += int(number)
    return counts
