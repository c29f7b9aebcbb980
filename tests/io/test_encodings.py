import gzip
import os
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from xorqa.core.errors import ConfigError, DataError, Notice
from xorqa.io.encoding_guess import plausibility
from xorqa.io.encodings import as_utf8, checked_encoding, declared_charset, decode, open_utf8
from xorqa.io.files import read_json, read_jsonl, read_lines
from xorqa.io.predictions import read_answers

PATH = Path("a.txt")
FINNISH = "Pöytä on iso. Tämä on vanha tiedosto – siinä on ääkkösiä."
RUSSIAN = "Университет состоит из шести факультетов. Каждый студент имеет право на общежитие."
UKRAINIAN = "Їхній музей відкрито в Києві. Ніхто не може бути позбавлений свого майна, щоб жити."
GERMAN = "Die Bücherei öffnet um neun Uhr. Der Ausweis kostet 5 € – „ermäßigt“ 3 €."
PLAIN_GERMAN = (
    "Die Bücherei öffnet um neun Uhr, für Schüler früher; Gebühren: fünf Mark, ermäßigt drei."
)
FRENCH = "L'été dernier, nous avons déménagé près de l’école où j'étais élève, à côté du théâtre."
PLAIN_FRENCH = "L'été dernier, nous avons déménagé près de l'école où j'étais élève, à côté."
POLISH = "Biblioteka jest czynna od poniedziałku do piątku. Źródło: książka, którą napisał Żak."
CZECH = "Žádný člověk nesmí být zbaven svobody. Příliš žluťoučký kůň úpěl ďábelské ódy."
GREEK = "Η βιβλιοθήκη είναι ανοιχτή από Δευτέρα έως Παρασκευή. Άλλη αίθουσα δεν υπάρχει."
HEBREW = "הספרייה פתוחה מיום ראשון עד יום חמישי. מחיר כרטיס הקורא עשרים שקלים."
ARABIC = "المكتبة مفتوحة من الاثنين إلى الجمعة. ثمن بطاقة القراءة عشرون درهما."
JAPANESE = "図書館は月曜日から金曜日まで開いています。利用カードは無料です。"
CHINESE = "图书馆周一至周五开放。办理借书证需要二十元工本费。"
TEXTS = [
    *((name, RUSSIAN) for name in ("cp1251", "koi8-r", "iso8859-5", "cp866", "mac-cyrillic")),
    *((name, UKRAINIAN) for name in ("cp1251", "koi8-u", "mac-cyrillic")),
    *((name, text) for name in ("cp1250", "iso8859-2", "cp852") for text in (POLISH, CZECH)),
    *((name, PLAIN_GERMAN) for name in ("cp1252", "cp850", "mac-roman")),
    *((name, PLAIN_FRENCH) for name in ("cp1252", "cp850", "mac-roman")),
    *((name, GREEK) for name in ("cp1253", "iso8859-7")),
    *((name, HEBREW) for name in ("cp1255", "iso8859-8", "cp862")),
    *((name, ARABIC) for name in ("cp1256", "iso8859-6")),
    *((name, JAPANESE) for name in ("cp932", "euc_jp", "iso2022_jp")),
    *((name, CHINESE) for name in ("gb18030", "hz")),
    ("cp1252", GERMAN),
    ("cp1252", FINNISH),
    ("cp1252", FRENCH),
    ("cp1254", "Kütüphane pazartesiden cumaya kadar açıktır. Üyelik kartı yüz liradır, değil mi?"),
    *(("cp1252", text) for text in ("Café", "Größe: 5 €", "25 °C ± 1 µm", "ä;ö straße größer")),
    *((name, "İstanbul büyük bir şehir") for name in ("cp1254", "iso8859-9")),
    ("cp1250", "Łódź"),
    ("cp932", "東京"),
    ("cp1252", "Reykjavík er höfuðborg Íslands og þar búa margir."),
    ("cp1257", "Kiekvienas žmogus turi teisę laisvai kilnotis ir pasirinkti gyvenamąją vietą."),
    ("cp949", "서울은 대한민국의 수도이자 최대 도시이다."),
    ("big5", "圖書館週一至週五開放。辦理借書證需要二十元工本費。"),
    ("cp874", "กรุงเทพมหานครเป็นเมืองหลวงของประเทศไทย"),
]
WIDE = [
    *(FINNISH, RUSSIAN, HEBREW, JAPANESE, CHINESE, "圖書館週一至週五開放。"),
    *("กรุงเทพมหานครเป็นเมืองหลวงของประเทศไทย", "नेपाल का संग्रहालय 1987 में खुला।"),
    *("საქართველოს დედაქალაქია თბილისი.", "도서관은 월요일부터 금요일까지 엽니다."),
]


@pytest.mark.parametrize("name", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_unicode_is_no_guess(name: str) -> None:
    with warnings.catch_warnings(action="error"):
        assert decode(FINNISH.encode(name), PATH) == FINNISH


def test_a_mark_of_utf_16_in_big_endian() -> None:
    assert decode(b"\xfe\xff" + "東京".encode("utf-16-be"), PATH) == "東京"


@pytest.mark.parametrize(("name", "text"), TEXTS)
def test_other_encodings_are_guessed(name: str, text: str) -> None:
    with pytest.warns(Notice, match=r"^a\.txt is read as .*, a guess; .* --encoding NAME"):
        assert decode(text.encode(name), PATH) == text


@pytest.mark.parametrize("order", ["le", "be"])
@pytest.mark.parametrize("text", WIDE)
def test_utf_16_without_a_mark(text: str, order: str) -> None:
    with pytest.warns(Notice, match=f"utf-16-{order}"):
        assert decode(text.encode(f"utf-16-{order}"), PATH) == text


@pytest.mark.parametrize(
    "data",
    [
        FINNISH.encode() + b"\xff",  # damaged UTF-8, not Windows-1252
        FINNISH.encode("utf-16")[:-1],
    ],
)
def test_damaged_text_is_refused_in_one_line(data: bytes) -> None:
    with pytest.raises(DataError, match=r"^a\.txt is not UTF-(8|16) text \(.*\)$"):
        decode(data, PATH)


@pytest.mark.parametrize(
    "data", [b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\xff\xe4", bytes(range(256)) * 9]
)
def test_what_is_no_text_is_refused_in_one_line(data: bytes) -> None:
    with pytest.raises(DataError, match=r"^a\.txt has an unknown encoding, or is no text; .*"):
        decode(data, PATH)


DECLARED = [
    ("iso-8859-1", "“Café” costs €5", "cp1252"),
    ("us-ascii", "“Café” costs €5", "cp1252"),
    ("GB2312", "镕基在𠮷野家", "gb18030"),
    ("shift_jis", "①番窓口は髙島屋の㈱担当です。", "cp932"),
    ("windows-31j", "髙島屋は①階にある。", "cp932"),
    ("ks_c_5601-1987", "서울역 뷁", "cp949"),
    ("iso-8859-9", "Işık – €5", "cp1254"),
    ("tis-620", "“สวัสดี” ราคา…", "cp874"),
    ("logical", "שלום", "iso8859-8"),
    ("koi8-ru", "Привіт, їжак", "koi8-u"),
    ("hz-gb-2312", "中国", "hz"),
    ("x-x-big5", "臺灣", "big5"),
    ("x-mac-ukrainian", "Привіт", "mac-cyrillic"),
    ("unicode-1-1-utf-8", "é", "utf-8"),
    ("csisolatin2", "Źródło", "iso8859-2"),
    ("GBK", "联通", "gbk"),  # also UTF-8, of characters that nobody writes together
]


@pytest.mark.parametrize(("label", "text", "codec"), DECLARED)
def test_declared_encodings_mean_what_browsers_understand(
    label: str, text: str, codec: str
) -> None:
    with warnings.catch_warnings(action="error"):
        assert decode(text.encode(codec), PATH, declared=label) == text


def test_a_declaration_that_does_not_fit_is_named() -> None:
    with pytest.warns(Notice, match=r"read as windows-1251, not shift_jis as it declares"):
        assert decode(RUSSIAN.encode("cp1251"), PATH, declared="shift_jis") == RUSSIAN


def test_text_in_utf_8_that_declares_another_encoding() -> None:
    assert decode(FRENCH.encode(), PATH, declared="iso-8859-1") == FRENCH


@pytest.mark.parametrize(
    ("page", "label"),
    [
        (b'<html><meta charset="koi8-r">', "koi8-r"),
        (b"<META http-equiv=content-type content='text/html; charset=big5'>", "big5"),
        (b'<?xml version="1.0" encoding="windows-1250"?><html>', "windows-1250"),
        (b'<!-- <meta charset="big5"> --><meta charset=utf-8>', "utf-8"),
        (b"<p>charset=utf-8", ""),
    ],
)
def test_the_declaration_of_a_page(page: bytes, label: str) -> None:
    assert declared_charset(page) == label


@pytest.mark.parametrize(
    "text", ["Die Bⁿcherei ÷ffnet", "Ngu‡i pišt\x8aku", "Tout individu a droit а la", "mйs"]
)
def test_nobody_writes_this(text: str) -> None:
    assert plausibility(text) < 0.5


@pytest.mark.parametrize("text", [FINNISH, RUSSIAN, FRENCH, GERMAN, JAPANESE, "a © 2024 § 5"])
def test_somebody_writes_this(text: str) -> None:
    assert plausibility(text) == 1.0


@pytest.mark.parametrize("name", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("packed", [False, True])
def test_files_are_opened_as_utf_8(name: str, packed: bool, tmp_path: Path) -> None:
    data = "ä\r\nö\n".encode(name)
    path = tmp_path / ("a.txt.gz" if packed else "a.txt")
    path.write_bytes(gzip.compress(data) if packed else data)
    with open_utf8(path) as stream:
        assert [*stream] == ["ä\r\n".encode(), "ö\n".encode()]


def test_a_truncated_packed_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.txt.gz"
    path.write_bytes(gzip.compress(b"x" * 99999)[:-9])
    with pytest.raises(DataError, match="is truncated or damaged"), open_utf8(path) as stream:
        stream.read()


def test_a_given_encoding(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_bytes(RUSSIAN.encode("cp866"))
    with path.open("rb") as stream:
        assert as_utf8(stream, path, "cp866").read() == RUSSIAN.encode()
    with path.open("rb") as stream, pytest.raises(DataError, match=r"a\.tsv is not ASCII text"):
        as_utf8(stream, path, "ascii")


@pytest.mark.parametrize("name", ["klingon", "hex", "rot13", "\0"])
def test_an_unknown_encoding_is_refused(name: str) -> None:
    with pytest.raises(ConfigError, match="no encoding is called"):
        checked_encoding(name)


@pytest.mark.parametrize("read", [read_json, lambda path: list(read_jsonl(path))])
def test_a_device_without_an_end_is_refused(tmp_path: Path, read: Callable[[Path], object]) -> None:
    (tmp_path / "p.json").symlink_to("/dev/zero")
    with pytest.raises(DataError, match=r"p\.json is a device, which may have no end; name a file"):
        read(tmp_path / "p.json")


@pytest.mark.parametrize("read", [read_json, read_lines, lambda path: list(read_jsonl(path))])
def test_a_named_pipe_is_refused_at_once(tmp_path: Path, read: Callable[[Path], object]) -> None:
    os.mkfifo(tmp_path / "p.json")
    (tmp_path / "link.json").symlink_to("p.json")
    for name in ("p.json", "link.json"):
        with pytest.raises(DataError, match=rf"{name} is a pipe, .* name a file$"):
            read(tmp_path / name)


def test_the_output_of_a_command_is_read() -> None:
    reading, writing = os.pipe()
    os.write(writing, b'{"a": "b"}')
    os.close(writing)
    assert read_answers(Path(f"/dev/fd/{reading}")).by_qid == {"a": "b"}
    os.close(reading)
