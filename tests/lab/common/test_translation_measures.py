import pytest
import sacrebleu

from xorqa.core.errors import DataError
from xorqa.lab.common.translation_measures import (
    PAPER_LANGUAGES,
    PAPER_MT,
    comparable_with_paper,
    entities,
    entity_recall,
    score_translations,
)

REFERENCES = ["When was Lake Inari first mapped in 1732?", "Who wrote the book?"]


def test_entities_are_names_and_numbers() -> None:
    assert entities(REFERENCES[0]) == {"lake": 1, "inari": 1, "1732": 1}
    assert entities("UNESCO was founded by the U.N. in 1,945") == {
        "unesco": 1,
        "u.n": 1,
        "1,945": 1,
    }
    assert entities("what is it") == {}


def test_recall_is_summed_over_all_texts() -> None:
    found = ["lake inari in 1733", "Who?"]
    assert entity_recall(found, REFERENCES) == pytest.approx(2 / 3)
    assert entity_recall(["Paris"], ["Is Paris Paris?"]) == 0.5
    assert entity_recall(["x"], ["what is it"]) == 1.0


def test_scores_are_sacrebleus() -> None:
    found = ["When was Inari first mapped in 1732?", "Who wrote this book?"]
    report = score_translations(found, REFERENCES, ["ja", "te"])
    wanted = sacrebleu.corpus_bleu(found[:1], [REFERENCES[:1]]).score
    assert report.per_lang["ja"]["BLEU"] == pytest.approx(wanted)
    means = {
        name: value + report.per_lang["te"][name] for name, value in report.per_lang["ja"].items()
    }
    assert report.macro == pytest.approx({name: value / 2 for name, value in means.items()})
    assert report.n == {"ja": 1, "te": 1}
    assert "tok:13a" in report.signature
    alone = score_translations(found[1:], REFERENCES[1:], ["te"])
    assert alone.macro == alone.per_lang["te"]


def test_the_macro_leaves_telugu_out_where_all_six_languages_of_the_paper_are_present() -> None:
    langs = [*PAPER_LANGUAGES, "te"]
    found = [REFERENCES[0]] * 6 + ["Wrong"]
    report = score_translations(found, [REFERENCES[0]] * 7, langs)
    assert report.macro["BLEU"] == pytest.approx(100)
    assert comparable_with_paper(langs) and not comparable_with_paper(langs[1:])


def test_perfect_translations() -> None:
    report = score_translations(REFERENCES, REFERENCES, ["fi", "fi"])
    assert report.macro == pytest.approx({"BLEU": 100, "chrF": 100, "entity recall": 100})


def test_lengths_must_agree() -> None:
    with pytest.raises(DataError, match="1 translations for 2 references"):
        score_translations(["a"], REFERENCES, ["fi", "fi"])


def test_the_papers_row_has_its_mean() -> None:
    assert PAPER_MT.macro["BLEU"] == pytest.approx(27.35, abs=0.01)
