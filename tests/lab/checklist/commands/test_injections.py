import json
from pathlib import Path

from tests.translation.conftest import service as _service

service = _service


def test_the_table_and_the_file_say_which_cases_failed_and_why(xorqa, service):
    service.replies = ['{"answer": null}', (500, {})]
    done = xorqa(
        "checklist",
        "injections",
        "generate",
        "--set",
        f"reader.endpoint={service.url}",
        "--set",
        "reader.retries=0",
        "--lang",
        "en",
        "--json",
        "injections.json",
    )
    rows = json.loads(Path("injections.json").read_text("utf-8"))["cases"]
    failed = [row for row in rows if row["result"] == "no reply"]
    assert failed
    assert all("500" in row["reason"] for row in failed)
    assert all("reason" not in row for row in rows if row not in failed)
    assert f"no reply to {len(failed)} case" in done.out
    assert failed[0]["id"] in done.out
