# %% [markdown]
# # 15. Answers that are written
#
# **The question of this lesson:** a language model has written answers, with quotations, and a
# language model has judged them. What of it can you believe, and how do you find out?
#
# Lesson 11 checks replies that were written by hand. These are real: recorded from a very small
# model, whose faults are so frequent that a few dozen replies show them. Judges and their biases:
# [Zheng et al. 2023](https://arxiv.org/abs/2306.05685).
#
# - **Level:** advanced
# - **Time:** 25 minutes of reading, 30 of exercises
# - **You need:** lessons 7b and 11; Python
# - **You will be able to:** measure whether written answers are in the right language and backed by
#   what they quote; test a judge before you trust it; tell whether it is stable enough for its
#   preferences to be measured

# %%
import numpy as np
from lessons import answers_that_are_written as lesson
from lessons import claim, mean_interval, table

LANGS, PASSAGES = lesson.LANGS, lesson.PASSAGES

# %% [markdown] tags=["instructor"]
# **Plan.** 30 minutes: replies 8, language and quotations 10, the judge 12. No model runs, so all
# cells are quick. Say twice that these are figures of a model of 135 million parameters: the
# measures carry over to yours, the figures do not. If you have an endpoint, show the live cell.

# %% [markdown]
# ## Replies
#
# The model was trained on English. It was asked 24 questions per language, each over one passage.
# A JSON schema holds it to the form of a reply: an answer of at most 80 characters or null, and at
# most one quotation of at most 200. Half of the Finnish and of the Japanese questions are over an
# English passage, the others over one in their own language. The English questions are the English
# versions of the first kind.

# %% tags=["check"]
for name, value in lesson.manifest().items():
    print(f"{name}: {value}")

# %%
lesson.reply_table("en", "right", first=4) + lesson.reply_table("fi", "right", first=4)

# %% [markdown]
# Each question was asked twice: over the passage that answers it (*right*), and over that of
# another question (*wrong*), where null is the only good reply.
#
# **Predict first.** The prompt says: "If the passages do not contain the answer, do not guess."
# How many of 24 times does the model reply null over the wrong passage, and over the right one? In
# which language does it answer Finnish and Japanese questions?


# %% tags=["check"]
def shares(name, of_all):
    """A property by language and passage: percent, exact 95 % interval, n replies."""
    for lang in LANGS:
        kept = [
            [one for one in lesson.answers(lang, p) if one.is_usable or of_all] for p in PASSAGES
        ]
        yield [lesson.share([getattr(one, name) for one in replies]) for replies in kept]


NAMES = {
    "complete JSON": "is_usable",
    "null": "abstains",
    "right (F1 at least 0.5)": "is_right",
    "names a gold answer": "names_gold",
    "the same, of all": "names_gold",
}
OF_ALL = ("complete JSON", "the same, of all")
rows = [
    (label, lang, *cells)
    for label, name in NAMES.items()
    for lang, cells in zip(LANGS, shares(name, label in OF_ALL), strict=True)
]
table("Replies, percent [95 %], n", ("", "asked in", "right passage", "wrong"), rows, labels=2)

# %% [markdown]
# The rows in the middle are shares of the complete replies. The model never replies null, so over
# the wrong passage each complete reply is one that should not have been given. Over a right
# passage, no complete reply is right by F1; 0 of 24 still allows up to 14 %. Over a wrong one, a
# single one is: “日本語の答え” shares enough pieces with the gold answer 「美しい日本の私」,
# but these are the prompt's words (“the answer in Japanese”).
#
# In Japanese the complete replies mislead. The 11 others over the right passage have a finished
# answer, too: our limit of 200 tokens cut the quotation after it. Five of these answers name a gold
# answer, and one, “1821年”, is it: 5 of 24 in the last row, where the row above has 0 of 13. Nine
# of the 12 replies over a Japanese passage are lost, 2 of the 12 over an English one. Look at what
# is dropped before you give an interval to the rest.
#
# F1 is made for spans. Four English answers name a gold answer among other words, and a person
# would accept some: “The world's first text message said "Merry Christmas" on a mobile phone.” F1
# asks too much of a sentence, and the last row too little: it counts “The answer is: 400.” with all
# its repetitions. Report both, and read.

# %% tags=["claim"]
every = [one for lang in LANGS for p in PASSAGES for one in lesson.answers(lang, p)]
claim("the model never replies null", not any(one.abstains for one in every))
right = [(one.passage, one.reply.answer) for one in every if one.is_right]
claim("a single one is", right == [("wrong", "日本語の答え")], right=right)
titles = [one.asked.golds[0] for one in every if one.is_right]
claim("its gold answer", titles == ["美しい日本の私"], titles=titles)
in_english = [row.right.lang == "en" for lang in LANGS[1:] for row in lesson.asked()[lang]]
claim("Half of the Finnish and of the Japanese questions are", np.mean(in_english))
named = [
    sum(one.names_gold for one in lesson.answers(lang, p) if one.is_usable)
    for lang in LANGS
    for p in PASSAGES
]
claim("four English ones name it", named[0] == 4 and named[0] > max(named[1:]), named=named)
sentences = [one.reply.answer for one in lesson.answers("en", "right") if one.names_gold]
claim(
    "said Merry Christmas",
    any(one.endswith('"Merry Christmas" on a mobile phone.') for one in sentences),
)
claim("0 of 24 allows up to 14 %", lesson.share([False] * 24) == "0 [0, 14], 24")
japanese = lesson.answers("ja", "right")
cut = [one for one in japanese if not one.is_usable]
claim("the 11 others have a finished answer", len(cut) == 11 and all(one.written for one in cut))
naming = [one for one in cut if one.names_gold]
claim("five of these name a gold answer", len(naming) == 5)
claim("one is it", [x.written for x in naming if x.written in x.asked.golds] == ["1821年"])
complete = [one.names_gold for one in japanese if one.is_usable]
claim("0 of 13", (sum(complete), len(complete)) == (0, 13))
claim("5 of 24", sum(one.names_gold for one in japanese) == 5)
lost = [one.asked.hits("right")[0].passage.lang for one in cut]
claim("nine and 2 lost", (lost.count("ja"), lost.count("en")) == (9, 2), lost=lost)
read = [one.asked.hits("right")[0].passage.lang for one in japanese]
claim("of the 12, of the 12", (read.count("ja"), read.count("en")) == (12, 12))
first_two = [one.reply.answer for one in lesson.answers("en", "right")[:2]]
claim("with all its repetitions", first_two[1].count("The answer is: 400.") == 4)

# %% [markdown]
# ## The right language
#
# `eval attribution` detects the language of each answer of more than 20 characters, as BERGEN does;
# shorter ones are names and numbers, which have none.
#
# ### Exercise 1: what is judged
#
# `detected` has None for answers that are too short. Return the share of answers in the question's
# language, from 0 to 1, and the number of answers that it is a share of.


# %% tags=["exercise"]
def right_language(asked, detected):
    """(share, n)."""
    return ...


# %% tags=["solution"]
def right_language(asked, detected):
    """(share, n)."""
    same = [one == other for one, other in zip(asked, detected, strict=True) if other is not None]
    return sum(same) / len(same), len(same)


# %% tags=["grade"]
lesson.check_1(right_language)

# %% [markdown]
# **Predict first.** What share of the Finnish and Japanese answers is in the question's language,
# and how many of these are only a piece of the prompt or of the question?

# %% tags=["check"]
rows = []
for lang in LANGS:
    replies = [one for one in lesson.answers(lang, "right") if one.is_usable]
    flags = [one.in_its_language for one in replies if one.in_its_language is not None]
    own = [one.is_echo for one in replies if one.in_its_language]
    every = [one.is_echo for one in replies]
    rows.append((lang, lesson.share(flags), lesson.share(own), lesson.share(every)))
piece = "a piece of prompt or question"
header = ("asked in", "in the question's language", f"of these, {piece}", f"of all, {piece}")
table("Answers over the right passage, percent [95 %], n", header, rows)

# %% [markdown]
# Of the judged answers, 18 of 19, 12 of 14 and 10 of 11 are in the question's language, from a
# model that was trained on English; with so few, the shares may be as low as 74, 57 and 59 %. But 4
# of the 12 and 4 of the 10 (1 of the 18 in English) are a piece of the prompt or of the question,
# by a measure that misses near copies. So are 13 of all 23 complete Finnish answers, 9 of them too
# short to be judged, such as “Vastaus suomeksi” (“answer in Finnish”). Much of the rest is Finnish
# by its letters only (“keskustilä, keskustilä”), or repeats the question with another ending, which
# is not counted as a piece. 11 of 24 Japanese replies are not finished after 200 tokens, since
# Japanese text takes more of them; they are not judged here. Whoever repeats the question passes a
# check of language: read replies before you report a share.

# %% tags=["claim"]
judged = {
    lang: [
        one.in_its_language
        for one in lesson.answers(lang, "right")
        if one.in_its_language is not None
    ]
    for lang in LANGS
}
counts = [(sum(flags), len(flags)) for flags in judged.values()]
claim("18 of 19, 12 of 14 and 10 of 11", counts == [(18, 19), (12, 14), (10, 11)], counts=counts)
lows = [float(row[1].split("[")[1].split(",")[0]) for row in rows]
claim("as low as 74, 57 and 59 %", lows == [74, 57, 59], lows=lows)
same = {g: [one for one in lesson.answers(g, "right") if one.in_its_language] for g in LANGS}
pieces = [(sum(one.is_echo for one in same[g]), len(same[g])) for g in LANGS]
claim("4 of the 12, 4 of the 10, 1 of the 18", pieces == [(1, 18), (4, 12), (4, 10)], of=pieces)
finnish = [one for one in lesson.answers("fi", "right") if one.is_usable]
echoes = [one for one in finnish if one.is_echo]
claim("13 of all 23", (len(echoes), len(finnish)) == (13, 23))
claim("9 of them too short", sum(one.in_its_language is None for one in echoes) == 9)
answers = [one.reply.answer for one in finnish]
claim("such as Vastaus suomeksi", any(one.startswith("Vastaus suomeksi") for one in answers))
claim("keskustilä", any("keskustilä, keskustilä" in one for one in answers))
unfinished = [not one.is_usable for one in lesson.answers("ja", "right")]
claim("11 of 24 are not finished", sum(unfinished) == 11, unfinished=unfinished)

# %% [markdown]
# ## Faithful to the passage
#
# Each reply may quote its passage once. `eval attribution` counts a quotation as supported if it
# occurs there, word for word.
#
# ### Exercise 2: two shares
#
# `replies` has a list of truth values per reply: whether each of its quotations is supported.
# Return the share of supported quotations among all, and the share of replies that quote something
# and nothing false.


# %% tags=["exercise"]
def supported(replies):
    """(share of quotations, share of replies), both from 0 to 1."""
    return ...


# %% tags=["solution"]
def supported(replies):
    """(share of quotations, share of replies), both from 0 to 1."""
    flat = [one for quotations in replies for one in quotations]
    backed = [bool(quotations) and all(quotations) for quotations in replies]
    return sum(flat) / len(flat), sum(backed) / len(backed)


# %% tags=["grade"]
lesson.check_2(supported)

# %% tags=["check"]
rows = []
for lang in LANGS:
    for p in PASSAGES:
        replies = lesson.answers(lang, p)
        flags = [one for reply in replies for one in reply.quotations]
        cut = [one.is_cut_quotation for one in replies if one.quotations]
        rows.append((lang, p, lesson.share(flags), lesson.share(cut)))
header = ("asked in", "passage", "supported", "false by its end only")
table("Quotations, percent [95 %], n", header, rows, labels=2)

# %% [markdown]
# Few quotations are supported, whatever the passage: in English 3 of 24 over the right one and 3 of
# 23 over the wrong one. And what are they? All 12 supported quotations of the three languages are
# the first 200 characters of their passage, whatever was asked. None contains a gold answer, so
# none could support a right one. Two support the answer that was given, word for word, since answer
# and quotation are the same copied sentence (“László Bíró, a journalist from Budapest …”), and that
# answer is wrong. Supported is not right, and right is not supported. The measure finds invented
# quotations; whether a quotation supports its *answer* needs a reader or a model of entailment.
#
# Before you blame the model, read them. Seven of the 12 are over the wrong passage, where nothing
# could support a right answer. The other five begin the right passage; the schema stops a quotation
# at 200 characters, in mid-sentence, and the answer comes later. Others are false by their last
# characters only, since the model ends a quotation at the limit with a word that fits (here: it has
# at least
# 180 characters, and all but the last 20 are in the passage); in English over the wrong passage
# these are 8 of 23. Such errors are the experimenter's. The rest is not in the passage: altered,
# invented, or copied from the prompt.

# %% tags=["claim"]
from xorqa import load_dataset

quoted = {p: lesson.answers("en", p) for p in PASSAGES}
counts = [
    (sum(map(sum, flags)), sum(map(len, flags)))
    for flags in ([one.quotations for one in quoted[p]] for p in PASSAGES)
]
claim("3 of 24 and 3 of 23", counts == [(3, 24), (3, 23)], counts=counts)
cut = [one.is_cut_quotation for one in quoted["wrong"]]
claim("8 of 23", sum(cut) == 8, cut=sum(cut))
every = [(p, one) for g in LANGS for p in PASSAGES for one in lesson.answers(g, p)]
backed = [(p, one, one.reply.citations[0][1]) for p, one in every if any(one.quotations)]
copied = [one.asked.hits(p)[0].passage.text.startswith(quote.strip()) for p, one, quote in backed]
claim("all 12 begin their passage", all(copied) and len(copied) == 12)
claim("200 characters", {len(quote) for _, _, quote in backed} == {200})
claim("in mid-sentence", not any(quote.strip().endswith(".") for _, _, quote in backed))
held = [gold in quote for _, one, quote in backed for gold in one.asked.golds]
claim("none contains a gold answer", not any(held))
claim("seven over the wrong passage, the other five", [p for p, *_ in backed].count("wrong") == 7)
examples = {one.question.qid: one for one in load_dataset("mini").examples}
passages = [(one.asked.question.qid, one.asked.right) for p, one, _ in backed if p == "right"]
later = [
    any(gold in passage.text for gold in examples[qid].answers(passage.lang))
    for qid, passage in passages
]
claim("the answer comes later", all(later) and len(later) == 5)
same = [one for _, one, quote in backed if quote.startswith(one.reply.answer.strip(" ."))]
claim("two support the answer that was given", len(same) == 2)
claim("László Bíró", all(one.reply.answer.startswith("László Bíró, a journ") for one in same))
claim("that answer is wrong", not any(one.is_right or one.names_gold for one in same))
claim(
    "few",
    all(
        sum(map(sum, (r.quotations for r in lesson.answers(g, p)))) <= 3
        for g in LANGS
        for p in PASSAGES
    ),
)

# %% [markdown]
# ## A judge
#
# `eval judge` asks a model whether an answer is right, given the gold answers. Here the same small
# model judges three answers to each question: the gold answer itself, the gold answer to another
# question, and its own. Since we know the first two, this tests the judge.
#
# ### Exercise 3: agreement beyond chance
#
# Return Cohen's kappa of two lists of truth values: (a - c) / (1 - c), where a is the share of
# equal verdicts and c what two judges would have in common by chance, with the same shares of yes.


# %% tags=["exercise"]
def kappa(verdicts, truth):
    """Cohen's kappa."""
    return ...


# %% tags=["solution"]
def kappa(verdicts, truth):
    """Cohen's kappa."""
    n = len(truth)
    equal = sum(one == other for one, other in zip(verdicts, truth, strict=True)) / n
    said, true = sum(verdicts) / n, sum(truth) / n
    chance = said * true + (1 - said) * (1 - true)
    return (equal - chance) / (1 - chance)


# %% tags=["grade"]
lesson.check_3(kappa)

# %% [markdown]
# **Predict first.** The request shows the gold answers, so the first kind repeats one of them word
# for word. How often does the judge call it right, and how often an answer to another question?

# %% tags=["check"]
rows = []
for lang in LANGS:
    known = lesson.agreement_with_gold([lang])
    said = [lesson.share(lesson.verdicts(lang, name)) for name in lesson.JUDGED]
    kappa_text = "–" if known.kappa is None else f"{known.kappa:.2f}"
    rows.append((lang, *said, kappa_text))
header = ("asked in", "gold", "another question's", "its own", "kappa, first two")
table("Called right, percent [95 %], n", header, rows)

# %% [markdown]
# It calls every answer right, also those to other questions, and all of its own, of which 5 of 60
# name a gold answer (one of the five is a string of words that do not exist, after the right year:
# “Vuonna 1922, keskustiluksen …”). Anyone who looks only at its verdicts on a system's answers
# sees 100 %. Gold answers alone would not have shown it either; wrong ones do. With verdicts of
# one kind only, `eval judge` leaves kappa out; your formula gives 0. A judge that accepted all 24
# gold answers and 6 of the 24 wrong ones would get 0.75. (One model, one prompt, and a schema that
# allows two words: with another prompt it might call every answer wrong. The test is the same.)

# %% tags=["claim"]
said = [one for lang in LANGS for name in lesson.JUDGED for one in lesson.verdicts(lang, name)]
claim("every answer", all(said) and len(said) > 190, said=len(said))
own = [one for lang in LANGS for one in lesson.answers(lang, "right") if one.reply.answer]
claim("5 of 60", (sum(one.names_gold for one in own), len(own)) == (5, 60), n=len(own))
claim("kappa is left out", lesson.agreement_with_gold().kappa is None)
claim("a year, and words", any(x.reply.answer.startswith("Vuonna 1922, kesk") for x in own))
better = kappa([True] * 30 + [False] * 18, [True] * 24 + [False] * 24)
claim("would get 0.75", np.isclose(better, 0.75), better=better)

# %% [markdown]
# ## Can its biases be measured?
#
# Judges often compare two answers, and may prefer a place, a length or their own words. We give the
# judge an English question, its passage, the gold answer and a rival, twice, in both orders. The
# rivals: the gold answer to another question (*other*), the gold answer in a long sentence
# (*long*), and the model's own answer over the right passage (*own*).
#
# ### Exercise 4: a place, and a winner
#
# A pair has two verdicts on A and B: the winner with A shown first, and the winner with B shown
# first. Return the share of all verdicts that go to the answer shown first, and the share of pairs
# in which both orders have the same winner.


# %% tags=["exercise"]
def position(pairs):
    """(share for the first shown, share of pairs with one winner), both from 0 to 1."""
    return ...


# %% tags=["solution"]
def position(pairs):
    """(share for the first shown, share of pairs with one winner), both from 0 to 1."""
    first = sum((one == "A") + (other == "B") for one, other in pairs) / (2 * len(pairs))
    return first, sum(one == other for one, other in pairs) / len(pairs)


# %% tags=["grade"]
lesson.check_4(position)

# %% tags=["check"]
chosen, placed, rows = {}, {}, []
for rival in lesson.PAIRS:
    pairs = lesson.choices(rival)
    chosen[rival] = [np.mean([winner == "other" for winner in pair]) for pair in pairs]
    placed[rival] = [np.mean([a == "gold", b == "other"]) for a, b in pairs]
    cells = [
        "{:.0f} [{:.0f}, {:.0f}]".format(*(100 * x for x in (np.mean(row), *mean_interval(row))))
        for row in (placed[rival], chosen[rival])
    ]
    rows.append((rival, *cells, lesson.share([a == b for a, b in pairs])))
header = ("gold against", "for the first shown", "for the rival", "same winner in both orders, n")
means = 100 * np.mean(list(placed.values()), axis=0)  # one per question
low, high = mean_interval(means)
margin = 2.07 * means.std(ddof=1) / len(means) ** 0.5  # by Student's t, for 24 questions
print(f"all rivals, for the first shown: {means.mean():.0f} %, bootstrap [{low:.0f}, {high:.0f}],")
print(f"t-interval [{means.mean() - margin:.0f}, {means.mean() + margin:.0f}]")
table("Verdicts, percent [95 %]; 24 questions, each in two orders", header, rows)

# %% [markdown]
# The verdict hangs on the order. Only 1, 1 and 5 of 24 pairs have the same winner in both orders;
# for the other 23, 23 and 19, whoever asks in one order only learns which order it was. (Two throws
# of a coin agree in half of the pairs: here the place decides, not chance.) In the only stable pair
# with another question's answer, the wrong answer wins.
#
# Does the judge follow the *first* place? Often, not always: where the order decides, the first and
# the second win 16 to 7 times against another question's answer, 13 to 10 against the long one and
# 15 to 4 against its own; by the sign test with Holm's correction the smallest p is 0.058. Over all
# rivals the first place gets 66 %: the bootstrap interval begins just above 50 %, the t-interval,
# which is wider with so few, just below, and both reach 80 %. So the tendency is not certain, and
# it may be large.
#
# Each rival gets about half of the verdicts, whether it is wrong, long or the model's own. That is
# arithmetic and no finding: a judge that follows the order gives either answer one verdict of a
# pair's two, and has no room for another bias. Of the 5 stable pairs with its own answers, 3 go to
# the gold answer and 2 to its own: too few for a preference. Where the
# order decides nearly every pair, hardly any are left to show a preference; a judge that is partly
# stable needs both orders and more pairs.
#
# The same two controls tell you how a larger judge does: wrong answers that you know, and both
# orders.

# %% tags=["claim"]
from lessons import uncounted
from lessons.intervals import sign_test

stable = {name: [a for a, b in lesson.choices(name) if a == b] for name in lesson.PAIRS}
uncounted("half of the pairs", "two throws of a coin")
orders = [1 - len(row) / 24 for row in stable.values()]
claim("decides nearly every pair", min(orders[:2]))
uncounted("hardly any are left", "as above")
claim("1, 1 and 5", [len(stable[x]) for x in ("other", "long", "own")] == [1, 1, 5], **stable)
claim("the wrong answer wins", stable["other"] == ["other"], **stable)
claim("24 pairs", all(len(lesson.choices(name)) == 24 for name in lesson.PAIRS))
claim("66 %", round(means.mean()) == 66, mean=means.mean())
claim("the bootstrap interval begins just above 50 %", 50 < low < 52, low=low)
claim("a t-interval just below", 48 < means.mean() - margin < 50, margin=margin)
claim("both reach 80 %", high > 80)
moved = {x: [a for a, b in lesson.choices(x) if a != b] for x in lesson.PAIRS}
first = {x: (moved[x].count("gold"), moved[x].count("other")) for x in moved}
claim("16 to 7, 13 to 10, 15 to 4", [*first.values()] == [(16, 7), (13, 10), (15, 4)], **first)
p = sorted(sign_test(*pair) for pair in first.values())
claim("by Holm 0.058", round(3 * p[0], 3) == 0.058, p=p)
claim("3 and 2", (stable["own"].count("gold"), stable["own"].count("other")) == (3, 2))
for name in lesson.PAIRS:
    claim("about half of the verdicts", np.mean(chosen[name]))

# %% [markdown] tags=["instructor"]
# **Exercises 3 and 4.** Typical in 3: the agreement itself, or a chance of 1/2; in 4: counting how
# often A wins, which mixes the place with the answer. Discuss: a paper reports that its model wins
# 69 % of the comparisons, and always shows it first. What do you ask for?

# %% [markdown]
# ## A model of your own
#
# This cell asks the first question of each language live, if you name an endpoint
# (`XORQA_LESSON_ENDPOINT`, and `XORQA_LESSON_MODEL` for its model) before you start the notebook:

# %%
for lang in LANGS:
    print(line := lesson.live(lang))
    if line.startswith("Set "):
        break

# %% [markdown]
# ## The answer
#
# **Believe what is counted against something known: the language of long answers, quotations
# against their passages, a judge against answers whose verdict you know, and in both orders. Then
# read what was counted: an echo is in the right language, and a copied beginning is a supported
# quotation; what was dropped was no random part of the replies. Where the order decides nearly
# every pair, a judge's preferences cannot be measured. A figure without known cases is a model's
# opinion.**
#
# ## Exercises
#
# Exercises 1 to 4 are above, in the sections that they belong to.
#
# ## Go on
#
# - `python -m lessons.answers_that_are_written_recording FILE` records the replies of a model of
#   yours; [Answer with a language model](../docs/generation.md) starts a small one.
# - `xorqa eval attribution` and `xorqa eval judge` take these measures of a run.
