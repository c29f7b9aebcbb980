"""Which words of a table the tokens of a text are."""

import re
from bisect import bisect, bisect_left
from collections.abc import Collection, Container, Sequence
from functools import cached_property
from itertools import takewhile
from unicodedata import decimal

from ..core.text.phrases import Phrases
from ..core.text.search_tokens import in_bigrams
from ..core.text.stems import stem

VERSION = 1
"""Increased whenever a token may become another word."""

LINKS = {"de": ("", "s", "es", "n", "en"), "fi": ("",), "sv": ("", "s")}
"""What joins the parts of a compound, in languages that write it as one word."""

SHORTEST_PART, LONGEST = 4, 50  # characters of a part and of a compound
SHORTEST, SHARED = 5, 0.65  # characters that similar words begin with, and the share of each word
_NUMBER = re.compile(r"\d+")


class KnownWords:
    """The words of a language in a table: stems, tokens as they are, and several tokens.

    A token is a word by its stem or as it is. Another one that begins with a number is that number;
    else it is two words, if it is a compound of them; else the one that begins most like it, if the
    difference may be an ending.
    """

    def __init__(self, words: Collection[str], lang: str) -> None:
        self.words, self.lang = words, lang
        self._phrases = Phrases(words)

    def placed(self, tokens: Sequence[str], same: Container[str] = ()) -> list[tuple[str, int]]:
        """The words in order, with the position of the first token of each.

        A token that is none, or that is in `same` but not in the table, is a word as it is.
        """
        found = [(word, at) for at, token in enumerate(tokens) for word in self._of(token, same)]
        words, places = [word for word, _ in found], [at for _, at in found]
        return [(word, places[at]) for word, at in self._phrases.placed(words)]

    def _of(self, token: str, same: Container[str]) -> list[str]:
        known = (one for one in (stem(token, self.lang), token) if one in self._phrases.parts)
        if word := next(known, token if token in same else ""):
            return [word]
        if number := _NUMBER.match(token):
            return ["".join(str(decimal(digit)) for digit in number[0])]
        return self._compound(token) or self._similar(token) or [token]

    def _compound(self, token: str) -> list[str]:
        """The two parts of a compound, where the shorter one is longest; or nothing."""
        found: list[list[str]] = []
        if len(token) <= LONGEST:
            for link in LINKS.get(self.lang, ()):
                for end in range(SHORTEST_PART, len(token) - SHORTEST_PART - len(link) + 1):
                    parts = token[:end], token[end + len(link) :]
                    if token.startswith(link, end) and all(known := list(map(self._part, parts))):
                        found.append(known)
        return max(found, key=lambda parts: min(map(len, parts)), default=[])

    def _part(self, part: str) -> str:
        return next((one for one in (stem(part, self.lang), part) if one in self.words), "")

    def _similar(self, token: str) -> list[str]:
        """The word with the longest beginning that the token has too, if it is long; or nothing."""
        at = bisect(self._sorted, token)
        around = self._sorted[max(at - 1, 0) : at + 1]
        count = max((_shared(one, token) for one in around), default=0)
        if count < max(SHORTEST, SHARED * len(token)):
            return []
        first = bisect_left(self._sorted, token[:count])
        last = bisect(self._sorted, token[:count], key=lambda one: one[:count])
        shortest = min(self._sorted[first:last], key=len)
        return [shortest] if count >= SHARED * len(shortest) else []

    @cached_property
    def _sorted(self) -> list[str]:
        return sorted(
            one for one in self.words if " " not in one and not in_bigrams(one[:1] or " ")
        )


def _shared(one: str, other: str) -> int:
    """The number of characters that two words begin with."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
