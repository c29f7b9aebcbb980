"""Phones (see `sounds`) in katakana, as Japanese spells foreign names."""

from __future__ import annotations

from collections.abc import Sequence

_COLUMNS = "aiueo"
_ROWS = {  # with a, i, u, e, o; then alone
    "p": "パ ピ プ ペ ポ プ",
    "b": "バ ビ ブ ベ ボ ブ",
    "t": "タ ティ トゥ テ ト ト",
    "d": "ダ ディ ドゥ デ ド ド",
    "k": "カ キ ク ケ コ ク",
    "g": "ガ ギ グ ゲ ゴ グ",
    "f": "ファ フィ フ フェ フォ フ",
    "v": "ヴァ ヴィ ヴ ヴェ ヴォ ヴ",
    "T": "サ シ ス セ ソ ス",
    "D": "ザ ジ ズ ゼ ゾ ズ",
    "s": "サ シ ス セ ソ ス",
    "z": "ザ ジ ズ ゼ ゾ ズ",
    "S": "シャ シ シュ シェ ショ シュ",
    "Z": "ジャ ジ ジュ ジェ ジョ ジュ",
    "C": "チャ チ チュ チェ チョ チ",
    "J": "ジャ ジ ジュ ジェ ジョ ジ",
    "k:": "ッカ ッキ ック ッケ ッコ ック",
    "h": "ハ ヒ フ ヘ ホ フ",
    "m": "マ ミ ム メ モ ム",
    "n": "ナ ニ ヌ ネ ノ ン",
    "N": "ンガ ンギ ング ンゲ ンゴ ング",
    "r": "ラ リ ル レ ロ ル",
    "l": "ラ リ ル レ ロ ル",
    "w": "ワ ウィ ウ ウェ ウォ ウ",
    "y": "ヤ イ ユ イェ ヨ イ",
    "": "ア イ ウ エ オ ",
    "ts": "ツァ ツィ ツ ツェ ツォ ツ",
    "ky": "キャ キ キュ ケ キョ ク",  # k and g before the a of cat
    "gy": "ギャ ギ ギュ ゲ ギョ グ",
}
_TABLE = {name: row.split(" ") for name, row in _ROWS.items()}
_VOWELS = {  # the column, and what follows
    "a": "a", "e": "e", "i": "i", "o": "o", "u": "a", "U": "u",
    "a-": "a", "e-": "e", "o-": "o", "i+": "iー",
    "A": "aー", "I": "iー", "O": "oー", "W": "uー",
    "ei": "eイ", "ai": "aイ", "oi": "oイ", "ou": "oー", "au": "aウ",
    "ar": "aー", "or": "oー", "er": "aー", "ir": "aー", "ur": "aー",
    "ar-": "aー", "er-": "aー", "or-": "aー",
}  # fmt: skip
_SHORT = {"a", "e", "i", "o", "u", "U"}
_DOUBLED = {"p", "t", "d", "k", "g", "C", "J", "S"}  # small tsu before them at a word's end


def katakana(phones: Sequence[str]) -> str:
    """One word in katakana."""
    heard = _joined(phones)
    text, at = "", 0
    while at < len(heard):
        phone = heard[at]
        after = heard[at + 1] if at + 1 < len(heard) else ""
        onset = phone if phone not in _VOWELS else ""
        if onset and after in _VOWELS:
            text += _syllable(onset, after, last=at + 2 == len(heard))
            at += 2
            continue
        text += _alone(heard, at) if onset else _syllable("", phone, last=not after)
        at += 1
    return text


def _joined(phones: Sequence[str]) -> list[str]:
    """Without doubled letters; Y and ts as they are said."""
    heard: list[str] = []
    for phone in phones:
        if phone == "Y":
            heard += ["y", "W"]
        elif heard and heard[-1] == "t" and phone in ("s", "z"):
            heard[-1] = "ts"
        elif phone == "q":
            heard.append("k:")
        elif not heard or heard[-1] != phone or phone in _VOWELS:
            heard.append(phone)
    return heard


def _syllable(onset: str, vowel: str, *, last: bool) -> str:
    column, tail = _VOWELS[vowel][0], _VOWELS[vowel][1:]
    if vowel == "a" and onset in ("k", "g"):
        onset += "y"
    if (vowel, last) == ("ou", True) or (vowel == "i+" and onset in ("t", "d")):
        tail = ""
    return _TABLE[onset][_COLUMNS.index(column)] + tail


def _alone(heard: Sequence[str], at: int) -> str:
    """A consonant without a vowel."""
    phone, before = heard[at], heard[at - 1] if at else ""
    after = heard[at + 1] if at + 1 < len(heard) else ""
    if phone == "k:" and after:
        phone = "k"
    if phone == "m" and after in ("p", "b"):
        return "ン"
    if phone == "N" and after in ("k", "g"):
        return "ン"
    if phone == "v":
        return "ブ"
    alone = _TABLE[phone][-1]
    if not after and before in _SHORT and phone in _DOUBLED:
        return "ッ" + alone
    if phone == "k" and before in _SHORT and after == "s" and at + 2 == len(heard):
        return "ッ" + alone
    return alone
