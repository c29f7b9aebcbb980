"""Which words of a table the tokens of a text are."""

from bisect import bisect, bisect_left
from collections.abc import Collection, Sequence
from functools import cached_property
from itertools import takewhile

from ..core.text.phrases import Phrases
from ..core.text.search_tokens import in_bigrams
from ..core.text.stems import stem

LINKS = {"de": ("", "s", "es", "n", "en"), "fi": ("",), "sv": ("", "s")}
"""What joins the parts of a compound, in languages that write it as one word."""

SHORTEST_PART = 4  # characters
SHORTEST, SHARED = 5, 0.65  # characters that similar words begin with, and the share of each word


class KnownWords:
    """The words of a language in a table: stems, tokens as they are, and several tokens.

    A token is a word by its stem or as it is; else it is two, if it is a compound of them; else the
    one that begins most like it, if the difference may be an ending.
    """

    def __init__(self, words: Collection[str], lang: str) -> None:
        self.words, self.lang = words, lang
        self._phrases = Phrases(words)

    def placed(self, tokens: Sequence[str]) -> list[tuple[str, int]]:
        """The words in order, with the position of the first token of each.

        A token that is no known word is a word as it is.
        """
        found = [(word, at) for at, token in enumerate(tokens) for word in self._of(token)]
        words, places = [word for word, _ in found], [at for _, at in found]
        return [(word, places[at]) for word, at in self._phrases.placed(words)]

    def _of(self, token: str) -> Sequence[str]:
        known = self._plain(token)
        return [known] if known else self._compound(token) or self._similar(token) or [token]

    def _plain(self, token: str) -> str:
        """The stem of a token or itself, whichever is known; else nothing."""
        known = (one for one in (stem(token, self.lang), token) if one in self._phrases.parts)
        return next(known, "")

    def _compound(self, token: str) -> list[str]:
        """The two parts of a compound, where the shorter one is longest; or nothing."""
        ends = range(SHORTEST_PART, len(token) - SHORTEST_PART + 1)
        links = LINKS.get(self.lang, ())
        splits = ((token[:end], link, token[end:]) for end in ends for link in links)
        parts = (
            (first.removesuffix(link), second)
            for first, link, second in splits
            if first.endswith(link) and len(first) - len(link) >= SHORTEST_PART
        )
        known = [found for pair in parts if all(found := [self._plain(part) for part in pair])]
        return max(known, key=lambda pair: min(map(len, pair)), default=[])

    def _similar(self, token: str) -> list[str]:
        """The word with the longest beginning that the token has too, if it is long; or nothing."""
        at = bisect(self._sorted, token)
        count = max(
            (_shared(one, token) for one in self._sorted[max(at - 1, 0) : at + 1]), default=0
        )
        if count < max(SHORTEST, SHARED * len(token)):
            return []
        beginning = token[:count]
        first = bisect_left(self._sorted, beginning)
        last = bisect(self._sorted, beginning, key=lambda one: one[:count])
        shortest = min(self._sorted[first:last], key=len)
        return [shortest] if count >= SHARED * len(shortest) else []

    @cached_property
    def _sorted(self) -> list[str]:
        return sorted(word for word in self.words if " " not in word and not in_bigrams(word[0]))


def _shared(one: str, other: str) -> int:
    """The number of characters that two words begin with."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
