from hypothesis import given
from hypothesis import strategies as st

from xorqa.core.types import Hit, Passage
from xorqa.retrieval.hybrid import in_language_order


def hits(docids: str) -> list[Hit]:
    """One passage per letter: capitals are English, others Finnish."""
    return [
        Hit(Passage(docid, docid, lang="en" if docid.isupper() else "fi"), 9.0 - rank)
        for rank, docid in enumerate(docids)
    ]


def ordered(ranking: str, guide: str) -> str:
    return "".join(hit.passage.docid for hit in in_language_order(hits(ranking), hits(guide)))


def test_the_guide_decides_the_languages_and_the_ranking_their_passages() -> None:
    assert ordered("abcXYZ", "XaYb") == "XaYbcZ"
    assert ordered("baX", "XaYb") == "Xba"


def test_a_language_without_lexical_hits_keeps_the_order_of_the_guide() -> None:
    assert ordered("cb", "XYaZb") == "XYcZb"
    assert ordered("", "XaY") == "XaY"


def test_without_a_guide_a_ranking_stays() -> None:
    assert ordered("aXb", "") == "aXb"


PASSAGES = st.lists(st.sampled_from("abcdeVWXYZ"), unique=True).map("".join)


@given(PASSAGES, PASSAGES)
def test_every_passage_once_and_each_language_in_its_order(ranking: str, guide: str) -> None:
    found = ordered(ranking, guide)
    assert len(set(found)) == len(found)
    for is_lang in (str.isupper, str.islower):
        own = [one for one in ranking if is_lang(one)]
        assert [one for one in found if is_lang(one)] == (own or [*filter(is_lang, guide)])
