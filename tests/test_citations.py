"""Places in papers are cited as citations.toml lists them, and links go to the papers they name."""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAPERS = tomllib.loads(Path(__file__).with_name("citations.toml").read_text(encoding="utf-8"))
NAMES = {name: key for key, paper in PAPERS.items() for name in (key, *paper.get("names", ()))}
# Their places are those of `xorqa paper`, too.
OF_ROWS = ("XOR QA", "LAReQA", "MLQA", "XTREME-R", "Backretrieval")
LABELS = NAMES | {paper["title"].partition(":")[0]: key for key, paper in PAPERS.items()}
LINKS = {paper["link"]: key for key, paper in PAPERS.items() if "link" in paper}
PLACES_OF_ROWS = ROOT / "xorqa" / "lab" / "papers"  # checked with the rows: each file has one paper
FILES = sorted(
    chain(
        *(ROOT.glob(pattern) for pattern in ("*.md", "docs/*.md", "notebooks/*.py")),
        (ROOT / "notebooks" / "README.md", ROOT / "CITATION.cff"),
        *(
            (
                path
                for path in (ROOT / "xorqa").rglob(f"*.{kind}")
                if PLACES_OF_ROWS not in path.parents
            )
            for kind in ("py", "pyi", "md", "toml", "html")
        ),
    )
)

_KINDS = {"§": "section", "se": "section", "ta": "table", "fi": "figure", "eq": "equation"}
_NUMBER = r"(?-i:[A-Z](?:\.\d+)*\b|\d+(?:\.\d+)*)"
_PLACES = re.compile(
    r"(?:\b(?P<kind>sections?|secs?\.|tables?|figures?|figs?\.|equations?|eqs?\.|appendix|appendices)\s|§\s*)"
    rf"(?P<numbers>{_NUMBER}(?:(?:,? and|,? to|,|–|-)\s*{_NUMBER})*)",
    re.IGNORECASE,
)
_PAPER = re.compile("|".join(map(re.escape, sorted(NAMES, key=len, reverse=True))))
_URL = re.compile(r"https://(?:aclanthology\.org|arxiv\.org|doi\.org)/[\w./-]+")
_LINK = re.compile(rf"\[([^\]]+)\]\(({_URL.pattern})\)")


@cache
def prose(path: Path) -> str:
    """A file's text as one line, without the marks of comments and between strings."""
    return one_line(path.read_text(encoding="utf-8"))


def one_line(text: str) -> str:
    text = re.sub(r'"\s*\n\s*f?"', "", text)
    text = re.sub(r"\n\s*#+ ?", " ", text)
    return re.sub(r"\s+", " ", text).replace("et al. (", "et al. ")


def cited(text: str) -> Iterator[tuple[str | None, str]]:
    """The paper and the place of each citation, like ("XOR QA", "table 8").

    The paper is the one that follows with "of", or else the last one named before.
    """
    papers = [(found.start(), NAMES[found[0]]) for found in _PAPER.finditer(text)]
    for found in _PLACES.finditer(text):
        after = _PAPER.match(text, found.end() + len(" of "))
        if after and text.startswith(" of ", found.end()):
            paper: str | None = NAMES[after[0]]
        else:
            paper = next((name for start, name in reversed(papers) if start < found.start()), None)
        kind = _KINDS.get((found["kind"] or "§")[:2].lower(), "appendix")
        for number in numbers(found["numbers"]):
            yield paper, f"{kind} {number}"


def numbers(text: str) -> Iterator[str]:
    """The numbers of a list like "3.1 to 3.3" or "7 and 15 to 17", ranges filled in."""
    for part in re.split(r",? and |,\s*", text):
        first, *last = re.split(r"\s*(?:to|–|-)\s*", part)
        yield first
        stem, dot, start = first.rpartition(".")
        for number in range(int(start) + 1, int(last[0].rpartition(".")[2]) + 1) if last else ():
            yield f"{stem}{dot}{number}"


def unlisted(text: str) -> list[tuple[str | None, str]]:
    return [
        (paper, place)
        for paper, place in cited(text)
        if paper is None or place not in PAPERS[paper].get("places", {})
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("LAReQA, Table 8", [("LAReQA", "table 8")]),
        ("MLQA (Lewis et al. 2020, sections 4 and 5.1)", ["section 4", "section 5.1"]),
        (
            "Asai et al. (2021, Tables 7 and 15 to 17)",
            ["table 7", *(f"table {n}" for n in (15, 16, 17))],
        ),
        ("# MLQA,\n#   sections 3.1 to 3.3", ["section 3.1", "section 3.2", "section 3.3"]),
        ("XOR QA. As Figure 4 of Roy et al. 2020", [("LAReQA", "figure 4")]),
        ('"(Roy et al. "\n    "2020, Fig. 5)"', [("LAReQA", "figure 5")]),
        ("MLQA, appendix A.4, equation 1", ["appendix A.4", "equation 1"]),
        ("MLQA, appendices A and B.2", ["appendix A", "appendix B.2"]),
        ("DPR, § 6.1", [("DPR", "section 6.1")]),
        ("a table of 8 rows, section by section", []),
        ("the paper's Table 3", [(None, "table 3")]),
    ],
)
def test_citations_are_found(text, expected):
    found = list(cited(one_line(text)))
    assert [
        one if isinstance(want, tuple) else one[1]
        for one, want in zip(found, expected, strict=True)
    ] == expected


def test_a_place_that_is_not_listed_is_reported():
    assert unlisted("XOR QA, section 5 and Table 8") == [("XOR QA", "section 5")]
    assert unlisted("MLQA, sections 4.1 and 4.2; XTREME-R, Table 99") == [
        ("MLQA", "section 4.2"),
        ("XTREME-R", "table 99"),
    ]


def test_places_in_papers_are_listed():
    wrong = {str(path.relative_to(ROOT)): bad for path in FILES if (bad := unlisted(prose(path)))}
    assert not wrong, "look each place up in its paper, then add it to tests/citations.toml"


def test_every_listed_place_is_cited():
    places = {(key, place) for key, paper in PAPERS.items() for place in paper.get("places", ())}
    found = set(chain.from_iterable(cited(prose(path)) for path in FILES))
    assert found <= places
    assert {place for place in places - found if place[0] not in OF_ROWS} == set()


def test_links_go_to_the_papers_they_name():
    seen = set()
    for path in FILES:
        text = prose(path)
        for url in _URL.findall(text):
            assert url.rstrip("/.") in LINKS, (path.name, url)
            seen.add(url.rstrip("/."))
        for name, url in _LINK.findall(text):
            assert LABELS.get(name) == LINKS[url.rstrip("/")], (path.name, name, url)
    assert seen == set(LINKS)


def test_the_citation_file_has_the_titles_and_links():
    text = prose(ROOT / "CITATION.cff")
    entries = re.findall(r'title: "([^"]+)" authors:.*?url: (\S+)', text)
    assert len(entries) == 5
    for title, url in entries:
        assert PAPERS[LINKS[url.rstrip("/")]]["title"] == title
