"""Guess the encoding of a text: chardet's candidates, weighed by how plausible their text is.

chardet compares letters with those of languages. It does not reject text that nobody writes:
control characters, words of two alphabets, symbols or capitals inside words.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterator

from ..core.text.patterns import compiled

SAMPLE = 200_000
"""The bytes at most that an encoding is guessed from."""

_FREQUENT, _LESS, _RARE = 1.0, 0.995, 0.97
_FREQUENCY = {  # of files in an encoding, roughly; chardet's names
    **dict.fromkeys(("cp1250", "cp1251", "cp1252", "cp1253", "cp1254", "cp1255"), _FREQUENT),
    **dict.fromkeys(("cp1256", "cp1257", "cp1258", "cp874", "koi8-r", "koi8-u"), _FREQUENT),
    **dict.fromkeys(("cp932", "cp949", "gb18030", "big5hkscs", "euc_jis_2004"), _FREQUENT),
    **dict.fromkeys(("iso2022_jp_2", "iso2022_jp_ext", "iso2022_kr", "hz"), _FREQUENT),
    "shift_jis_2004": _RARE,
    **dict.fromkeys(("iso8859-2", "iso8859-5", "iso8859-6", "iso8859-7", "iso8859-8"), _LESS),
    **dict.fromkeys(("iso8859-9", "iso8859-13", "iso8859-15", "johab"), _LESS),
    **dict.fromkeys(("cp866", "cp850", "cp852", "mac-cyrillic", "mac-roman"), _LESS),
    **dict.fromkeys(("cp437", "cp737", "cp855", "cp857", "cp862", "cp775"), _RARE),
    **dict.fromkeys(("mac-greek", "mac-latin2", "mac-turkish"), _RARE),
    **dict.fromkeys(("iso8859-3", "iso8859-4", "iso8859-10", "iso8859-14"), 0.85),
}
_PLAUSIBLE = 0.5
_CONFIDENT = 0.02  # of chardet: below, every encoding is as likely as another
_FEW_WORDS = 16  # bytes
_ALIKE = 0.9  # the share of characters in UTF-16 that must be alike
_CHARSETS = ("shift_jis", "gb2312", "big5", "euc_kr")


def guess(data: bytes) -> str:
    """The likeliest encoding that decodes all of it; "" if none gives a plausible text.

    A few words that chardet knows nothing about are in a frequent encoding or in UTF-16.
    """
    few = _best(data, faint=True) if len(data) < _FEW_WORDS else ""
    return _best(data) or few or guess_wide(data) or _best(data, faint=True)


def _best(data: bytes, *, faint: bool = False) -> str:
    ordered = sorted(_candidates(data, faint=faint), key=lambda candidate: -candidate[1])
    return next((name for name, _ in ordered if decodes(data, name)), "")


def _candidates(data: bytes, *, faint: bool) -> Iterator[tuple[str, float]]:
    """The encodings with their weights; if `faint`, frequent ones whose text is not strange."""
    from chardet import detect_all

    sample = data[:SAMPLE]
    for found in detect_all(
        sample,
        compat_names=False,
        ignore_threshold=True,
        max_bytes=SAMPLE,
        include_encodings=_FREQUENCY,
        no_match_encoding="cp1252",
        empty_input_encoding="cp1252",
    ):
        name, confidence = str(found["encoding"]), found["confidence"]
        frequency = _FREQUENCY.get(name, 0.0)
        if not frequency or (frequency < _FREQUENT if faint else confidence < _CONFIDENT):
            continue
        text = sample.decode(name, errors="ignore")
        likely = plausibility(text)
        if likely == 1.0 and not compiled(_ALONE).search(text) if faint else likely >= _PLAUSIBLE:
            yield name, confidence * frequency * likely**2


def guess_wide(data: bytes) -> str:
    """The byte order of UTF-16 or UTF-32 without a mark; "" if it is none of them.

    In the right order most characters are of few blocks, or of one older character set.
    """
    scores = {}
    for name in ("utf-32-le", "utf-32-be", "utf-16-le", "utf-16-be"):
        width = 4 if "32" in name else 2
        if len(data) % width == 0 and decodes(data, name):
            text = data[: SAMPLE // width * width].decode(name, errors="ignore")
            legible = [char for char in text if char.isspace() or char.isprintable()]
            scores[name] = max(_in_blocks(legible), _in_charset(legible)) / max(1, len(text))
    best = max(scores, key=lambda name: scores[name], default="")
    return best if best and scores[best] >= _ALIKE else ""


def _in_blocks(chars: list[str]) -> int:
    blocks = Counter(ord(char) >> 8 for char in chars)
    return sum(count for _, count in blocks.most_common(3))


def _in_charset(chars: list[str]) -> int:
    text = "".join(chars)
    return max(len(text.encode(name, "ignore").decode(name, "ignore")) for name in _CHARSETS)


def decodes(data: bytes, name: str) -> bool:
    """Whether the bytes are text in this encoding."""
    try:
        data.decode(name)
    except UnicodeDecodeError:
        return False
    return True


_IMPOSSIBLE = {"Cn", "Cs"}  # unassigned, and surrogates
_STRANGE = "|".join(
    (
        r"[\x00-\x08\x0b\x0e-\x19\x1c-\x1f\x7f]",
        r"\p{Co}",
        r"\p{L}[\p{S}¡¤¦§¨¶·«»¿‚„”“†‡‰--'+`^$=<>~|´’]\p{L}",
        r"(?<!\w)[\u2500-\u259f÷×≈≡±®¾¹¼¶]\p{L}|\p{L}[\u2500-\u259f≈≡‚„ˆ˘ˇ˙˛˝‡‰¢£¥]",
        r"[ªºⁿ£¢¥]\p{L}",
        r"\p{Ll}[\p{Lu}--A-Z]|[\p{Ll}--a-z][A-Z]",
        r"\p{Latin}[\p{Cyrillic}\p{Greek}\p{Hebrew}\p{Arabic}]",
        r"[\p{Cyrillic}\p{Greek}\p{Hebrew}\p{Arabic}]\p{Latin}",
    )
)
_STRANGE_AMONG_LATIN = r"(?<!\w)[\p{Cyrillic}\p{Greek}\p{Hebrew}\p{Arabic}]{1,2}(?!\w)"
_ALONE = rf"{_STRANGE_AMONG_LATIN}|(?<!\w)\p{{Thai}}{{1,2}}(?!\p{{Thai}})"
_HALF_WIDTH = r"[\uff61-\uff9f]"
_WESTERN_BALKANS = r"[ЂЃЉЊЌЋЏђѓљњќћџ]"  # letters of Serbian and Macedonian alone
_ICELANDIC = r"[ÞþÐð]|(?<!\p{L})Ý(?=\p{Ll})"  # İ, ş, ğ of Turkish in another encoding
_NOT_ICELANDIC = "[ÜüÇç]"
_OTHER_SLAVIC = r"[ъыьэюяйщіїєЪЫЬЭЮЯЙЩІЇЄ]"


def plausibility(text: str) -> float:
    """How plausible it is, from 1 down to 0, that someone wrote the characters beyond ASCII."""
    others = [char for char in text if char > "\x7f"]
    if any(
        "\x80" <= char <= "\x9f" or char == "\ufffd" or unicodedata.category(char) in _IMPOSSIBLE
        for char in {*others}
    ):
        return 0.0
    strange = len(compiled(_STRANGE).findall(text))
    if 10 * len(others) < len(text):
        strange += len(compiled(_STRANGE_AMONG_LATIN).findall(text))
    if compiled(_OTHER_SLAVIC).search(text):
        strange += len(compiled(_WESTERN_BALKANS).findall(text))
    if compiled(_NOT_ICELANDIC).search(text):
        strange += len(compiled(_ICELANDIC).findall(text))
    half = len(compiled(_HALF_WIDTH).findall(text))
    strange += half if 2 * half > len(others) else 0
    return max(0.0, 1.0 - 2 * strange / max(1, len(others)))
