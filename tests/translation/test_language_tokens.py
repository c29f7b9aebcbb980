import pytest

from xorqa.core.errors import ConfigError
from xorqa.core.lang import LANGUAGES
from xorqa.translation.checks import LanguageTokens, language_tokens

FLORES = {language.flores for language in LANGUAGES.values()}
NLLB = {*FLORES, "</s>"}
M2M = {"__fi__", "__en__", "__ar__"}


def test_every_language_of_the_table_has_a_code_that_models_know() -> None:
    from transformers.models.m2m_100.tokenization_m2m_100 import FAIRSEQ_LANGUAGE_CODES as M2M_CODES
    from transformers.models.nllb.tokenization_nllb import FAIRSEQ_LANGUAGE_CODES as NLLB_CODES

    assert set(NLLB_CODES) >= FLORES
    assert set(LANGUAGES) - set(M2M_CODES["m2m100"]) == {"te"}


@pytest.mark.parametrize(
    ("lang", "to", "known", "wanted"),
    [
        ("fi", "en", NLLB, LanguageTokens("fin_Latn", "eng_Latn")),
        ("en", "zh", NLLB, LanguageTokens("eng_Latn", "zho_Hans")),
        ("ar", "en", M2M, LanguageTokens("__ar__", "__en__")),
        ("te", "en", M2M, None),
        ("xx", "en", M2M, None),
        ("en", "fi", {">>fin<<", ">>swe<<"}, LanguageTokens(source=">>fin<<")),
        ("en", "fr", {">>fr<<", ">>es<<"}, LanguageTokens(source=">>fr<<")),
        ("fi", "en", {"</s>", "en", "fi"}, LanguageTokens()),
        ("xx", "en", {"</s>"}, LanguageTokens()),
    ],
)
def test_marks(lang: str, to: str, known: set[str], wanted: LanguageTokens | None) -> None:
    assert language_tokens(lang, to, known.__contains__) == wanted


def test_a_model_of_many_languages_without_the_wanted_one() -> None:
    with pytest.raises(ConfigError, match="the model does not translate into 'te'"):
        language_tokens("fi", "te", M2M.__contains__)
