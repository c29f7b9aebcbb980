import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xorqa.core.errors import ConfigError
from xorqa.core.lang import ISO_639_1, LANGUAGES, XOR_LANGUAGES, language
from xorqa.core.text.detection import detect_language, nearest_language, script_share
from xorqa.datasets.mini import load

SENTENCES = {
    "ar": "وُلد نجيب محفوظ في القاهرة ونال جائزة نوبل في الأدب.",
    "bn": "জাদুঘরটি বসন্তকালে দর্শকদের জন্য খোলা হয়।",
    "de": "Das Museum öffnete im Frühling seine Türen.",
    "el": "Το μουσείο άνοιξε τις πόρτες του την άνοιξη.",
    "en": "The museum opened its doors to visitors in the spring.",
    "es": "El museo abrió sus puertas al público en primavera.",
    "fa": "پایتخت ایران شهر تهران است و جمعیت زیادی دارد.",
    "fi": "Museo avasi ovensa kävijöille keväällä.",
    "fr": "Le musée a ouvert ses portes au printemps.",
    "he": "המוזיאון נפתח למבקרים באביב.",
    "hi": "संग्रहालय वसंत में आगंतुकों के लिए खुला।",
    "id": "Museum itu dibuka untuk pengunjung pada musim semi.",
    "it": "Il museo ha aperto le porte in primavera.",
    "ja": "博物館は春に一般公開された。",
    "ko": "박물관은 봄에 관람객에게 문을 열었다.",
    "nl": "Het museum opende in het voorjaar zijn deuren.",
    "pt": "O museu abriu as suas portas ao público na primavera.",
    "ro": "Muzeul și-a deschis porțile pentru vizitatori primăvara.",
    "ru": "Музей открылся для посетителей весной.",
    "sv": "Museet öppnade sina dörrar för besökare på våren.",
    "sw": "Makumbusho yalifunguliwa kwa wageni mwaka jana.",
    "ta": "அருங்காட்சியகம் வசந்த காலத்தில் திறக்கப்பட்டது.",
    "te": "మ్యూజియం వసంతకాలంలో సందర్శకుల కోసం తెరవబడింది.",
    "th": "พิพิธภัณฑ์เปิดให้ผู้เข้าชมในฤดูใบไม้ผลิ",
    "tr": "Müze ilkbaharda kapılarını ziyaretçilere açtı.",
    "uk": "Музей відкрив свої двері для відвідувачів навесні.",
    "ur": "لاہور پاکستان کا ایک بڑا شہر ہے اور اس کی تاریخ بہت پرانی ہے۔",
    "vi": "Bảo tàng mở cửa đón khách vào mùa xuân.",
    "zh": "博物馆在春天向游客开放。",
}


def test_there_is_a_sentence_of_every_language():
    assert set(SENTENCES) == set(LANGUAGES)


@pytest.mark.parametrize("code", SENTENCES)
def test_detect_a_sentence(code):
    assert detect_language(SENTENCES[code]) == code


def test_detect_the_questions_of_the_bundled_world():
    questions = [example.question for example in load().examples]
    right = sum(detect_language(question.text) == question.lang for question in questions)
    assert right >= 0.99 * len(questions)


@pytest.mark.parametrize("text", ["", "  \n", "1234", "12.5 %", "?!", "😀", "\ud800"])
def test_a_text_in_no_known_script_is_called_english(text):
    assert detect_language(text) == "en"
    assert nearest_language(text, ["te", "fi"]) == "fi"


def test_digits_of_a_script_are_of_its_language():
    assert detect_language("১৯৭১") == "bn"
    assert detect_language("౧౯") == "te"
    assert detect_language("١٩٧٣") in {"ar", "fa", "ur"}


@pytest.mark.parametrize(
    ("text", "code"),
    [("東京タワー", "ja"), ("東京塔", "zh"), ("1707年の富士山", "ja"), ("서울 漢江", "ko")],
)
def test_kana_make_kanji_japanese(text, code):
    assert detect_language(text) == code


def test_detect_among_some():
    assert nearest_language("東京", ["en", "ja"]) == "ja"
    assert nearest_language("東京", ["en", "ja", "zh"]) == "zh"
    assert nearest_language("Tokyo", ["en", "ja"]) == "en"
    assert nearest_language(SENTENCES["nl"], ["de", "fi"]) in {"de", "fi"}
    assert nearest_language(SENTENCES["uk"], XOR_LANGUAGES) == "ru"
    assert nearest_language(SENTENCES["th"], XOR_LANGUAGES) in XOR_LANGUAGES


@settings(deadline=None)
@given(st.text())
def test_detect_gives_some_language_for_any_text(text):
    assert detect_language(text) in ISO_639_1
    assert nearest_language(text, XOR_LANGUAGES) in XOR_LANGUAGES


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_table_fits_its_sentences(code):
    row = language(code)
    assert row.code == code
    assert len(row.digits) == 10
    assert [int(digit) for digit in row.digits] == list(range(10))
    assert script_share(SENTENCES[code], row.script) == 1.0
    assert row.spaced == (SENTENCES[code].count(" ") > 0)


def test_script_share():
    assert script_share("", "Latn") == script_share("1234", "Latn") == 0.0
    assert script_share("ab вг 12", "Latn") == 0.5
    assert script_share("東京タワーab", "Jpan") == pytest.approx(5 / 7)
    assert script_share("東京タワー", "Hans") == pytest.approx(2 / 5)


def test_a_latin_name_does_not_hide_the_language_around_it() -> None:
    assert detect_language("Marjorie Courtenay-Latimer は誰ですか？") == "ja"
    assert detect_language("Кто такой Édouard Balladur?") == "ru"


def test_an_unknown_language_among_others():
    with pytest.raises(ConfigError, match="no language is called 'xx'; did you mean"):
        nearest_language("Oulu", ["fi", "xx"])
