"""Words of several search tokens: phrases, and words in scripts written without spaces."""

from collections.abc import Collection, Sequence
from functools import reduce

from .search_tokens import in_bigrams


def joined(tokens: Sequence[str]) -> str:
    """Tokens as one word: bigrams that overlap as their characters, others with spaces between."""
    return reduce(_and, tokens)


def _and(word: str, token: str) -> str:
    overlaps = len(token) == 2 and word[-1] == token[0] and all(map(in_bigrams, token))
    return word + token[1] if overlaps else f"{word} {token}"


class Phrases:
    """Finds `words` of several tokens, as `joined` has them.

    `parts` are the words of all that it was made of, also of single ones.
    """

    def __init__(self, words: Collection[str]) -> None:
        self.words = {
            word for word in words if " " in word or (len(word) > 2 and in_bigrams(word[0]))
        }
        self.parts = {part for word in words for part in word.split(" ")}
        self._beginnings = {start for word in self.words for start in _beginnings(word)}

    def within(self, tokens: Sequence[str]) -> list[str]:
        """The tokens in order, the longest phrases of them as one word, from left to right.

        A bigram of the last character of a phrase and the next one is left out, unless it is known.
        """
        return [word for word, _ in self.placed(tokens)]

    def placed(self, tokens: Sequence[str]) -> list[tuple[str, int]]:
        """The words that `within` finds, with the position of the first token of each."""
        found, at = [], 0
        while at < len(tokens):
            word, size = self._longest(tokens, at)
            found.append((word, at))
            at += size
            if size > 1 and at < len(tokens) and self._crosses(word, tokens[at]):
                at += 1
        return found

    def _crosses(self, word: str, token: str) -> bool:
        return token not in self.parts and " " not in _and(word, token)

    def _longest(self, tokens: Sequence[str], at: int) -> tuple[str, int]:
        longest, size = tokens[at], 1
        word = longest
        for end in range(at + 1, len(tokens)):
            word = _and(word, tokens[end])
            if word in self.words:
                longest, size = word, end + 1 - at
            elif word not in self._beginnings:
                break
        return longest, size


def _beginnings(word: str) -> list[str]:
    """What tokens of a phrase could be joined to, before its last one."""
    return [
        word[:end]
        for end in range(2, len(word))
        if word[end] == " " or (in_bigrams(word[end]) and in_bigrams(word[end - 1]))
    ]
