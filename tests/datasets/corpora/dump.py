"""A made-up Wikipedia dump in three scripts: `python dump.py OUT.xml[.bz2] MEGABYTES [SEED]`."""

from __future__ import annotations

import bz2
import random
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

LETTERS = {
    "fi": "aehiklmnoprstuvyäö",
    "ar": "ابتثجحخدذرزسشصضطظعغفقكلمنهوي",
    "te": "కగచజటడణతదనపబమయరలవసహ",
}
HEAD = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="fi">
  <siteinfo><sitename>Made up</sitename><namespaces>
    <namespace key="0" case="first-letter" /><namespace key="1">Keskustelu</namespace>
    <namespace key="6">Tiedosto</namespace><namespace key="14">Luokka</namespace>
  </namespaces></siteinfo>
"""
TAIL = "</mediawiki>\n"
LINKS = {"en": "Place", "sv": "Ort", "ru": "Место"}


def pages(seed: int = 1) -> Iterator[str]:
    """Page elements without end, the same for the same seed."""
    rng = random.Random(seed)
    number = 0
    while True:
        number += 1
        word = _words(rng, list(LETTERS)[number % 3])
        title = f"{next(word)} {number}"
        if number % 5 == 0:
            yield page(number, title, "#REDIRECT [[Elsewhere]]", redirect=f"Place {number - 1}")
        elif number % 7 == 0:
            yield page(number, f"Keskustelu:{title}", "Talk.", namespace=1)
        else:
            yield page(number, title, _article(rng, word, number))


def page(number: int, title: str, text: str, *, redirect: str = "", namespace: int = 0) -> str:
    """One page as MediaWiki exports it."""
    target = f"<redirect title={quoteattr(redirect)} />" if redirect else ""
    return (
        f"  <page><title>{escape(title)}</title><ns>{namespace}</ns><id>{number}</id>{target}\n"
        f"    <revision><id>{number}9</id><model>wikitext</model>"
        f'<text xml:space="preserve">{escape(text)}</text></revision></page>\n'
    )


def write_dump(path: Path, size: int, *, seed: int = 1) -> None:
    """A dump of at least `size` bytes of XML, packed if the name says so."""
    packed = path.suffix == ".bz2"
    with path.open("wb") as raw, bz2.open(raw, "wb") if packed else nullcontext(raw) as stream:
        written = stream.write(HEAD.encode())
        for element in pages(seed):
            if written >= size:
                break
            written += stream.write(element.encode())
        stream.write(TAIL.encode())


def _words(rng: random.Random, lang: str) -> Iterator[str]:
    known = ["".join(rng.choices(LETTERS[lang], k=rng.randint(2, 9))) for _ in range(400)]
    while True:
        yield known[min(int(rng.expovariate(0.01)), 399)]


def _article(rng: random.Random, word: Iterator[str], number: int) -> str:
    def some(least: int, most: int) -> str:
        return " ".join(next(word) for _ in range(rng.randint(least, most)))

    parts = [
        f"{{{{Infobox|name={some(1, 2)}|born={{{{date|{{{{SECRET}}}}}}}}}}}}\n",
        f"'''{some(1, 2)}''' ({{{{lang|SECRET}}}}) ",
    ]
    for depth in range(rng.randint(2, 8)):
        for _ in range(rng.randint(1, 4)):
            parts.append(
                f"{some(15, 60)} [[{next(word)}|''{next(word)}'']] {some(10, 40)}."
                f'<ref name="n">{{{{cite|SECRET {some(3, 8)}}}}}</ref> {some(5, 30)}.'
                f"<!-- SECRET {some(1, 4)} --> "
            )
        parts.append(f"\n[[Tiedosto:X.jpg|thumb|SECRET [[{next(word)}]]]]\n")
        parts.append('{| class="wikitable"\n! SECRET !! b\n|-\n| 1 || {{t|2}}\n|}\n')
        marks = "=" * (2 + depth % 2)
        parts.append(f"{marks} {some(1, 3)} {marks}\n")
    links = "".join(f"[[{code}:{name} {number}]]\n" for code, name in LINKS.items())
    return "".join([*parts, some(5, 20), "\n[[Luokka:SECRET]]\n", links])


if __name__ == "__main__":
    write_dump(Path(sys.argv[1]), int(float(sys.argv[2]) * 1e6), seed=int((sys.argv[3:] or [1])[0]))
