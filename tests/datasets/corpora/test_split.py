import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.datasets.corpora.split import split_text

TEXTS = {
    "fi": "Oulu on kaupunki Suomessa, Pohjanlahden rannalla.",
    "ja": "東京都は日本の首都である。人口はAI 2 千万人。",
    "th": "กรุงเทพมหานคร เป็นเมืองหลวง ของประเทศไทย",
    "zh": "北京是中国的首都。人口，两千万。",
}


def bare(text):
    return "".join(text.split())


@pytest.mark.parametrize("lang", TEXTS)
@given(data=st.data(), size=st.integers(1, 7))
def test_nothing_is_lost_or_moved(lang, data, size):
    some = st.lists(st.sampled_from([*TEXTS.values(), " ", "\n", "a", "。", "\0", "\ud800"]))
    text = "".join(data.draw(some))
    passages = split_text(text, lang=lang, size=size)
    assert bare("".join(passages)) == bare(text)
    assert all(passage == " ".join(passage.split()) != "" for passage in passages)
    assert split_text(text, lang=lang, size=size) == passages


@given(st.text("aé ا\n", max_size=60), st.integers(1, 9))
def test_words_separated_by_spaces_are_counted(text, size):
    passages = split_text(text, lang="ar", size=size)
    assert [word for passage in passages for word in passage.split()] == text.split()
    assert all(len(passage.split()) == size for passage in passages[:-1])


def test_japanese_is_split_between_mecabs_words():
    assert split_text(TEXTS["ja"], lang="ja", size=4) == [
        "東京都は日本",
        "の首都である",
        "。人口はAI",
        "2 千万人",
        "。",
    ]


def test_thai_and_chinese_are_split_between_phrases():
    assert split_text(TEXTS["th"], lang="th", size=7) == [
        "กรุงเทพมหานคร เป็นเมืองหลวง",
        "ของประเทศไทย",
    ]
    assert split_text(TEXTS["zh"], lang="zh", size=6) == ["北京是中国的首都。", "人口，两千万。"]
    assert split_text("กข" * 9, lang="th", size=3) == ["กข" * 6, "กข" * 3]  # a long phrase is cut


UNSPACED = {
    "am": "የሰው፡ልጅ፡ሁሉ፡ሲወለድ፡ነጻና፡በክብርና፡በመብትም፡እኩልነት፡ያለው፡ነው።",
    "bo": "འགྲོ་བ་མིའི་རིགས་རྒྱུད་ཡོངས་ལ་སྐྱེས་ཙམ་ཉིད་ནས་ཆེ་མཐོངས་དང༌།",
    "dz": "འགྲོ་བ་མི་རིགས་ག་ར་དབང་ཆ་འདྲ་མཏམ་འབད་སྒྱེཝ་ལས་ག་ར་གིས་གཅིག་གིས་གཅིག་ལུ་",
    "ja": "すべての人間は生まれながらにして自由でありかつ尊厳と権利とについて平等である",
    "km": "មនុស្សទាំងអស់កើតមកមានសេរីភាពនិងភាពស្មើៗគ្នាក្នុងសិទ្ធិនិងសេចក្ដីថ្លៃថ្នូរ",
    "lo": "ມະນຸດທຸກຄົນເກີດມາມີກຽດສັກສີສິດທິເສລີພາບແລະຄວາມສະເໝີພາບເທົ່າທຽມກັນ",
    "my": "လူတိုင်းသည်တူညီလွတ်လပ်သောဂုဏ်သိက္ခာဖြင့်လည်းကောင်းတူညီလွတ်လပ်သောအခွင့်အရေးများ",
    "th": "มนุษย์ทั้งปวงเกิดมามีอิสระและเสมอภาคกันในศักดิ์ศรีและสิทธิต่างในตนมีเหตุผล",
    "zh": "人人生而自由在尊严和权利上一律平等他们赋有理性和良心并应以兄弟关系的精神",
}


@pytest.mark.parametrize("lang", UNSPACED)
@pytest.mark.parametrize("labelled", [True, False])
def test_scripts_without_spaces_have_no_passage_of_any_length(lang, labelled):
    text = UNSPACED[lang] * 40
    passages = split_text(text, lang=lang if labelled else "sw", size=20)
    assert "".join(passages) == text
    assert max(map(len, passages)) < 160
    assert min(map(len, passages[:-1])) > 20
    assert not any(unicodedata.category(passage[0]).startswith("M") for passage in passages)


def test_a_name_without_spaces_is_one_word_of_a_text_with_spaces():
    text = "Who is 李小龙 in 香港? " * 10
    passages = split_text(text, lang="en", size=5)
    assert all(len(passage.split()) == 5 for passage in passages)


def test_long_words_make_shorter_passages_so_that_an_encoder_reads_them_whole():
    word = "kalaallisuutitaarusuppallaanngilaq"
    passages = split_text(f"{word} " * 100, lang="kl", size=100)
    assert [len(passage.split()) for passage in passages] == [29, 29, 29, 13]
    assert len(split_text(f"{word} " * 300, lang="kl", size=300)) == 4  # by request
    assert max(map(len, split_text("x" * 5000, lang="en", size=100))) <= 1000
