"""A hub on loopback: what huggingface_hub asks for, and a log of the files that it fetched."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

GATED = "Access to model {repo} is restricted and you are not in the authorized list."


class LoopbackHub:
    """Serves the repositories in `folder` (`owner/name/...`); `fetched` are the files got so far.

    `branches` has the commit of a repository's main; by default it is a hash of its name.
    `earlier` are commits that a branch has left.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.fetched: list[str] = []
        self.resolved: list[str] = []
        self.gated: set[str] = set()
        self.branches: dict[str, str] = {}
        self.earlier: set[str] = set()
        self.failure = 0

    def commit(self, repo: str, revision: str = "main") -> str | None:
        """The commit of a branch or of itself; None if there is no such revision."""
        main = self.branches.get(repo) or hashlib.sha1(repo.encode()).hexdigest()
        if revision in self.earlier:
            return revision
        return main if revision in ("main", main) else None

    def files(self, repo: str) -> dict[str, Path]:
        root = self.folder / repo
        return {f.relative_to(root).as_posix(): f for f in root.rglob("*") if f.is_file()}


class Handler(BaseHTTPRequestHandler):
    """The endpoints of models: information, tree and files."""

    protocol_version = "HTTP/1.1"
    hub: LoopbackHub

    def log_message(self, *_: object) -> None:
        pass

    def reply(self, status: int, body: bytes = b"", **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if self.hub.failure:
            message = "Internal Error - We're working hard to fix this as soon as possible!"
            self.reply(self.hub.failure, X_Error_Message=message)
        elif match := re.fullmatch(r"/api/models/([^/]+/[^/]+)(?:/(revision|tree)/([^/]+))?", path):
            self.information(match[1], match[2], match[3] or "main")
        elif match := re.fullmatch(r"/([^/]+/[^/]+)/resolve/([^/]+)/(.+)", path):
            self.file(match[1], match[2], match[3])
        else:
            self.reply(404, X_Error_Code="EntryNotFound", X_Error_Message="Entry not found")

    def information(self, repo: str, kind: str | None, revision: str) -> None:
        files = self.hub.files(repo)
        commit = self.hub.commit(repo, revision)
        if not files:
            message = "Invalid username or password."
            return self.reply(401, X_Error_Code="RepoNotFound", X_Error_Message=message)
        if commit is None:
            message = f"Invalid rev id: {revision}"
            return self.reply(404, X_Error_Code="RevisionNotFound", X_Error_Message=message)
        if kind == "tree":
            body: Any = [
                {"type": "file", "path": name, "oid": _sha(file), "size": file.stat().st_size}
                for name, file in files.items()
            ]
        else:
            if kind is None or revision == "main":
                self.hub.resolved.append(repo)
            siblings = [{"rfilename": name} for name in files]
            body = {"id": repo, "modelId": repo, "sha": commit, "siblings": siblings}
            body |= {"private": False, "tags": [], "downloads": 0}
        return self.reply(200, json.dumps(body).encode(), Content_Type="application/json")

    def file(self, repo: str, revision: str, name: str) -> None:
        file, commit = self.hub.files(repo).get(name), self.hub.commit(repo, revision)
        if repo in self.hub.gated:
            message = GATED.format(repo=repo)
            return self.reply(403, X_Error_Code="GatedRepo", X_Error_Message=message)
        if file is None or commit is None:
            return self.reply(404, X_Error_Code="EntryNotFound", X_Error_Message="Entry not found")
        if self.command == "GET":
            self.hub.fetched.append(name)
        headers = {"ETag": f'"{_sha(file)}"', "X-Repo-Commit": commit}
        return self.reply(200, file.read_bytes(), **headers)


@contextmanager
def serving(hub: LoopbackHub) -> Iterator[str]:
    """The address of the hub while the block runs."""
    handler = type("HubHandler", (Handler,), {"hub": hub})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _sha(file: Path) -> str:
    return hashlib.sha1(file.read_bytes()).hexdigest()
