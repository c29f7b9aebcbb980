"""Questions in many languages: none is taken for another language without a flag."""

import pytest

from xorqa.core.text.detection import UNSURE, detect, main_script

QUESTIONS = """\
en Who is 李小龙?
en Who is "李小龙"?
en What does «добро пожаловать» mean?
en What is the meaning of شكرا?
en The Kuura museum opened on 3 May 1987.
en When was Владимир Путин born?
en Who wrote Война и мир?
en Where is Köln?
en What is 東京?
en How old is Björn Borg?
en When did the museum open?
de Wer ist 李小龙?
de Wann wurde die Berliner Mauer gebaut?
de Wo liegt Ulan Bator?
fr Qui est 李小龙 ?
fr Quelle est la capitale du Japon ?
es ¿Quién es Владимир Путин?
es ¿Cuándo nació Cervantes?
pt Quem descobriu o Brasil?
it Chi ha scritto la Divina Commedia?
ca Quina és la capital d'Andorra?
gl Cal é a capital de Galicia?
ro Care este capitala României?
nl Wanneer werd Ajax opgericht?
af Wat is die hoofstad van Suid-Afrika?
sv Vem skrev Röda rummet?
da Hvornår blev dronningen født?
no Hvor ligger Hardangervidda?
nn Kva heiter hovudstaden i Noreg?
is Hver er höfuðborg Íslands?
fi Mikä on Suomen pääkaupunki?
fi Kuka on 李小龙?
et Mis on Eesti pealinn?
hu Mikor alapították Budapestet?
pl Kto napisał Pana Tadeusza?
cs Kdy byla založena Karlova univerzita?
sk Kto je prezidentom Slovenska?
sl Kdaj je bila ustanovljena Ljubljana?
hr Tko je napisao Zlatarovo zlato?
bs Gdje se nalazi Stari most?
sr Где се налази Авала?
sr Kada je izgrađen Beogradski sajam?
sq Cili është kryeqyteti i Shqipërisë?
lt Kas yra Lietuvos sostinė?
lv Kas ir Latvijas galvaspilsēta?
tr Türkiye'nin başkenti neresidir?
az Azərbaycanın paytaxtı haradır?
az Азәрбајҹанын пајтахты һансы шәһәрдир?
uz O'zbekiston poytaxti qaysi shahar?
id Siapa presiden pertama Indonesia?
ms Bilakah Malaysia mencapai kemerdekaan?
tl Sino ang unang pangulo ng Pilipinas?
vi Thủ đô của Việt Nam là gì?
sw Mji mkuu wa Tanzania ni upi?
so Waa maxay caasimadda Soomaaliya?
ha Wane ne shugaban Najeriya na farko?
yo Kí ni olú ìlú Nàìjíríà?
ig Gịnị bụ isi obodo Naịjirịa?
zu Ngubani umongameli wokuqala?
ht Ki kapital peyi Ayiti?
eu Zein da Euskal Herriko hiriburua?
cy Beth yw prifddinas Cymru?
ga Cad é príomhchathair na hÉireann?
eo Kio estas la ĉefurbo de Francio?
la Quis fuit primus imperator Romanus?
mt X'inhi l-belt kapitali ta' Malta?
ru Кто такой Брюс Ли?
ru Что такое Machine Learning?
uk Яке місто є столицею України?
be Які горад з'яўляецца сталіцай Беларусі?
bg Коя е столицата на България?
mk Кој е главниот град на Македонија?
kk Қазақстанның астанасы қай қала?
ky Кыргызстандын борбору кайсы шаар?
mn Монгол улсын нийслэл аль хот вэ?
tg Пойтахти Тоҷикистон кадом шаҳр аст?
el Ποια είναι η πρωτεύουσα της Ελλάδας;
he מהי בירת ישראל?
yi ווער איז געווען שלום עליכם?
ar ما هي عاصمة مصر؟
ar ما هو machine learning؟
fa پایتخت ایران کجاست؟
ur پاکستان کا دارالحکومت کیا ہے؟
ps د افغانستان پلازمېنه چېرته ده؟
ku پایتەختی کوردستان کوێیە؟
ku Paytexta Kurdistanê kîjan bajar e?
ug جۇڭگونىڭ پايتەختى قايسى؟
hi भारत की राजधानी क्या है?
hi Bharat ka pradhan mantri kaun hai?
hi Taj Mahal kisne banwaya tha?
mr महाराष्ट्राची राजधानी कोणती आहे?
ne नेपालको राजधानी कुन हो?
bn বাংলাদেশের রাজধানী কোথায়?
as অসমৰ ৰাজধানী ক'ত?
ta தமிழ்நாட்டின் தலைநகரம் எது?
te తెలంగాణ రాజధాని ఏది?
th เมืองหลวงของประเทศไทยคืออะไร
lo ນະຄອນຫຼວງຂອງລາວແມ່ນຫຍັງ
km រាជធានីនៃប្រទេសកម្ពុជាជាអ្វី?
my မြန်မာနိုင်ငံ၏ မြို့တော်မှာ အဘယ်နည်း။
am የኢትዮጵያ ዋና ከተማ ማን ናት?
ti ርእሰ ከተማ ኤርትራ መን ኣላ?
ti ዋና ከተማ ኤርትራ ኣስመራ እያ
bo བོད་ཀྱི་རྒྱལ་ས་གང་ཡིན།
ka რომელია საქართველოს დედაქალაქი?
hy Ո՞րն է Հայաստանի մայրաքաղաքը:
ja 東京都知事選挙結果
ja 日本国総理大臣一覧
ja WHOの本部はどこですか？
ja 富士山の高さは？
zh iPhone 15 Pro Max 价格
zh python 怎么读取文件
zh 北京奥运会是哪一年？
zh 台灣最高的山是哪一座？
ko BTS 멤버는 누구인가?
ko 대한민국의 수도는 어디인가요?
ru Kto napisal Voynu i mir?
ru Gde rodilsya Pushkin?
ru Stolitsa Rossii
ar Ma hiya asimat Misr?
ar shu ismak?
el Poia einai i protevousa tis Elladas?
el Pou gennithike o Sokratis?
dv ދިވެހިރާއްޖޭގެ ވެރިރަށަކީ ކޮބާ؟
sd سنڌ جي گادي جو هنڌ ڪهڙو آهي؟
mg Inona no renivohitr'i Madagasikara?
sn Guta guru reZimbabwe nderipi?
rw Umurwa mukuru w'u Rwanda ni uwuhe?
ti ርእሰ ከተማ ኤርትራ እንታይ እዩ?
en What is naïveté?
en Where is the Müller-Straße?
pt Quem escreveu Os Lusíadas?
be Хто напісаў Новую зямлю?
mk Кој ја напиша книгата?
lb Wien huet dëst Buch geschriwwen?
fy Wa hat dit boek skreaun?
br Piv en deus skrivet al levr-mañ?
jv Apa kutha krajan Jawa Tengah?
"""
ROWS = [line.split(" ", 1) for line in QUESTIONS.splitlines()]
RELATED = {"bs": {"hr", "sr"}, "sr": {"bs", "hr"}, "no": {"nb"}}
"""Languages that a few words do not tell apart, even for a reader."""

CERTAIN = [
    ("Who is 李小龙?", "en"),
    ("who is 李小龙", "en"),
    ("Wer ist 李小龙?", "de"),
    ("Who wrote Война и мир?", "en"),
    ("What does «добро пожаловать» mean?", "en"),
    ("Что такое Machine Learning?", "ru"),
    ("ما هو machine learning؟", "ar"),
    ("WHOの本部はどこですか？", "ja"),
    ("Harry Potter的作者是谁?", "zh"),
    ("gone with the wind의 작가는 누구인가?", "ko"),
    ("Кто пел песню i want to be with you everywhere", "ru"),
    ("WhatsApp का मालिक कौन है?", "hi"),
    ("Facebook ก่อตั้งเมื่อไหร่", "th"),
]
UNCERTAIN = [
    *("東京都", "首都高速道路", "ርእሰ ከተማ ኤርትራ መን ኣላ?", "ווער איז געווען שלום עליכם?"),
    *("پایتەختی کوردستان کوێیە؟", "Bharat ki rajdhani kya hai?", "Kogda rodilsya Pushkin?"),
    *("Ngubani owabhala le ncwadi?", "Yeh kitaab kis ne likha tha?", "godan kis ne likha tha"),
    *("Ma hiya asimat Misr?", "Poia einai i protevousa tis Elladas?", "Mozart", "Kuura"),
]


def test_there_are_enough_questions() -> None:
    assert len(ROWS) >= 104


@pytest.mark.parametrize(("code", "text"), ROWS)
def test_no_question_is_in_another_language_without_a_flag(code: str, text: str) -> None:
    detected = detect(text)
    assert detected.lang in {code, *RELATED.get(code, ())} or detected.probability < UNSURE


def test_most_questions_are_right_and_few_are_flagged() -> None:
    results = [(code, detect(text)) for code, text in ROWS]
    assert sum(detected.lang == code for code, detected in results) > 0.95 * len(ROWS)
    assert sum(detected.probability < UNSURE for _, detected in results) < 0.2 * len(ROWS)


@pytest.mark.parametrize(("text", "code"), CERTAIN)
def test_names_in_other_scripts_do_not_decide(text: str, code: str) -> None:
    detected = detect(text)
    assert detected.lang == code and detected.probability >= UNSURE


@pytest.mark.parametrize("text", UNCERTAIN)
def test_what_cannot_be_known_is_flagged(text: str) -> None:
    assert detect(text).probability < UNSURE


def test_a_long_text_of_many_function_words() -> None:
    assert detect("the cat is on the mat and the dog " * 500).lang == "en"


def test_the_script_of_the_sentence_counts() -> None:
    assert main_script("Who is 李小龙?") == "Latn"
    assert main_script("Python 怎么读取文件？") == "Hans"
    assert main_script("iPhone の価格") == "Jpan"


def test_digits_of_a_script_are_no_words() -> None:
    assert main_script("abc ౧౯౮౭") in ("Latn", "Telu")
    assert detect("The year ౧౯౮౭ was good").lang == "en"
