# %% [markdown]
# # 11. Rerank, generate, cite
#
# **The question of this lesson:** how do you move the right passage to the top, how do you check an
# answer that a language model wrote, and when is it better not to answer?
#
# A language model that answers from passages should cite them
# ([Bohnet et al. 2022](https://arxiv.org/abs/2212.08037)), and say so if they do not contain the
# answer ([NoMIRACL](https://arxiv.org/abs/2312.11361), Thakur et al. 2024).
#
# - **Level:** advanced
# - **Time:** 30 minutes of reading, 20 of exercises
# - **You need:** lessons 2b and 3b, lesson 7b's sign test; Python
# - **You will be able to:** choose a ranker, and say which questions it hurts; check
#   quotations, and say what the check cannot see; read a risk-coverage curve, and choose a
#   threshold that you then test on other questions

# %%
from itertools import product

import numpy as np
from lessons import claim, draw
from lessons import rerank_generate_cite as lesson

rankings = lesson.rankings()  # search, then read the first hits: a minute and a half

# %% [markdown] tags=["instructor"]
# **Plan.** 45 minutes: ranking 15, citations 15, abstention 15. The first cell takes the longest,
# so start it before you speak. No language model is needed: the replies of the second part were
# written by hand, each to show one thing. Say so, or students will take them for a model's. If time
# is short, leave out exercise 1.

# %% [markdown]
# ## Rank
#
# Each question searches the English passages and those in its own language, together. English
# passages only answer half of the questions (cross-lingual), passages in their own language only
# the other half (in-language).

# %% tags=["check"]
langs = {one.question.lang for one in lesson.questions()}
print(f"{len(lesson.questions())} questions in {len(langs)} languages")
print(f"{len(lesson.pool())} passages")

# %% [markdown]
# The retriever compares the vector of the untranslated question with those of the passages. As in
# lesson 5, it prefers the question's own language, even if only English passages answer:

# %%
lesson.ranking_table("mini-fi-03", ["dense", "balance", "reader"])

# %% [markdown]
# The question asks in which city a product with a barcode was first scanned. The passage with the
# star answers it; the retriever ranks it below these five. Two rankers reorder the same hits:
#
# - `balance` takes a hit of each language in turn. It reads no text, so it costs next to nothing.
# - `reader` sorts the first ten by the span reader's probability that the passage answers (lesson
#   3b). It reads question and passage together, as a *cross-encoder* does; lesson 12 ranks with one
#   that was trained to rank.
#
# **Predict first.** `dense` has the gold passage first for 42 of 84 cross-lingual questions, and
# for 78 of 84 in-language ones. How many does each ranker bring to the first place, and how many
# does it push from it, in either half?

# %%
lesson.recall_table([1, 2, 3, 5])

# %% [markdown]
# `balance` cannot change the first hit, which is the retriever's. In-language, there are only six
# questions to gain at the first place, and 78 to lose. Which of these differences are more than
# chance? A sign test of each (lesson 7b), and Holm's correction over all:

# %% tags=["check"]
cells = list(product(lesson.HALVES, ("balance", "reader"), (1, 2, 3, 5)))
ps = np.array([lesson.sign_test(*lesson.changes(name, half, first)) for half, name, first in cells])
for (half, name, first), p, corrected in zip(cells, ps, lesson.holm(ps), strict=True):
    if p <= 0.05 or (name, first) == ("reader", 1):
        gained, lost = lesson.changes(name, half, first)
        print(f"{lesson.HALVES[half]:13} {name:7} first {first}: +{gained:<2} -{lost:<2}", end=" ")
        print(f"p = {p:.4f}, corrected for {len(cells)} tests {corrected:.3f}")

# %% [markdown]
# One is left: across languages, `reader` brings more gold passages to the first place than it
# pushes from it. All others could be chance after the correction, its harm in-language too. But
# does it do there what it does across languages?

# %% tags=["check"]
before = {half: lesson.found("dense", half, 1) for half in lesson.HALVES}
after = {half: lesson.found("reader", half, 1) for half in lesson.HALVES}
gains = {half: lesson.difference(before[half], after[half]) for half in lesson.HALVES}
for half, gain in gains.items():
    print(f"{lesson.HALVES[half]:13} {gain} points, n = {gain.n}")
both = lesson.difference(np.concatenate([*before.values()]), np.concatenate([*after.values()]))
print(f"{'all':13} {both} points, n = {both.n}")

# %% [markdown]
# No: the two 95 % intervals do not overlap. (That of the in-language harm includes zero: not shown,
# as the sign test says.) Over all questions the gain could be chance again: its interval begins at
# zero, and the sign test gives p = 0.09. With more in-language questions it would be smaller. So
# decide by your questions, and by how many passages you read: at five hits neither ranker lost an
# in-language question (0 of 84 still allows for 4 %).
#
# Is it *reading* that brings gold passages to the first place across languages? The retriever
# prefers the question's own language, and whatever removes this preference brings some. `balance`
# is no control at the first place. Lesson 12 has one: vectors centred by language compare texts
# that were read apart, and put the gold passage of 77 % of these 84 questions first; `reader` does
# for 70 %.

# %% tags=["claim"]
from collections import Counter

crossing = [at for at, one in enumerate(lesson.questions()) if one.answered_in == "en"]
own = [
    hit.passage.lang == lesson.questions()[at].question.lang
    for at in crossing
    for hit in rankings["dense"][at][:5]
]
sizes = Counter(passage.lang for passage in lesson.pool())
shares = [size / (size + sizes["en"]) for lang, size in sizes.items() if lang != "en"]
claim("prefers the question's own language", sum(own) / len(own) > 2 * max(shares), shares=shares)
barcode = [one.question.qid for one in lesson.questions()].index("mini-fi-03")
gold = lesson.questions()[barcode].golds[0].docid
places = [hit.passage.docid for hit in rankings["dense"][barcode]].index(gold)
claim("below these five", places >= 5, places=places)
claim("half of the questions", len(crossing) / len(lesson.questions()))
counts = {half: (sum(row), len(row)) for half, row in before.items()}
claim("42 and 78 of 84", counts == {"en": (42, 84), "target": (78, 84)}, **counts)
claim("the first is the retriever's", {lesson.changes("balance", h, 1) for h in counts} == {(0, 0)})
left = [cell for cell, corrected in zip(cells, lesson.holm(ps), strict=True) if corrected <= 0.05]
claim("one is left", left == [("en", "reader", 1)], left=left)
claim("more than it pushes", gains["en"].low > 0, gain=str(gains["en"]))
claim("no overlap", gains["target"].high < gains["en"].low, **{k: str(v) for k, v in gains.items()})
claim("could be chance", (both.low, both.high), both=str(both))
claim("begins at zero", abs(both.low) < 0.05, low=both.low)
everywhere = np.sum([lesson.changes("reader", half, 1) for half in lesson.HALVES], axis=0)
claim("p = 0.09", round(lesson.sign_test(*map(int, everywhere)), 2) == 0.09, changes=everywhere)
claim("its harm, too", lesson.sign_test(*lesson.changes("reader", "target", 1)) > 0.05)
at_five = [lesson.changes(name, "target", 5)[1] for name in ("balance", "reader")]
claim("neither lost one at five", at_five == [0, 0], at_five=at_five)
claim("0 of 84 allows for 4 %", round(lesson.exact_interval(0, 84)[1]) == 4)
claim("the harm includes zero", not gains["target"].excludes_zero, harm=str(gains["target"]))
claim("70 %", round(100 * np.mean(after["en"])) == 70)

# %% [markdown]
# A ranker can only reorder what was retrieved. A gold passage that is not among the hits stays
# lost:

# %% tags=["check"]
for half, name in lesson.HALVES.items():
    hits = lesson.found("dense", half, 20)
    print(f"{name}: not among the first 20 hits {hits.count(False)} of {len(hits)}")

# %% [markdown]
# ### Exercise 1: languages in turn
#
# `hits` is a list of (docid, language), best first. Return the docids in turns: a turn takes the
# best remaining hit of each language. In every turn, languages have the order in which they first
# occur in `hits`.


# %% tags=["exercise"]
def interleave(hits):
    """The docids, a hit of each language in turn."""
    return ...


# %% tags=["solution"]
def interleave(hits):
    """The docids, a hit of each language in turn."""
    by_lang = {}
    for docid, lang in hits:
        by_lang.setdefault(lang, []).append(docid)
    longest = max(map(len, by_lang.values()), default=0)
    return [docids[n] for n in range(longest) for docids in by_lang.values() if n < len(docids)]


# %% tags=["grade"]
lesson.check_1(interleave)

# %% [markdown]
# ## Generate and cite
#
# The reader `generate` gives question and passages to a language model, which replies with an
# answer and with quotations, each with the number of its passage. A quotation is *supported* if it
# occurs in that passage. This can be checked without any model.
#
# **The replies below were written by hand**, and are replayed as those of an endpoint would be:
# they show what can happen, one case each. How often it happens with a real model, lesson 15 counts
# in recorded replies. The file of replies names its origin, and so does the reader:

# %% tags=["check"]
print(lesson.reader().black_box)
print(lesson.cases()["right"].reply)

# %% [markdown]
# **Predict first.** One reply quotes “Merry  Christmas” with other quotation marks than the passage
# and with one space too many (*other quotation marks*). One puts the passage in other words
# (*paraphrase*). One quotes a passage word for word, but cites passage 5 of two (*wrong number*).
# Which of these three quotations count as supported?

# %%
lesson.reply_table()

# %% [markdown]
# Only the first: quotation marks and white space are normalised before the comparison, but the
# words and the number of the passage must be right. The score orders answers: the log of (s + 1) /
# (c + 2), if s of c quotations are supported. That is the share of supported ones with two more,
# one of each kind, counted in, so that 3 of 3 are worth more than 1 of 1, and 1 of 1 is not yet
# certain. It is no probability that the answer is right.
#
# - *from memory* answers, but its passages do not contain the answer. The false quotation gives it
#   away: who answers from memory has nothing to quote.
# - *not in the passages* is a valid reply: it abstains. *no JSON* is a failure: an endpoint is
#   asked again, and what still fails is reported.
#
# A comparison of strings errs in two directions: it refuses a paraphrase, and accepts a quotation
# that is beside the point. Whether a passage *supports* an answer is a question of entailment,
# which people judge ([AIS](https://arxiv.org/abs/2112.12870)) or a model does, in every language it
# knows ([ALCE](https://arxiv.org/abs/2305.14627)); but that model errs, too, and has to be tested.

# %% tags=["claim"]
results = {name: lesson.generate(name) for name in lesson.cases()}
supported = {name: result.quotations for name, result in results.items()}
claim("the first of the three", supported["other quotation marks"] == (1, 1), **supported)
claim("not in other words", supported["paraphrase"] == (0, 1))
claim("not with another number", supported["wrong number"] == (0, 1))
claim("and found out", supported["from memory"] == (0, 1))
texts = [hit.passage.text for hit in lesson.cases()["from memory"].hits]
claim("its passages do not contain it", not any("2,300" in text for text in texts), texts=texts)
cited = [one.number for one in results["wrong number"].candidate.generated.citations]
claim("passage 5 of two", cited == [5] and len(lesson.cases()["wrong number"].hits) == 2)
scores = {name: one.candidate.score for name, one in results.items() if one.candidate}
formula = {name: np.log((s + 1) / (c + 2)) for name, (s, c) in supported.items() if name in scores}
claim("the score", all(abs(scores[name] - formula[name]) < 1e-6 for name in scores), **scores)
claim("abstained", not results["not in the passages"].text)
claim("and did not fail", not results["not in the passages"].failure)
claim("a failure", results["no JSON"].failure)

# %% [markdown]
# ### Exercise 2: what the check cannot see
#
# In which cases is every quotation supported although the answer is wrong? All questions are
# Finnish; an answer in another language is wrong, too. `lesson.quotation_table("right")` shows the
# passages and the quotations of a case. Write a set of names.

# %% tags=["exercise"]
answer_2 = ...  # {"name", ...}

# %% tags=["solution"]
answer_2 = {"beside the point", "injected", "in English"}

# %% tags=["grade"]
lesson.check_2(answer_2)

# %% [markdown] tags=["instructor"]
# **Exercise 2.** Ask which of the three a person would notice who sees only the question, the
# answer and the quotation: *beside the point* and *in English*, but not *injected*. Then ask what
# would help against that one: control over who can write to the index, and evidence from several
# passages.

# %% [markdown]
# With the verdicts (*right*: F1 of at least 0.5 with a gold answer in the question's language,
# XOR-Full, official scorer):

# %%
lesson.verdict_table()

# %% [markdown]
# *in English* can be mended: with `ask_again` such a question is asked once more. The second reply
# was written by hand, too:

# %% tags=["check"]
for ask_again in (False, True):
    result = lesson.generate("in English", ask_again=ask_again)
    print(f"ask_again={ask_again}: {result.text} ({result.candidate.lang})")

# %% [markdown]
# One of the replies above (*injected*) obeys an attack. Anyone who can write a passage that you
# index can write instructions into it:

# %%
lesson.quotation_table("injected")

# %% [markdown]
# The quotation is genuine, but the passage is false. `xorqa checklist injections` counts how often
# your model obeys such passages.

# %% [markdown]
# ## Abstain
#
# Now we remove the gold passages of a third of the questions from the pool. That no other passage
# answers these questions, we assume: nobody has judged it (for NoMIRACL people did). The answers
# from here on are those of the bundled span reader, not of the replies above. It finds a span in
# the first five passages for every question, and has a confidence: its probability that the passage
# answers.

# %% tags=["check"]
answers = lesson.answers()
confidences = [answer.confidence for answer in answers]
losses = [answer.loss for answer in answers]
answerable = [answer.answerable for answer in answers]
print(f"{sum(answerable)} answerable questions, {len(answers) - sum(answerable)} unanswerable ones")
print(f"mean loss if all are answered: {np.mean(losses):.2f}")

# %% [markdown]
# The *loss* is 1 - F1 (SQuAD's token F1, against the gold answer in the passage's language), and 1
# for any answer to an unanswerable question. If the reader may abstain when it is unsure, it
# answers fewer questions (the *coverage*), hopefully with a smaller mean loss (the *risk*). Each
# threshold is a point, all thresholds are a curve ([El-Yaniv & Wiener
# 2010](https://jmlr.org/papers/v11/el-yaniv10a.html)).

# %% [markdown]
# ### Exercise 3: one point of the curve
#
# Compute the coverage and the risk at a threshold. An answer is given if its confidence is at least
# the threshold.


# %% tags=["exercise"]
def at_threshold(confidences, losses, threshold):
    """(coverage, risk), both from 0 to 1."""
    return ...


# %% tags=["solution"]
def at_threshold(confidences, losses, threshold):
    """(coverage, risk), both from 0 to 1."""
    kept = [loss for c, loss in zip(confidences, losses, strict=True) if c >= threshold]
    return len(kept) / len(losses), sum(kept) / len(kept)


# %% tags=["grade"]
lesson.check_3(at_threshold)

# %%
draw(
    lesson.curve_picture(),
    "Risk against coverage, from a coverage of 0.1 on. The curve of all questions rises to 0.53, "
    "the dotted line without a confidence, and that of the answerable ones to 0.3. A circle on "
    "the curve of all questions marks the reader's threshold.",
)

# %% [markdown]
# The area under the curve sums it up: 0 would be a system without errors. Compare it with the area
# without a confidence, which is the mean loss, and with that of a perfect confidence, which puts
# the answers in the order of their losses:

# %% tags=["check"]
curve, constant, perfect = lesson.areas()
way, (low, high) = (constant - curve) / (constant - perfect), lesson.way_interval()
print(f"area {curve:.2f}, without a confidence {constant:.2f}, at best {perfect:.2f}")
print(f"part of the way from none to the best: {way:.2f} [{low:.2f}, {high:.2f}]")

# %% [markdown]
# The confidence goes 0.6 of the way from none to the perfect one (95 % interval 0.5 to 0.8). The
# rest is lost to wrong answers that the reader is confident of. For example, 66 of its answers have
# a confidence that rounds to 0.99, and 16 of these a loss of 1.

# %% tags=["claim"]
claim("0.6 of the way", round(way, 1) == 0.6 and round(low, 1) == 0.5 and round(high, 1) == 0.8)
claim("a third of the questions", 1 - sum(answerable) / len(answerable))
confident = [loss for c, loss in zip(confidences, losses, strict=True) if round(c, 2) == 0.99]
claim("66 round to 0.99", len(confident) == 66, n=len(confident))
claim("16 of these", confident.count(1) == 16, n=confident.count(1))
kept = [loss for loss, can in zip(losses, answerable, strict=True) if can]
claim("0.53 and 0.3", (round(constant, 2), round(np.mean(kept), 1)) == (0.53, 0.3))

# %% [markdown]
# NoMIRACL reports two rates at a single threshold: the *hallucination rate* is the share of
# unanswerable questions that are answered, the *error rate* that of answerable ones that are not.
# (So this "error" is silence, whatever the loss of the answers that are given.)
#
# ### Exercise 4: two rates
#
# `answered` and `answerable` have a truth value per question.


# %% tags=["exercise"]
def rates(answered, answerable):
    """(hallucination rate, error rate), both from 0 to 1."""
    return ...


# %% tags=["solution"]
def rates(answered, answerable):
    """(hallucination rate, error rate), both from 0 to 1."""
    pairs = list(zip(answered, answerable, strict=True))
    without = [given for given, can in pairs if not can]
    silent = [not given for given, can in pairs if can]
    return sum(without) / len(without), sum(silent) / len(silent)


# %% tags=["grade"]
lesson.check_4(rates)


# %% tags=["check"]
def at(least):
    """At a threshold: unanswerable questions that are answered, answerable ones that are not."""
    pairs = list(zip(confidences, answerable, strict=True))
    invented = [confidence >= least for confidence, can in pairs if not can]
    silent = [confidence < least for confidence, can in pairs if can]
    return sum(invented), len(invented), sum(silent), len(silent)


for least in (0.4, 0.85, lesson.threshold()):
    invented, without, silent, n = at(least)
    low, high = lesson.exact_interval(invented, without)
    print(
        f"threshold {least:.2f}: hallucination {invented} of {without} = "
        f"{100 * invented / without:.0f} % [{low:.0f}, {high:.0f}], "
        f"error {silent} of {n} = {100 * silent / n:.0f} %",
        "[{:.0f}, {:.0f}]".format(*lesson.exact_interval(silent, n)),
    )

# %% [markdown]
# A threshold trades one rate for the other; which is worse depends on what a wrong answer costs
# your users. The last threshold is the reader's own, fitted on other questions; it still lets a
# fifth of the unanswerable questions through. Do not choose a better one here and report it: on
# average, one that is chosen on the questions it is measured on looks better than it is. Exercise 5
# tries, with too few questions to show it in a single split.

# %% tags=["claim"]
from lessons import uncounted

rows = [at(least) for least in (0.4, 0.85, lesson.threshold())]
invented, silent = [row[0] for row in rows], [row[2] for row in rows]
claim("one rate for the other", invented == sorted(invented)[::-1] and silent == sorted(silent))
claim("a fifth of the unanswerable questions", rows[-1][0] / rows[-1][1])
uncounted("which is worse depends on what a wrong answer costs", "a question of costs")
uncounted("Do not choose a better one here", "a rule")
uncounted("looks better than it is", "a rule")

# %% [markdown]
# ## The answer
#
# **Here a ranker that reads brought more gold passages to the first place across languages than it
# pushed from it; in-language, with 6 of 84 to gain, it showed no gain: test it on both, and against
# a control that only removes the language bias; a quotation can be checked without a model, but
# proves only that the words are in the passage; and a confidence buys a lower risk with unanswered
# questions, at a threshold that you choose on other questions than those you report, some of them
# unanswerable.**
#
# ## Exercises
#
# Exercises 1 to 4 are above, in the sections that they belong to.
#
# ### Exercise 5: at most a tenth
#
# Your users forgive silence, but not inventions: at most 10 % of the unanswerable questions may be
# answered. Choose the threshold on the questions at even positions (`answers[::2]`): of the values
# in their `confidence`, the one that keeps to the 10 % with the lowest error rate. What are the two
# rates, in percent, on the other questions (`answers[1::2]`)? `rates` is above. Before you compute
# them: will the other questions keep to the 10 %?

# %% tags=["exercise"]
answer_5 = (..., ...)  # (hallucination rate, error rate)


# %% tags=["solution"]
def percentages(rows, least):
    """The two rates of some questions at a threshold, in percent."""
    answered = [row.confidence >= least for row in rows]
    return tuple(100 * rate for rate in rates(answered, [row.answerable for row in rows]))


chosen = min(
    (row.confidence for row in answers[::2] if percentages(answers[::2], row.confidence)[0] <= 10),
    key=lambda least: percentages(answers[::2], least)[1],
)
answer_5 = percentages(answers[1::2], chosen)

# %% tags=["grade"]
lesson.check_5(answer_5)

# %% [markdown]
# ## Go on
#
# [Lesson 15](15_answers_that_are_written.ipynb) counts what goes wrong in recorded answers of a
# small language model, and tests a model that judges them; [lesson 12](12_late_interaction.ipynb)
# ranks with a cross-encoder. With a model of your own, `xorqa run generate` makes such answers, and
# `xorqa eval attribution` counts their quotations ([Answer with a language
# model](../docs/generation.md)). `xorqa data export mini --format folder --without-gold 0.33 --out
# gaps` writes a data set in which a third of the questions are unanswerable, and `xorqa eval
# abstention` draws the curves of several runs on it.
