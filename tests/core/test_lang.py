import pytest

from xorqa.core.errors import ConfigError
from xorqa.core.lang import ISO_639_1, LANGUAGES, XOR_LANGUAGES, code_of, in_name, language, limits
from xorqa.core.text.detection import script_share


def test_an_unknown_code_names_similar_ones():
    with pytest.raises(ConfigError, match=r"'xx'; did you mean .*xh \(Xhosa\)"):
        language("xx")
    with pytest.raises(ConfigError, match=r"'Polish'; did you mean pl \(Polish\)"):
        language("Polish")


@pytest.mark.parametrize("code", ISO_639_1)
def test_every_code_of_iso_639_1_is_a_language(code: str) -> None:
    assert len(code) == 2
    assert language(code).code == code
    assert script_share("Oulu", language(code).script) == float(language(code).script == "Latn")
    assert bool(limits(code)) == (code not in LANGUAGES)


def test_the_seven_languages_of_xor_tydi():
    assert XOR_LANGUAGES == ("ar", "bn", "fi", "ja", "ko", "ru", "te")
    assert set(XOR_LANGUAGES) < set(LANGUAGES)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("xquad.ar.json", "ar"),
        ("telugu_tydiqa_dev.json", "te"),
        ("test-context-hi-question-de.json", "hi"),
        ("dev-v1.1.json", None),
        ("tydiqa-goldp-v1.1-dev.json", None),
    ],
)
def test_the_language_in_a_file_name(name: str, code: str | None) -> None:
    assert in_name(name) == code


@pytest.mark.parametrize(
    ("tag", "code"),
    [
        *[("de-DE", "de"), ("zh-Hant", "zh"), ("zh_TW", "zh"), ("pt-BR", "pt"), ("FI", "fi")],
        *[("fin", "fi"), ("ger", "de"), ("deu", "de"), ("cmn", "zh"), ("arb", "ar"), ("iw", "he")],
        *[("sr-Latn-RS", "sr"), ("az-Cyrl", "az"), ("fil", "tl"), ("en-x-simple", "en")],
        *[("zho-Hant", "zh"), (" ar", "ar"), ("no", "no"), ("nob", "nb")],
        *[
            ("", ""),
            ("xx", ""),
            ("Polish", ""),
            ("tlh", ""),
            ("e", ""),
            ("en-", ""),
            ("d\u0435", ""),
        ],
    ],
)
def test_the_code_of_a_tag(tag: str, code: str) -> None:
    assert code_of(tag) == code
    if code:
        assert language(tag).code == code
