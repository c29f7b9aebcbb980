"""English glosses of a question: likely translations of its words, for readers trained on them."""

from collections.abc import Sequence

from ..core.text.detection import detect_language
from ..models.word_translations import bundled_words

BEGINNING = 300  # characters of a passage, of which its language is detected


def glosses(question: str, passage: str, most: int, lang: str = "") -> list[str]:
    """Up to `most` translations of each word, in order, each once; `lang` may be detected.

    None for a question in English, or about a passage in another language.
    """
    lang = lang or detect_language(question)
    words = bundled_words().glosses(question, lang, most) if lang != "en" else ()
    if not words or detect_language(passage[:BEGINNING]) != "en":
        return []
    return list(dict.fromkeys(english for _, likely in words for english in likely))


def gloss_identity() -> tuple[str, ...]:
    """What glosses depend on: this code, whose number each change increases, and the table."""
    return "glosses 1", *bundled_words().hashes


def with_glosses(question: str, found: Sequence[str]) -> str:
    """The question, and its glosses in brackets."""
    return f"{question} ({', '.join(found)})" if found else question
