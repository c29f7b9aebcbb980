from pathlib import Path

import pytest

from xorqa.core.errors import DataError, MissingExtraError
from xorqa.datasets.documents import encoding
from xorqa.datasets.documents.encoding import decode

PATH = Path("a.txt")
FINNISH = "Pöytä on iso. Tämä on vanha tiedosto – siinä on ääkkösiä."
TEXTS = [
    ("cp1252", FINNISH),
    ("cp1252", "L'été dernier, nous avons déménagé près de l’école où j'étais élève."),
    ("cp1250", "Zażółć gęślą jaźń. Łódź jest miastem w środkowej Polsce."),
    ("cp1251", "Москва является столицей России и крупнейшим городом страны."),
    ("cp932", "東京は日本の首都です。人口は約千四百万人です。"),
    ("euc_jp", "東京は日本の首都です。人口は約千四百万人です。"),
    ("gb18030", "北京是中国的首都，也是全国的政治和文化中心。"),
    ("cp949", "서울은 대한민국의 수도이자 최대 도시이다."),
    ("cp874", "กรุงเทพมหานครเป็นเมืองหลวงของประเทศไทย"),
]


@pytest.mark.parametrize("name", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_unicode(name: str) -> None:
    assert decode(FINNISH.encode(name), PATH) == FINNISH


def test_a_mark_of_utf_16_in_big_endian() -> None:
    assert decode(b"\xfe\xff" + "東京".encode("utf-16-be"), PATH) == "東京"


@pytest.mark.parametrize(("name", "text"), TEXTS)
def test_other_encodings_are_detected(name: str, text: str) -> None:
    pytest.importorskip("charset_normalizer")
    assert decode(text.encode(name), PATH) == text


@pytest.mark.parametrize(
    "data",
    [
        FINNISH.encode() + b"\xff",  # damaged UTF-8, not Windows-1252
        FINNISH.encode("utf-16")[:-1],
        b"\x89PNG\r\n\x00\xff\xe4",
    ],
)
def test_what_is_not_text_is_refused_in_one_line(data: bytes) -> None:
    with pytest.raises(DataError, match=r"^a\.txt is not UTF-(8|16) text \(.*\)$"):
        decode(data, PATH)


def test_an_unknown_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoding, "_detected", lambda data, path: "")
    with pytest.raises(DataError, match=r"a\.txt has an unknown encoding; convert it to UTF-8"):
        decode(b"\xe4", PATH)


def test_detection_needs_an_extra_except_for_western_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoding, "find_spec", lambda module: None)
    assert decode(FINNISH.encode("cp1252"), PATH) == FINNISH
    with pytest.raises(MissingExtraError, match=r"a\.txt is not UTF-8 text; .*xorqa\[docs\]"):
        decode("Москва является столицей".encode("koi8-r"), PATH)
