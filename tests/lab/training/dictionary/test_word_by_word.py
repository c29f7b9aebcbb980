from xorqa.lab.training.dictionary.pairs import LANGS
from xorqa.lab.training.dictionary.word_by_word import word_by_word

TEXTS = [f"Who founded the city of Warsaw in {year}?" for year in range(1300, 1400)]


def test_a_question_becomes_the_words_of_a_language() -> None:
    pairs = list(word_by_word(TEXTS, lexicon={}, table={}, seed=1))
    assert [english for _, _, _, english in pairs] == TEXTS
    assert len({lang for lang, *_ in pairs}) == 16
    finnish = [text for lang, text, _, _ in pairs if lang == "fi"]
    assert all(text.endswith("?") and " the " not in text for text in finnish)
    assert {"kuka", "Warsaw"} <= {word for text in finnish for word in text[:-1].split()}
    japanese = [text for lang, text, _, _ in pairs if lang == "ja"]
    assert all("誰が" in text and ("市" in text or "シティ" in text) for text in japanese)
    assert not any(" " in text for text in japanese)


def test_words_that_the_dictionary_lacks_are_looked_up_or_stay() -> None:
    half = len(LANGS) // 2
    everywhere = {lang: {"xqz": "lex"} for lang in LANGS[:half]}
    table = {lang: {"tab": {"Xqz": 0.5}, "un": {"Xqy": 0.2}} for lang in LANGS[half:]}
    texts = [f"{word} {at}" for at in range(40) for word in ("xqz", "xqy")]
    for lang, text, _, english in word_by_word(texts, lexicon=everywhere, table=table, seed=1):
        known = ("lex" if lang in LANGS[:half] else "tab") if english[:3] == "xqz" else "xqy"
        assert known in text and english[4:] in text


def test_the_likeliest_translation_is_drawn_most() -> None:
    table = {lang: {"aa": {"Xqz": 0.4}, "bb": {"Xqz": 0.9}} for lang in LANGS}
    texts = [f"xqz {at}" for at in range(200)]
    drawn = [text for _, text, _, _ in word_by_word(texts, lexicon={}, table=table, seed=1)]
    assert 100 < sum("bb" in text for text in drawn) < 150


def test_possession_is_not_part_of_a_name() -> None:
    pairs = word_by_word(["Xqz's xqy", "Xqz’s xqy"], lexicon={}, table={}, seed=1)
    assert all("'s" not in text and "’s" not in text for _, text, _, _ in pairs)


def test_a_seed_draws_the_same_again() -> None:
    first, again, other = (
        list(word_by_word(TEXTS, lexicon={}, table={}, seed=seed)) for seed in (1, 1, 2)
    )
    assert first == again != other
