# %% [markdown]
# # 2a. Lexical search
#
# **The question of this lesson:** how does a search engine find a passage by its words, and why
# does it fail when question and passage are in different languages?
#
# *Lexical* retrieval compares words: cut a text into tokens, count them, weigh them. Its standard
# formula is BM25, with which several baselines of
# [XOR QA](https://aclanthology.org/2021.naacl-main.46) search, too (Asai et al. 2021, section 3.1).
#
# - **Level:** beginner
# - **Time:** 35 minutes of reading, 20 of exercises
# - **You need:** Python; lesson 1 helps
# - **You will be able to:** predict what an analyzer makes of a word in eight languages; compute
#   and explain a BM25 score by hand; say which questions BM25 can answer across languages, and why

# %%
from math import log

from lessons import claim, draw, pick, table
from lessons import lexical_search as lesson

import xorqa
from xorqa.core.text.search_tokens import tokens

LANGS = lesson.LANGS
world = xorqa.load_dataset("mini")
english = world.corpora["en"]
crossing = lesson.crossing()  # the questions that only English passages answer
print(f"{len(crossing)} questions in {len(LANGS)} languages, {len(english)} English passages")

# %% [markdown]
# ## From text to tokens
#
# An index holds no text, only tokens. An *analyzer* makes them, so it decides which spellings count
# as the same word. Ours normalises characters (NFKC, case), then treats each script in its own way.
#
# **Predict first.** The Finnish sample below is one name three times, *Helsinki, Helsingissä,
# HELSINGISTÄ* (Helsinki, in Helsinki, from Helsinki); the Korean one is *Paris, of Paris, in
# Paris*. If you search for the first form, how many of the other two match? Write two numbers down,
# one for Finnish and one for Korean.

# %% tags=["check"]
SAMPLES = lesson.SAMPLES
rows = [(lang, text, " · ".join(tokens(text, lang))) for lang, text in SAMPLES.items()]
table("What the analyzer makes of a text", ("lang", "text", "tokens"), rows, labels=3)

# %% [markdown]
# - English loses its *stop words*, which occur everywhere and carry little meaning.
# - Marks that some writers leave out are dropped: the stress on Москва́, Arabic vowel signs.
#   Digits become ASCII, those of full width and of every script.
# - Japanese and Korean become *bigrams*, all pairs of neighbouring characters, because Japanese is
#   written without spaces and Korean attaches particles to nouns. So 파리 matches 파리에서.
# - Elsewhere a word is what stands between spaces. The three Finnish forms become three unrelated
#   tokens. Arabic is the exception: the article (ال) is cut off, here also behind "and" (و).
#
# The last point has two remedies. A *stemmer* cuts endings off by rule; NLTK has those of the
# Snowball project. *Character trigrams* need no rules: a word becomes all its runs of three
# letters, and forms of a word share many of them, even where a consonant changes inside the word,
# as in Helsinki and Helsingissä. There the stemmer makes two different stems.

# %% tags=["claim"]
made = {code: tokens(text, code) for code, text in SAMPLES.items()}
claim("stop words are dropped", made["en"] == ["elements", "discovered", "curies"], en=made["en"])
claim("the stress mark is dropped", made["ru"][0] == "москва", ru=made["ru"])
claim("vowel signs, article and 'and' are dropped", set(made["ar"]) == {"كتاب"}, ar=made["ar"])
claim("full-width digits become ASCII", "1938" in made["ja"], ja=made["ja"])
claim("Bengali digits become ASCII", "1913" in made["bn"], bn=made["bn"])
claim("파리 matches 파리에서", made["ko"].count("파리") == 3, ko=made["ko"])
claim("three forms of Helsinki are three tokens", len(set(made["fi"])) == 3, fi=made["fi"])
helsinki, in_helsinki = lesson.stems("Helsinki Helsingissä", "fi")
claim("the stemmer makes two stems", helsinki != in_helsinki, stems=(helsinki, in_helsinki))
first, second = (set(lesson.trigrams(form, "fi")) for form in ("Helsinki", "Helsingissä"))
claim("forms share many trigrams", 2 * len(first & second) >= len(first), first=first, other=second)


# %%
def three_cuts(lang):
    """A sample as words, as stems where there is a stemmer, and as trigrams."""
    cuts = {"words": tokens, "stems": lesson.stems, "trigrams": lesson.trigrams}
    if lang not in lesson.STEMMED:
        del cuts["stems"]
    rows = [(name, " · ".join(cut(SAMPLES[lang], lang))) for name, cut in cuts.items()]
    return table(SAMPLES[lang], ("cut into", "tokens"), rows, labels=2)


pick("language", {lang: lang for lang in ("fi", "ru", "ar", "bn", "te")}, three_cuts)

# %% [markdown] tags=["instructor"]
# **About 8 minutes.** The right numbers are 0 and 2. Expect 2 for Finnish from students who believe
# that an analyzer knows the language. Neither language is analysed by rules here: Finnish shows
# what that costs, Korean that bigrams do much of the work of a dictionary. Ask what a bigram index
# matches wrongly (words that share a pair of characters by chance). Exercise 1 fits in here.

# %% [markdown]
# ## BM25 by hand
#
# Five passages and a question: who discovered francium?

# %%
FIVE = lesson.FIVE
table(lesson.QUESTION, ("docid", "passage"), [(one.docid, one.text) for one in FIVE], labels=2)

# %% [markdown]
# BM25 adds up one term for each token of the question:
#
# $$\mathrm{idf}\cdot\frac{tf}{tf + k_1\,(1 - b + b\cdot l/\bar l)}
# \qquad \mathrm{idf} = \ln\Bigl(1 + \frac{N - df + 0.5}{df + 0.5}\Bigr)$$
#
# - *tf*: how often the token occurs in the passage. The second occurrence adds less than the first;
#   $k_1$ controls how much less.
# - *df*: how many of the $N$ passages have the token. A rare token weighs more.
# - $l$: the passage's length in tokens, $\bar l$ the mean. A long passage has many words without
#   being about them; $b$ controls how much that counts.
#
# Textbooks multiply by $k_1 + 1$, which changes no order; Lucene and this library leave it out. The
# library's defaults are $k_1 = 0.9$ and $b = 0.4$; here they are the same.
#
# **Predict first.** In which order does BM25 rank the five passages? Write five letters down.


# %%
def idf(token, passages):
    """How much a token weighs: more, the fewer passages have it."""
    df = sum(token in passage for passage in passages)
    return log(1 + (len(passages) - df + 0.5) / (df + 0.5))


def bm25(query, passages, *, k1=0.9, b=0.4):
    """The score of each passage; the query and the passages are lists of tokens."""
    mean = sum(map(len, passages)) / len(passages)
    scores = [0.0] * len(passages)
    for token in query:
        weight = idf(token, passages)
        for at, passage in enumerate(passages):
            if tf := passage.count(token):
                relative_length = len(passage) / mean
                scores[at] += weight * tf / (tf + k1 * (1 - b + b * relative_length))
    return scores


# %% tags=["check"]
five = [tokens(one.text, "en") for one in FIVE]
query = tokens(lesson.QUESTION, "en")
by_hand = bm25(query, five)

retriever = xorqa.Bm25(corpus=FIVE, folder=lesson.folder("five"))
question = xorqa.Question("five", lesson.QUESTION, "en")
(hits,) = retriever.retrieve([xorqa.Query(question, question.text, "en")], k=5)
library = {hit.passage.docid: hit.score for hit in hits}

for token in query:
    print(f"idf({token}) = {idf(token, five):.3f}")
rows = []
for one, passage, score in zip(FIVE, five, by_hand, strict=True):
    tfs = [passage.count(token) for token in query]
    rows.append((one.docid, *tfs, len(passage), f"{score:.3f}", f"{library[one.docid]:.3f}"))
table("BM25", ("docid", *(f"tf {token}" for token in query), "length", "by hand", "library"), rows)

# %% [markdown]
# *a* has both words and is short. *d* has both and is long. *b* says "francium" twice, the rarer of
# the two. *c* and *e* have only the commoner one, and *e* is the shorter. The next picture shows
# what $k_1$ and $b$ do to one term.

# %% tags=["claim"]
scores = dict(zip("abcde", by_hand, strict=True))
gaps = [abs(score - library[docid]) for docid, score in scores.items()]
claim("BM25 by hand is the library's", max(gaps) < 1e-5, gaps=gaps)
order = sorted(scores, key=scores.get, reverse=True)
claim("the order is a d b e c", order == [*"adbec"], **scores)
claim("francium is the rarer word", idf("francium", five) > idf("discovered", five))
claim("e is shorter than c", len(five[4]) < len(five[2]))

# %%
draw(
    lesson.curves(),
    "Two diagrams of the share of its idf that a token contributes. Left: it rises with the "
    "occurrences and levels off, more slowly for a larger k1. Right: it falls with the length of "
    "the passage, more steeply for a larger b; with b = 0 it is level.",
)

# %% [markdown]
# The same function scores the whole English part of the world, for every question in its human
# translation. They agree with the library:

# %% tags=["check"]
lexical = xorqa.Bm25(corpus=english, folder=lesson.folder("bm25"))
translated = [xorqa.Query(one.question, one.human_translation, "en") for one in crossing]
words_translated = lexical.retrieve(translated, k=100)

english_tokens = [tokens(passage.titled, "en") for passage in english]
agree = 0
for one, hits in zip(translated, words_translated, strict=True):
    ours = sorted(bm25(tokens(one.text, "en"), english_tokens), reverse=True)
    agree += all(abs(score - hit.score) < 0.001 for score, hit in zip(ours, hits, strict=False))
print(f"the same scores for {agree} of {len(crossing)} questions")

# %% tags=["claim"]
claim("by hand and library agree on all", agree == len(crossing), agree=agree)

# %% [markdown] tags=["instructor"]
# **About 10 minutes.** Expect *b* in the second place ("it says francium twice"). Let them compute
# the two idf values with $N = 5$ before they see the table, then what the second "francium" adds to
# *b*: less than one "discovered" adds to *d*. Ask which $b$ puts *d* behind *b*, and try it:
# `bm25(query, five, b=1)`. The "1 +" in the idf is Lucene's: without it a token in more than half
# of the passages would have a negative weight.

# %% [markdown]
# ## What word forms cost
#
# Now the three ways to cut words can be compared. Each language asks its other twelve questions,
# those that passages in the same language answer, so nothing crosses a language yet. How often is
# the gold passage the first hit?


# %%
def count_first(lang, cut):
    """For how many same-language questions the gold passage has the highest score."""
    corpus = world.corpora[lang]
    passages = [cut(passage.titled, lang) for passage in corpus]
    correct = 0
    for one in world.examples:
        if one.question.lang == lang and one.answered_in == "target":
            scores = bm25(cut(one.question.text, lang), passages)
            best = corpus.passages[scores.index(max(scores))]
            correct += max(scores) > 0 and best.docid == lesson.gold_docid(one)
    return correct


# %% tags=["check"]
by_words = {lang: count_first(lang, tokens) for lang in LANGS}
by_stems = {lang: count_first(lang, lesson.stems) for lang in lesson.STEMMED}
by_trigrams = {lang: count_first(lang, lesson.trigrams) for lang in LANGS}
rows = [
    (
        lang,
        lesson.lucene_analyzer(lang),
        by_words[lang],
        by_stems.get(lang, "–"),
        by_trigrams[lang],
    )
    for lang in LANGS
]
header = ("lang", "analyzer of lucene", "words", "stems", "trigrams")
table("Gold passage first, of 12 questions", header, rows, labels=2)

# %% [markdown]
# Finnish and Russian inflect their nouns, so whole words miss many passages. In Finnish trigrams
# find 10 instead of 5, and stems 6; in Russian both find 9 instead of 6. Every other difference is
# one or two questions: Telugu, which has no Snowball stemmer, gains two by trigrams, and Arabic
# loses one by stems and one by trigrams. The tokens of Japanese and Korean are mostly two
# characters long already, so nothing changes. The price of trigrams is a larger index, for Finnish
# more than four times as many entries. Twelve questions a language prove little.
#
# The second column names the Lucene analyzer that the retriever `lucene` uses for each language.
# All but the one for Korean have rules or a dictionary of their language; `CJKAnalyzer` makes
# bigrams as ours does. Lucene also has nori, which analyses Korean word forms, but `lucene` does
# not use it. This retriever needs an extra, and no lesson needs it.

# %% tags=["claim"]
counted = {"words": by_words, "stems": by_stems, "trigrams": by_trigrams}
finnish, russian, telugu, arabic = (
    [counts.get(lang) for counts in counted.values()] for lang in ("fi", "ru", "te", "ar")
)
claim("Finnish: 5 by words, 6 by stems, 10 by trigrams", finnish == [5, 6, 10], **counted)
claim("Russian: 6, and 9 by both", russian == [6, 9, 9], **counted)
claim("Telugu gains two by trigrams", telugu == [9, None, 11], **counted)
claim("Arabic loses one by each", arabic == [12, 11, 11], **counted)
claim("nothing changes for Bengali", by_trigrams["bn"] == by_words["bn"], **counted)
claim("ja and ko stay", all(by_trigrams[x] == by_words[x] for x in ("ja", "ko")), **counted)
claim("12 questions a language", len(world.examples) - len(crossing) == 12 * len(LANGS))
entries = [
    sum(len(set(cut(one.titled, "fi"))) for one in world.corpora["fi"])
    for cut in (tokens, lesson.trigrams)
]
claim("more than four times as many entries", entries[1] / entries[0], entries=entries)
claim("bigrams for Korean", lesson.lucene_analyzer("ko") == "CJKAnalyzer")

# %% [markdown]
# ## Why words do not cross languages
#
# Back to the questions that only English passages answer, now as they were asked.
#
# **Predict first.** For how many of the 84 questions is the gold passage among the first ten hits?
# Which of the seven languages does best, and why? Write down a number, a language and a reason.

# %% tags=["check"]
as_asked = [xorqa.Query(one.question, one.question.text, one.question.lang) for one in crossing]
words_asked = lexical.retrieve(as_asked, k=100)


def in_ten(runs, lang):
    """How many questions of a language have their gold passage among the first ten hits."""
    pairs = [pair for pair in zip(crossing, runs, strict=True) if pair[0].question.lang == lang]
    return sum(lesson.rank(hits[:10], one) is not None for one, hits in pairs)


rows, in_common = [], {}
for lang in LANGS:
    of_lang = [one for one in crossing if one.question.lang == lang]
    in_common[lang] = sorted(set().union(*map(lesson.shared, of_lang)))
    counts = (in_ten(words_asked, lang), in_ten(words_translated, lang))
    rows.append((lang, " ".join(in_common[lang]) or "–", *counts))
header = ("lang", "tokens shared with gold passages", "as asked", "translated")
table("Gold passage among the first ten, of 12 questions", header, rows, labels=2)

# %% [markdown]
# The shared tokens are numbers, and names where both languages use Latin letters. That is why
# Finnish does best, not because Finnish resembles English. A question in another script meets the
# English passage in a number at most, or a sign like E7. In a human translation every question
# finds its passage: nothing was wrong with BM25, it had nothing to compare. So one way out is to
# translate the question first, as several of XOR QA's baselines do (section 3.1). The other is to
# compare something other than words: [lesson 2b](02b_dense_search.ipynb).

# %% tags=["claim"]
asked_in_ten = {lang: in_ten(words_asked, lang) for lang in LANGS}
others = [lang for lang in LANGS if lang != "fi"]
claim(
    "Finnish shares most, and finds most",
    all(
        len(in_common["fi"]) > len(in_common[x]) and asked_in_ten["fi"] > asked_in_ten[x]
        for x in others
    ),
    in_common=in_common,
    asked_in_ten=asked_in_ten,
)
claim(
    "other scripts share numbers, or signs with one",
    all(any(sign.isdigit() for sign in token) for lang in others for token in in_common[lang]),
    in_common=in_common,
)
claim("there are 84 questions", len(crossing) == 84)
claim("translated, all find it", all(in_ten(words_translated, lang) == 12 for lang in LANGS))

# %% [markdown] tags=["instructor"]
# **About 7 minutes.** Collect the guesses before the table, then ask for the reason behind Finnish.
# "It is close to English" is the answer to correct: Finnish is not even Indo-European. Then ask for
# which of these questions BM25 would find the passage if they were in Swahili (those with names:
# the script matters, not the family).

# %% [markdown]
# ## The answer
#
# **BM25 finds a passage by the rare tokens it shares with the question, so everything depends on
# how words are cut; across languages almost nothing is shared but numbers and names in the same
# script, and no weighting can score a token that is missing.**
#
# ## Exercises
#
# Fill in each `...` and run the cell below it: it says whether the answer is right, and why.
#
# ### Exercise 1: trigrams
#
# Write the function that cuts words into trigrams.


# %% tags=["exercise"]
def cut_trigrams(words):
    """All runs of three characters of each word, in order; a shorter word stays whole."""
    return ...


# %% tags=["solution"]
def cut_trigrams(words):
    """All runs of three characters of each word, in order; a shorter word stays whole."""
    return [word[at : at + 3] for word in words for at in range(max(1, len(word) - 2))]


# %% tags=["grade"]
lesson.check_1(cut_trigrams)

# %% [markdown]
# ### Exercise 2: BM25 without $k_1$
#
# Which of the five passages share the highest score for "Who discovered francium?" if $k_1 = 0$?
# Decide with the formula before you run anything.

# %% tags=["exercise"]
answer_2 = ...  # a set of docids, like {"b", "e"}

# %% tags=["solution"]
without_k1 = bm25(query, five, k1=0)
answer_2 = {
    one.docid
    for one, score in zip(FIVE, without_k1, strict=True)
    if abs(score - max(without_k1)) < 1e-9
}

# %% tags=["grade"]
lesson.check_2(answer_2)

# %% [markdown]
# ### Exercise 3: digits
#
# The Bengali question mini-bn-01 has the year ১৯১৩, the passage that answers it has 1913. The
# analyzer makes one token of both. Write the function that does so: it turns the digits of every
# script into ASCII. (`"৩".isdecimal()` is true; what is `int("৩")`?)


# %% tags=["exercise"]
def ascii_digits(text):
    """The text with every decimal digit, of any script, as 0 to 9."""
    return ...


# %% tags=["solution"]
def ascii_digits(text):
    """The text with every decimal digit, of any script, as 0 to 9."""
    return "".join(str(int(sign)) if sign.isdecimal() else sign for sign in text)


# %% tags=["grade"]
lesson.check_3(ascii_digits)

# %% [markdown]
# ### Exercise 4: the ceiling
#
# Whatever $k_1$ and $b$ are, BM25 can score a passage only if it shares a token with the question.
# Write the function that returns this ceiling: of the questions of each language, the percentage
# that share at least one token with their gold passage.


# %% tags=["exercise"]
def ceiling(pairs):
    """Language to percentage; `pairs` has (language, set of shared tokens) for each question."""
    return ...


# %% tags=["solution"]
def ceiling(pairs):
    """Language to percentage; `pairs` has (language, set of shared tokens) for each question."""
    by_lang = {}
    for lang, shared in pairs:
        by_lang.setdefault(lang, []).append(len(shared) > 0)
    return {lang: 100 * sum(found) / len(found) for lang, found in by_lang.items()}


# %% tags=["grade"]
lesson.check_4(ceiling)

# %% [markdown] tags=["instructor"]
# **About 15 minutes for all four; 1 and 2 in class, 3 and 4 at home.** Typical: `range(len(word) -
# 3)` in 1, which loses the last run, and words of two letters that vanish; `{"a"}` in 2 by students
# who forget that $b$ acts only through $k_1$; `isdigit` in 3, which accepts ² and fails in `int`;
# one percentage for all languages in 4, which Finnish makes look good, or languages that vanish
# because nothing is shared in them.

# %% [markdown]
# ## Go on
#
# - [Lesson 2b](02b_dense_search.ipynb) compares vectors instead of words.
# - [Lesson 4](04_translate_or_not.ipynb) asks what a translation costs and what it is worth.
# - [The measures](../docs/concepts.md#the-measures) of retrieval.
