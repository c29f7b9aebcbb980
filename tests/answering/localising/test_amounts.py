"""Counted nouns, ranges, bounds, added quantities and money."""

import pytest

from tests.answering.localising.forms import each
from xorqa.answering.localising.localisers import apply_rules

NUMBERS = {
    "10 to 15": ("10–15", "১০–১৫", "10–15", "10〜15", "10~15", "10–15", "10–15"),
    "2 to 3 weeks": (
        "2–3 أسابيع",
        "২–৩ সপ্তাহ",
        "2–3 viikkoa",
        "2〜3週間",
        "2~3주",
        "2–3 недели",
        "2–3 వారాలు",
    ),
    "3-4 hours": (
        "3–4 ساعات",
        "৩–৪ ঘন্টা",
        "3–4 tuntia",
        "3〜4時間",
        "3~4시간",
        "3–4 часа",
        "3–4 గంటలు",
    ),
    "2 to 3 million people": (
        "2–3 ملايين شخص",
        "২০–৩০ লাখ মানুষ",
        "2–3 miljoonaa ihmistä",
        "200万〜300万人",
        "200만~300만 명",
        "2–3 миллиона человек",
        "2–3 మిలియన్ల మంది ప్రజలు",
    ),
    "1.5 to 2 million": (
        "1.5–2 مليون",
        "১৫–২০ লাখ",
        "1,5–2 miljoonaa",
        "150万〜200万",
        "150만~200만",
        "1,5–2 миллиона",
        "1.5–2 మిలియన్లు",
    ),
    "40 to 50 people": (
        "40–50 شخصًا",
        "৪০–৫০ জন মানুষ",
        "40–50 ihmistä",
        "40〜50人",
        "40~50명",
        "40–50 человек",
        "40–50 మంది ప్రజలు",
    ),
    "900 to 1,100 million people": (
        "900 مليون–1.1 مليار شخص",
        "৯০–১১০ কোটি মানুষ",
        "900 miljoonaa–1,1 miljardia ihmistä",
        "9億〜11億人",
        "9억~11억 명",
        "900 миллионов–1,1 миллиарда человек",
        "900 మిలియన్లు–1.1 బిలియన్ల మంది ప్రజలు",
    ),
    "3 million people": (
        "3 ملايين شخص",
        "৩০ লাখ মানুষ",
        "3 miljoonaa ihmistä",
        "300万人",
        "300만 명",
        "3 миллиона человек",
        "3 మిలియన్ల మంది ప్రజలు",
    ),
    "1.5 million people": (
        "1.5 مليون شخص",
        "১৫ লাখ মানুষ",
        "1,5 miljoonaa ihmistä",
        "150万人",
        "150만 명",
        "1,5 миллиона человек",
        "1.5 మిలియన్ల మంది ప్రజలు",
    ),
    "12 students": (
        "12 طالبًا",
        "১২ জন শিক্ষার্থী",
        "12 opiskelijaa",
        "12人",
        "12명",
        "12 студентов",
        "12 మంది విద్యార్థులు",
    ),
    "50,000 residents": (
        "50,000 نسمة",
        "৫০,০০০ জন বাসিন্দা",
        "50\u00a0000 asukasta",
        "50,000人",
        "50,000명",
        "50\u00a0000 жителей",
        "50,000 మంది నివాసులు",
    ),
    "21 members": (
        "21 عضوًا",
        "২১ জন সদস্য",
        "21 jäsentä",
        "21人",
        "21명",
        "21 член",
        "21 మంది సభ్యులు",
    ),
    "2 books": ("كتابان", "২টি বই", "2 kirjaa", "2冊", "2권", "2 книги", "2 పుస్తకాలు"),
    "5 countries": ("5 دول", "৫টি দেশ", "5 maata", "5か国", "5개국", "5 стран", "5 దేశాలు"),
    "111 islands": (
        "111 جزيرة",
        "১১১টি দ্বীপ",
        "111 saarta",
        "111島",
        "111개 섬",
        "111 островов",
        "111 ద్వీపాలు",
    ),
    "1 child": (None, None, "1 lapsi", "1人", "1명", "1 ребёнок", "1 బిడ్డ"),
    "11 women": ("11 امرأة", "১১ জন নারী", "11 naista", None, None, "11 женщин", "11 మంది మహిళలు"),
    "100 films": (
        "100 فيلم",
        "১০০টি চলচ্চিত্র",
        "100 elokuvaa",
        "100本",
        "100편",
        "100 фильмов",
        "100 చిత్రాలు",
    ),
    "50 cents": ("50 سنتًا", "৫০ সেন্ট", "50 senttiä", "50セント", "50센트", "50 центов", "50 సెంట్లు"),
    "22 episodes": (
        "22 حلقة",
        "২২টি পর্ব",
        "22 jaksoa",
        "22話",
        "22화",
        "22 эпизода",
        "22 ఎపిసోడ్\u200cలు",
    ),
    "approximately 5 km": (
        "حوالي 5 كم",
        "প্রায় ৫ কিমি",
        "noin 5 km",
        "約5 km",
        "약 5km",
        "примерно 5 км",
        "సుమారు 5 కి.మీ.",
    ),
    "about 3 million people": (
        "حوالي 3 ملايين شخص",
        "প্রায় ৩০ লাখ মানুষ",
        "noin 3 miljoonaa ihmistä",
        "約300万人",
        "약 300만 명",
        "примерно 3 миллиона человек",
        "సుమారు 3 మిలియన్ల మంది ప్రజలు",
    ),
    "more than 20 years": (
        "أكثر من 20 سنة",
        "২০ বছরের বেশি",
        "yli 20 vuotta",
        "20年以上",
        "20년 이상",
        "более 20 лет",
        "20 సంవత్సరాల కంటే ఎక్కువ",
    ),
    "over 50 kilometers": (
        "أكثر من 50 كيلومترًا",
        "৫০ কিলোমিটারের বেশি",
        "yli 50 kilometriä",
        "50キロメートル以上",
        "50킬로미터 이상",
        "более 50 километров",
        "50 కిలోమీటర్ల కంటే ఎక్కువ",
    ),
    "more than 3 million people": (
        "أكثر من 3 ملايين شخص",
        "৩০ লাখের বেশি মানুষ",
        "yli 3 miljoonaa ihmistä",
        "300万人以上",
        "300만 명 이상",
        "более 3 миллионов человек",
        "3 మిలియన్ల కంటే ఎక్కువ మంది ప్రజలు",
    ),
    "more than 500": (
        "أكثر من 500",
        "৫০০-এর বেশি",
        "yli 500",
        "500以上",
        "500 이상",
        "более 500",
        "500 కంటే ఎక్కువ",
    ),
    "over 50%": (
        "أكثر من 50%",
        "৫০%-এর বেশি",
        "yli 50\u00a0%",
        "50%以上",
        "50% 이상",
        "более 50\u00a0%",
        "50% కంటే ఎక్కువ",
    ),
    "nearly $5 million": (
        "ما يقرب من 5 ملايين دولار",
        "প্রায় ৫০ লাখ ডলার",
        "lähes 5 miljoonaa dollaria",
        "500万ドル近く",
        "거의 500만 달러",
        "почти 5 миллионов долларов",
        "దాదాపు 5 మిలియన్ డాలర్లు",
    ),
    "over $1.5 billion": (
        "أكثر من 1.5 مليار دولار",
        "১৫০ কোটি ডলারের বেশি",
        "yli 1,5 miljardia dollaria",
        "15億ドル以上",
        "15억 달러 이상",
        "более 1,5 миллиарда долларов",
        "1.5 బిలియన్ డాలర్ల కంటే ఎక్కువ",
    ),
    "at least 12 students": (
        "12 طالبًا على الأقل",
        "অন্তত ১২ জন শিক্ষার্থী",
        "vähintään 12 opiskelijaa",
        "少なくとも12人",
        "최소 12명",
        "не менее 12 студентов",
        "కనీసం 12 మంది విద్యార్థులు",
    ),
    "fewer than 5 countries": (
        "أقل من 5 دول",
        "৫টির কম দেশ",
        "alle 5 maata",
        "5か国未満",
        "5개국 미만",
        "менее 5 стран",
        "5 కంటే తక్కువ దేశాలు",
    ),
    "less than 21 years": (
        "أقل من 21 سنة",
        "২১ বছরের কম",
        "alle 21 vuotta",
        "21年未満",
        "21년 미만",
        "менее 21 года",
        "21 సంవత్సరాల కంటే తక్కువ",
    ),
    "up to 10%": (
        "ما يصل إلى 10%",
        "সর্বোচ্চ ১০%",
        "enintään 10\u00a0%",
        "最大10%",
        "최대 10%",
        "до 10\u00a0%",
        "10% వరకు",
    ),
    "more than two thousand people": (
        "أكثر من 2,000 شخص",
        "২,০০০ জনের বেশি মানুষ",
        "yli 2\u00a0000 ihmistä",
        "2,000人以上",
        "2,000명 이상",
        "более 2\u00a0000 человек",
        "2,000 కంటే ఎక్కువ మంది ప్రజలు",
    ),
    "almost three years": (
        "ما يقرب من 3 سنوات",
        "প্রায় ৩ বছর",
        "lähes 3 vuotta",
        "3年近く",
        "거의 3년",
        "почти 3 года",
        "దాదాపు 3 సంవత్సరాలు",
    ),
    "at least 2 years": (
        None,
        "অন্তত ২ বছর",
        "vähintään 2 vuotta",
        "少なくとも2年",
        "최소 2년",
        "не менее 2 лет",
        "కనీసం 2 సంవత్సరాలు",
    ),
    "2 hours 30 minutes": (
        "ساعتان و30 دقيقة",
        "২ ঘন্টা ৩০ মিনিট",
        "2 tuntia 30 minuuttia",
        "2時間30分",
        "2시간 30분",
        "2 часа 30 минут",
        "2 గంటల 30 నిమిషాలు",
    ),
    "5 ft 10 in": (
        None,
        "৫ ফুট ১০ ইঞ্চি",
        "5 jalkaa 10 tuumaa",
        "5フィート10インチ",
        "5피트 10인치",
        "5 футов 10 дюймов",
        "5 అడుగుల 10 అంగుళాలు",
    ),
    "2 years and 6 months": (
        "سنتان و6 أشهر",
        "২ বছর ৬ মাস",
        "2 vuotta 6 kuukautta",
        "2年6か月",
        "2년 6개월",
        "2 года 6 месяцев",
        "2 సంవత్సరాల 6 నెలలు",
    ),
    "3 million years": (
        "3 ملايين سنة",
        "৩০ লাখ বছর",
        "3 miljoonaa vuotta",
        "300万年",
        "300만년",
        "3 миллиона лет",
        "3 మిలియన్ సంవత్సరాలు",
    ),
    "145 million years ago": (
        "قبل 145 مليون سنة",
        "১৪.৫ কোটি বছর আগে",
        "145 miljoonaa vuotta sitten",
        "1億4500万年前",
        "1억 4500만년 전",
        "145 миллионов лет назад",
        "145 మిలియన్ సంవత్సరాల క్రితం",
    ),
    "100 years ago": (
        "قبل 100 سنة",
        "১০০ বছর আগে",
        "100 vuotta sitten",
        "100年前",
        "100년 전",
        "100 лет назад",
        "100 సంవత్సరాల క్రితం",
    ),
    "3 species": ("3 أنواع", "৩টি প্রজাতি", "3 lajia", "3種", "3종", "3 вида", "3 జాతులు"),
}
MONEY = {
    "$5 million": (
        "5 ملايين دولار",
        "৫০ লাখ ডলার",
        "5 miljoonaa dollaria",
        "500万ドル",
        "500만 달러",
        "5 миллионов долларов",
        "5 మిలియన్ డాలర్లు",
    ),
    "$1": (None, "১ ডলার", "1 dollari", "1ドル", "1달러", "1 доллар", "1 డాలర్"),
    "US$ 1,200": (
        "1,200 دولار",
        "১,২০০ ডলার",
        "1\u00a0200 dollaria",
        "1,200ドル",
        "1,200달러",
        "1\u00a0200 долларов",
        "1,200 డాలర్లు",
    ),
    "US$1.2bn": (
        "1.2 مليار دولار",
        "১২০ কোটি ডলার",
        "1,2 miljardia dollaria",
        "12億ドル",
        "12억 달러",
        "1,2 миллиарда долларов",
        "1.2 బిలియన్ డాలర్లు",
    ),
    "£30": (
        "30 جنيهًا إسترلينيًا",
        "৩০ পাউন্ড",
        "30 puntaa",
        "30ポンド",
        "30파운드",
        "30 фунтов стерлингов",
        "30 పౌండ్లు",
    ),
    "£2 million": (
        "2 مليون جنيه إسترليني",
        "২০ লাখ পাউন্ড",
        "2 miljoonaa puntaa",
        "200万ポンド",
        "200만 파운드",
        "2 миллиона фунтов стерлингов",
        "2 మిలియన్ పౌండ్లు",
    ),
    "$3 billion": (
        "3 مليارات دولار",
        "৩০০ কোটি ডলার",
        "3 miljardia dollaria",
        "30億ドル",
        "30억 달러",
        "3 миллиарда долларов",
        "3 బిలియన్ డాలర్లు",
    ),
    "5 million dollars": (
        "5 ملايين دولار",
        "৫০ লাখ ডলার",
        "5 miljoonaa dollaria",
        "500万ドル",
        "500만 달러",
        "5 миллионов долларов",
        "5 మిలియన్ డాలర్లు",
    ),
    "20 euros": ("20 يورو", "২০ ইউরো", "20 euroa", "20ユーロ", "20유로", "20 евро", "20 యూరోలు"),
    "EUR 500": (
        "500 يورو",
        "৫০০ ইউরো",
        "500 euroa",
        "500ユーロ",
        "500유로",
        "500 евро",
        "500 యూరోలు",
    ),
    "5 million yen": (
        "5 ملايين ين",
        "৫০ লাখ ইয়েন",
        "5 miljoonaa jeniä",
        "500万円",
        "500만 엔",
        "5 миллионов иен",
        "5 మిలియన్ యెన్లు",
    ),
    "$50k": (
        "50 ألف دولار",
        "৫০ হাজার ডলার",
        "50 tuhatta dollaria",
        "5万ドル",
        "5만 달러",
        "50 тысяч долларов",
        "50 వేల డాలర్లు",
    ),
}


@pytest.mark.parametrize(("text", "lang", "form"), each(NUMBERS))
def test_numbers(text, lang, form):
    assert apply_rules(text, lang) == (form and (form, "rule:number"))


@pytest.mark.parametrize(("text", "lang", "form"), each(MONEY))
def test_money(text, lang, form):
    assert apply_rules(text, lang) == (form and (form, "rule:money"))


@pytest.mark.parametrize(
    "text",
    [
        *("Under 21", "Over 18", "about 1066", "about a boy", "more than words"),
        *("2001 season", "1984 film", "long ago", "5 km ago"),
        *("50 Cent", "5 pounds", "12 angry men"),
        *("3 to 2 weeks", "2 and 3 weeks", "2 hours 30 years", "1.5 people", "about", "$5 to"),
    ],
)
def test_what_may_be_something_else_is_left_alone(text):
    assert [apply_rules(text, lang) for lang in ("ar", "ja", "ru")] == [None] * 3


@pytest.mark.parametrize(
    ("text", "lang", "to", "expected"),
    [
        ("300万人", "ja", "ko", "300만 명"),
        ("300만 명", "ko", "ja", "300万人"),
        ("500만 달러", "ko", "en", "5 million US dollars"),
        ("5 milj. dollaria", "fi", "en", None),
        ("5 miljoonaa dollaria", "fi", "en", "5 million US dollars"),
        ("5 миллионов фунтов стерлингов", "ru", "en", "5 million British pounds"),
        ("5 ملايين دولار", "ar", "en", "5 million US dollars"),
        ("৫০ লাখ ডলার", "bn", "en", "5 million US dollars"),
    ],
)
def test_other_languages_have_the_short_forms_too(text, lang, to, expected):
    localised = apply_rules(text, to, lang)
    assert (localised and localised[0]) == expected


@pytest.mark.parametrize(
    ("source", "text", "to", "expected"),
    [
        ("ja", "約300万", "en", "about 3 million"),
        ("fi", "noin 5 km", "ja", "約5 km"),
        ("ko", "약 300만", "fi", "noin 3 miljoonaa"),
        ("ru", "примерно 20", "en", "about 20"),
        ("fi", "yli 5000", "en", "over 5000"),
        ("ja", "300以上", "en", "at least 300"),
        ("ru", "до 5", "en", None),  # also "before 5"
        ("zh", "14億", "en", "1.4 billion"),
        ("zh", "三億五千萬", "en", "350 million"),
    ],
)
def test_amounts_with_bounds_of_other_languages(
    source: str, text: str, to: str, expected: str | None
) -> None:
    localised = apply_rules(text, to, source)
    assert (localised and localised[0]) == expected


def test_a_language_without_the_form_leaves_the_text_alone():
    assert apply_rules("2 to 3 weeks", "de") == ("2–3 Wochen", "rule:number")
    assert apply_rules("about 3 weeks", "de") is None
    assert apply_rules("22 episodes", "de") is None
    assert apply_rules("$5 million", "de") == ("5 Millionen US-Dollar", "rule:money")
