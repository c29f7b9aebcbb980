"""The files of docs/deploy: no container engine runs them, so their parts are checked."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

import pytest

from tests.test_docs import ROOT, check

yaml: Any = pytest.importorskip("yaml")

DEPLOY = ROOT / "docs" / "deploy"
DOCKERFILE = (DEPLOY / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))


def test_the_image_copies_what_exists_and_installs_extras_that_exist() -> None:
    copied = re.findall(r"^COPY (.+) \S+$", DOCKERFILE, re.MULTILINE)
    assert all((ROOT / name).exists() for names in copied for name in names.split())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    [extras] = re.findall(r'"\.\[(.+)\]"', DOCKERFILE)
    assert set(extras.split(",")) <= project["optional-dependencies"].keys()
    assert project["requires-python"] == ">=3.11" and "FROM python:3.11-slim" in DOCKERFILE


def test_the_image_runs_a_server_as_a_user_without_privileges() -> None:
    assert DOCKERFILE.index("USER xorqa") < DOCKERFILE.index("ENTRYPOINT")
    entry, arguments = (
        json.loads(re.search(rf"^{name} (.+)$", DOCKERFILE, re.MULTILINE)[1])  # type: ignore[index]
        for name in ("ENTRYPOINT", "CMD")
    )
    check(" ".join([*entry, *arguments]))
    *_, code = json.loads(re.search(r"HEALTHCHECK .*? CMD +(\[.*\])", DOCKERFILE)[1])  # type: ignore[index]
    compile(code, "HEALTHCHECK", "exec")
    assert "/health" in code


def test_the_services_call_the_command_line_and_the_cluster() -> None:
    server, cluster = COMPOSE["services"]["xorqa"], COMPOSE["services"]["elasticsearch"]
    check(f"xorqa {server['command']}")
    assert (DEPLOY / server["build"]["context"] / server["build"]["dockerfile"]).is_file()
    assert server["environment"]["XORQA_ELASTIC_URL"] == "http://elasticsearch:9200"
    assert server["depends_on"]["elasticsearch"]["condition"] == "service_healthy"
    assert "healthcheck" in cluster and "ports" not in cluster
    named = {v.split(":")[0] for s in (server, cluster) for v in s["volumes"] if v[0] != "."}
    assert named == COMPOSE["volumes"].keys()
