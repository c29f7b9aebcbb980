import pytest

from xorqa.core.errors import ConfigError
from xorqa.core.lang import LANGUAGES
from xorqa.core.progress import announcing
from xorqa.translation.language_codes import (
    FORMS,
    Codes,
    LanguageTokens,
    OnePair,
    Prefix,
    TaskPrefixes,
    family,
    pair_in_name,
)

ZH = [">>cmn_Hans<<", ">>cmn_Hant<<", ">>cmn<<", ">>yue_Hans<<", ">>lzh<<"]
EN_MUL = [">>fin<<", ">>ara<<", ">>kor_Hang<<", ">>pes<<", ">>swh<<", ">>jpn<<", ">>zho<<"]
MADLAD = ["<2en>", "<2iw>", "<2ko>", "<2zh>", "<2zh_Latn>"]


def codes(form: str, tokens: list[str], only: str = "", **chosen: str) -> Codes:
    return Codes("the/model", form, tokens, chosen, only)


def released(form: str) -> list[str]:
    """The language tokens of a released family."""
    import importlib

    name = {"m2m": "m2m_100", "nllb": "nllb", "mbart": "mbart50"}[form]
    module = importlib.import_module(f"transformers.models.{name}.tokenization_{name}")
    listed = module.FAIRSEQ_LANGUAGE_CODES
    return [f"__{code}__" for code in listed["m2m100"]] if form == "m2m" else list(listed)


@pytest.mark.parametrize(
    ("form", "lacking"),
    [("nllb", set()), ("m2m", {"te"}), ("mbart", {"el"})],
)
def test_released_models_have_our_languages_in_their_usual_script(
    form: str, lacking: set[str]
) -> None:
    said: list[str] = []
    made = codes(form, released(form))
    with announcing(said.append):
        for lang in set(LANGUAGES) - lacking:
            pair = made.tokens(lang, "en")
            if form == "nllb":
                assert pair == LanguageTokens(LANGUAGES[lang].flores, "eng_Latn")
            else:
                assert pair.source.strip("_").partition("_")[0] == lang
        for lang in lacking:
            with pytest.raises(ConfigError, match=f"the/model has no language '{lang}'"):
                made.tokens(lang, "en")
    assert said == []  # nothing was a guess


@pytest.mark.parametrize(
    ("form", "tokens", "lang", "to", "expected"),
    [
        ("opus", EN_MUL, "en", "fi", LanguageTokens(">>fin<<")),
        ("opus", EN_MUL, "en", "ar", LanguageTokens(">>ara<<")),
        ("opus", EN_MUL, "en", "ko", LanguageTokens(">>kor_Hang<<")),
        ("opus", EN_MUL, "en", "fa", LanguageTokens(">>pes<<")),
        ("opus", EN_MUL, "en", "sw", LanguageTokens(">>swh<<")),
        ("opus", EN_MUL, "en", "zh", LanguageTokens(">>zho<<")),
        ("opus", ZH, "en", "zh", LanguageTokens(">>cmn_Hans<<")),
        ("opus", [">>fr<<", ">>es<<"], "en", "fr", LanguageTokens(">>fr<<")),
        ("madlad", MADLAD, "ko", "en", LanguageTokens("<2en>")),
        ("madlad", MADLAD, "en", "he", LanguageTokens("<2iw>")),
        ("madlad", MADLAD, "en", "zh", LanguageTokens("<2zh>")),
        ("nllb", ["nob_Latn", "eng_Latn"], "no", "en", LanguageTokens("nob_Latn", "eng_Latn")),
        ("nllb", ["pbt_Arab", "eng_Latn"], "ps", "en", LanguageTokens("pbt_Arab", "eng_Latn")),
        ("m2m", ["__no__", "__en__"], "nb", "en", LanguageTokens("__no__", "__en__")),
        ("mbart", ["tl_XX", "en_XX"], "tl", "en", LanguageTokens("tl_XX", "en_XX")),
    ],
)
def test_codes(form: str, tokens: list[str], lang: str, to: str, expected: LanguageTokens) -> None:
    assert codes(form, tokens).tokens(lang, to) == expected
    assert family([*tokens, "▁on", "</s>"]) == (form, tokens)


def test_a_script_that_a_language_is_not_usually_written_in_is_not_chosen() -> None:
    with pytest.raises(ConfigError, match="has no language 'zh'; it has en, zh"):
        codes("nllb", ["zho_Hant", "eng_Latn"]).tokens("en", "zh")
    chosen = codes("nllb", ["zho_Hant", "zho_Hans", "eng_Latn"], zh="zho_Hant")
    assert chosen.tokens("en", "zh").target == "zho_Hant"
    assert codes("opus", ZH, zh=">>lzh<<").tokens("en", "zh").source == ">>lzh<<"
    with pytest.raises(ConfigError, match="has no code 'zho_Xxxx' for 'zh'; it has zho_Hant"):
        codes("nllb", ["zho_Hant", "eng_Latn"], zh="zho_Xxxx")


def test_a_choice_among_codes_is_announced_once() -> None:
    said: list[str] = []
    made = codes("opus", ZH)
    with announcing(said.append):
        made.tokens("en", "zh")
        made.tokens("fi", "zh")
    assert said == ["the/model: 'zh' is its code cmn_Hans (set codes for cmn)"]


@pytest.mark.parametrize("lang", ["de", "xx"])
def test_a_language_that_the_model_lacks(lang: str) -> None:
    for form, tokens in (("nllb", ["kor_Hang", "eng_Latn"]), ("madlad", ["<2ko>", "<2en>"])):
        for pair in ((lang, "en"), ("en", lang)):
            with pytest.raises(ConfigError, match=f"no language '{lang}'; it has en, ko"):
                codes(form, tokens).tokens(*pair)
    with pytest.raises(ConfigError, match=f"no language '{lang}'; it has es, fr"):
        codes("opus", [">>fr<<", ">>es<<"]).check_target(lang)


def test_a_model_whose_outputs_begin_with_one_language() -> None:
    made = codes("mbart", ["ko_KR", "en_XX"], only="en_XX")
    assert made.tokens("ko", "en") == LanguageTokens("ko_KR", "")
    with pytest.raises(ConfigError, match="translates into en_XX only, not into 'ko'"):
        made.check_target("ko")


def test_prefixes_of_tasks() -> None:
    german = "translate English to German: "
    made = TaskPrefixes("t5-small", {"translation_en_to_de": german})
    assert made.tokens("en", "de") == LanguageTokens(german)
    with pytest.raises(ConfigError, match=r"into 'fi'; its tasks: translation_en_to_de"):
        made.check_target("fi")
    with pytest.raises(ConfigError, match=r"from 'fi'; its tasks: translation_en_to_de"):
        made.tokens("fi", "de")


def test_a_prefix_of_the_users() -> None:
    made = Prefix("translate {source} to {target}: ")
    assert made.tokens("fi", "en").source == "translate Finnish to English: "
    with pytest.raises(ConfigError, match=r"prefix may have \{source\} and \{target\}"):
        Prefix("translate {text}")


@pytest.mark.parametrize(
    ("declared", "lang", "to", "problem"),
    [
        (("fi", "en"), "fi", "en", ""),
        (("fin", "eng"), "fi", "en", ""),
        (("mul", "en"), "xx", "en", ""),
        (("", ""), "xx", "yy", ""),
        (("ROMANCE", "en"), "fr", "de", "translates into 'en', not into 'de'"),
        (("fi", "en"), "ko", "en", "translates from 'fi', not from 'ko'"),
    ],
)
def test_a_model_of_one_pair(declared: tuple[str, str], lang: str, to: str, problem: str) -> None:
    made = OnePair("the/model", *declared)
    if not problem:
        assert made.tokens(lang, to) == LanguageTokens()
    else:
        with pytest.raises(ConfigError, match=problem):
            made.tokens(lang, to)


def test_names_of_repositories() -> None:
    assert pair_in_name("Helsinki-NLP/opus-mt-fi-en") == ("fi", "en")
    assert pair_in_name("./models/opus-mt-tc-big-zle-en") == ("zle", "en")
    assert pair_in_name("me/opus-mt-en-ro-finetuned-en-to-ro") == ("", "")


def test_a_vocabulary_without_language_tokens() -> None:
    assert family(["en", "fi", "</s>", "__init__"]) == ("", [])
    assert family([">>fin<<"], ()) == ("", [])
    assert set(FORMS) >= {"opus", "nllb"}
