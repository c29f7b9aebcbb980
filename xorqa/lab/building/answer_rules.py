"""Rules for annotators who translate answers back (Asai et al. 2021, appendix B.4), in our words.

They make the answers like those that TyDi QA takes from the language's own Wikipedia.
"""

GENERAL = (
    "Use metric units, and convert others (6 ft: 183 cm).",
    "Write a name as Wikipedia in your language writes it; if it has none, transliterate the name.",
    "Write dates in the form that your language requires.",
)
_DIGITS = "Write numbers in digits, with the counter or unit word that they usually have ({})."
BY_LANG = {
    "bn": "Write numbers in Bengali digits (২০০১).",
    "ja": _DIGITS.format("2001年, 12人"),
    "ko": _DIGITS.format("2001년, 12명"),
}


def rules_for(lang: str) -> str:
    """The rules for answers in a language, as one text."""
    return " ".join([*GENERAL, *([BY_LANG[lang]] if lang in BY_LANG else [])])
