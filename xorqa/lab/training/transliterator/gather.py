"""Gather pairs of names in English and another script, to train a transliterator."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

from ....io.files import write_json, write_text
from ..common.training_data import Pair
from . import name_sources
from .name_sources import Names
from .spelling import is_transliteration, is_written_in, preference, words_of

OUTCOMES = ("kept", "other script", "translated", "duplicate")


def gather_names(
    out: Path, sources: Iterable[tuple[str, Names]] | None = None
) -> dict[str, dict[str, int]]:
    """Write the pairs of all sources in one TSV with counts beside it; returns the counts.

    A line has the language, the name, "en" and the English name; words are separated by single
    spaces. Of the names of a place in one language, only the one that most places of the same
    English name have is kept.
    """
    if sources is None:
        sources = [(name, getattr(name_sources, name)()) for name in name_sources.SOURCES]
    counts: dict[str, dict[str, int]] = {}
    pairs: dict[Pair, None] = {}
    for source, names in sources:
        count = counts.setdefault(source, dict.fromkeys(OUTCOMES, 0))
        of_source = chosen(names, count)
        count["duplicate"] += sum(pair in pairs for pair in of_source)
        pairs |= dict.fromkeys(of_source)
        count["kept"] = len(pairs) - sum(other["kept"] for other in counts.values())
    write_text(out, "".join("\t".join(pair) + "\n" for pair in sorted(pairs)))
    per_lang = Counter(pair[0] for pair in pairs)
    write_json(out.with_suffix(".json"), {"sources": counts, "languages": dict(per_lang)})
    return counts


def chosen(names: Names, count: dict[str, int]) -> list[Pair]:
    """One pair per language and English name; `count` receives the outcomes of the others."""
    forms: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for lang, english, others in names:
        written = [" ".join(words_of(name)) for name in others if is_written_in(lang, name)]
        alike = [name for name in written if is_transliteration(english, name)]
        count["other script"] += not written
        count["translated"] += bool(written) and not alike
        if alike:
            name = min(alike, key=preference(lang, english))
            forms[lang, " ".join(words_of(english))][name] += 1
    count["duplicate"] += sum(of_name.total() - 1 for of_name in forms.values())
    return [
        (lang, min(of_name, key=lambda name: (-of_name[name], name)), "en", english)
        for (lang, english), of_name in forms.items()
    ]
