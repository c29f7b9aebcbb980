"""Parallel sentences with the passages they are in, from the output of `xorqa mine`."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from ...core.errors import ConfigError, DataError
from ...core.lang import language
from ...core.text.sentences import split_sentences
from ...datasets.corpus import Corpus
from ...io.files import read_lines, write_jsonl
from .tasks import stored_rows

FILE = "sentences.jsonl"


@dataclass(frozen=True, slots=True)
class Context:
    """A passage, and the sentence in it (characters `start` to `end`)."""

    docid: str
    title: str
    text: str
    start: int
    end: int

    @property
    def sentence(self) -> str:
        """The sentence's text."""
        return self.text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Unit:
    """Sentences that are parallel, each in its passage, by language."""

    id: str
    contexts: Mapping[str, Context]


def read_parallel(path: Path, langs: Sequence[str] | None) -> list[dict[str, str]]:
    """The sentences, or their ids, of each line by language, as `xorqa mine` writes them.

    Without a header (mined without `--pivot`) a line is a score and two texts in `langs`.

    Raises:
        ConfigError: without `langs` for a file that needs them, or for an unknown language.
        DataError: if the file cannot be read, or naming a line with another number of fields.
    """
    lines = read_lines(path)
    header = lines[0].split("\t") if lines else []
    with_header = header[:1] == ["score"]
    names = header[1:] if with_header else langs
    if not names:
        raise ConfigError(f"{path} does not name its languages; use --langs en,fi")
    codes = [language(name).code for name in names]
    rows = []
    for number, line in enumerate(lines[with_header:], 1 + with_header):
        cells = line.split("\t")
        if len(cells) != 1 + len(codes):
            raise DataError(
                f"{path}, line {number}: needs a score and {len(codes)} texts, separated by tabs"
            )
        rows.append({code: text for code, text in zip(codes, cells[1:], strict=True) if text})
    return rows


def make_units(
    rows: Iterable[Mapping[str, str]], corpora: Mapping[str, Corpus], *, pivot: str
) -> tuple[list[Unit], int]:
    """Find the passages of parallel sentences; also the number of sentences without one.

    A cell is a sentence, up to white space, or its id, DOCID#NUMBER. In a language without a
    corpus the sentence is its own passage. Lines without the pivot, or in one language, are left
    out.
    """
    places = {lang: _places(corpus, lang) for lang, corpus in corpora.items()}
    units: list[Unit] = []
    lost = 0
    for row in rows:
        name = f"s{len(units) + 1:05d}"
        contexts = {}
        for lang, text in row.items():
            own = Context(f"{name}.{lang}", "", text, 0, len(text))
            context = places[lang].get(" ".join(text.split())) if lang in places else own
            lost += context is None
            if context is not None:
                contexts[lang] = context
        if pivot in contexts and len(contexts) > 1:
            units.append(Unit(name, contexts))
    return units, lost


def write_units(folder: Path, units: Iterable[Unit]) -> None:
    """Store the units of a data set in construction."""
    write_jsonl(folder / FILE, map(asdict, units))


def read_units(folder: Path) -> dict[str, Unit]:
    """The stored units, by id.

    Raises:
        ConfigError: if there are none.
        DataError: if the file is damaged.
    """
    path = folder / FILE
    if not path.exists():
        raise ConfigError(f"{folder} has no {FILE}; export the round 'question' first")
    return {unit.id: unit for unit in stored_rows(path, Unit)}


def _places(corpus: Corpus, lang: str) -> dict[str, Context]:
    """The passage of each sentence, by its text and by its id; the first of equal texts counts."""
    places: dict[str, Context] = {}
    for passage in corpus:
        for number, span in enumerate(split_sentences(passage.text, lang), 1):
            context = Context(passage.docid, passage.title, passage.text, span.start, span.end)
            places.setdefault(f"{passage.docid}#{number}", context)
            places.setdefault(" ".join(context.sentence.split()), context)
    return places
