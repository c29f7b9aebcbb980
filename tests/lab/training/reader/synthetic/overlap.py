"""Content words, names and frames of checklists, to show that synthetic data share none of them."""

import csv
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[5]
TEMPLATES = Path("shared/data/multichecklist/checklist_templates.tsv")
CANDIDATES = [ROOT.parent / TEMPLATES, ROOT.parents[1] / TEMPLATES]  # the second: of a worktree
SHEET = next((path for path in CANDIDATES if path.exists()), CANDIDATES[0])

FUNCTION_WORDS = frozenset(Path(__file__).with_name("function_words.txt").read_text().split())
"""Words that are no content words: articles, pronouns, question words, numerals, prepositions,
conjunctions, pro-adverbs, auxiliaries and negation, and the words of degree that every comparison
needs. Adverbs of degree other than `very` (slightly, extremely) count as content words."""

WORD = re.compile(r"[^\W\d_]+")
PLACEHOLDER = re.compile(r"\{[^{}]*\}")
ENDINGS = ("s", "es", "d", "ed", "ing", "r", "er", "st", "est", "ly", "ness", "y")


def words(text):
    """The content words of a text whose placeholders are removed."""
    return set(WORD.findall(PLACEHOLDER.sub(" ", text).lower())) - FUNCTION_WORDS


def related(word):
    """The word and the shorter words that it may be an inflection of: heavier, heavi, heavy."""
    stems = {word.removesuffix(end) for end in ENDINGS if word.endswith(end)}
    stems |= {stem[:-1] for stem in stems if len(stem) > 2 and stem[-1] == stem[-2]}
    stems |= {f"{stem[:-1]}y" for stem in stems if stem.endswith("i")}
    stems |= {f"{stem}e" for stem in stems if len(stem) > 2}
    return {word, *(stem for stem in stems if len(stem) > 2)} - FUNCTION_WORDS


def frames(text):
    """The sentences of a template without placeholders, articles, punctuation and case."""
    sentences = re.split(r"(?<=[.?!])\s+|\|", text)
    stripped = (WORD.findall(PLACEHOLDER.sub(" ", one).lower()) for one in sentences if one.strip())
    return {" ".join(word for word in one if word not in ("a", "an", "the")) for one in stripped}


def checklist_texts():
    """All texts of the English checklist's cases: words, asides, contexts, questions, answers."""
    table = _checklist("en")
    lists = [row for of in table["words"].values() for key, row in of.items() if key != "forms"]
    templates = [template for test in table["tests"] for template in test["templates"]]
    return list(strings([lists, table["asides"], templates]))


def checklist_frames():
    """The frames of the English checklist."""
    tests = _checklist("en")["tests"]
    texts = [text for test in tests for part in test["templates"] for text in strings(part)]
    return {frame for text in texts for frame in frames(text)}


def checklist_names():
    """The names of persons in all languages, in lower case, as text and as id."""
    found = set()
    for path in sorted((ROOT / "checklists").glob("*.toml")):
        for key, forms in tomllib.loads(path.read_text("utf-8"))["words"]["name"].items():
            found |= (
                {key.lower(), *(one.lower() for one in strings(forms))} if key != "forms" else set()
            )
    return found


def official_rows():
    """The English rows of the official table: field and text."""
    with SHEET.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t"))
    return [(row[0].strip(), row[1].strip()) for row in rows[1:] if row[0].strip()]


def official_texts():
    """All English texts of cases: templates and fill-ins."""
    return [text for field, text in official_rows() if field not in ("Name", "Capability")]


def official_frames():
    """The English frames of contexts and questions."""
    texts = [text for field, text in official_rows() if field in ("Context", "Question")]
    return {frame for text in texts for frame in frames(text)}


def _checklist(lang):
    return tomllib.loads((ROOT / "checklists" / f"{lang}.toml").read_text("utf-8"))


def strings(value):
    """All strings in a value of TOML, without the keys."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from strings(one)
    elif isinstance(value, list):
        for one in value:
            yield from strings(one)
