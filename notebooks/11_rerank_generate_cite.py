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
# - **Time:** 45 minutes of reading, 20 of exercises
# - **You need:** lessons 2b and 3b; Python
# - **You will be able to:** choose a ranker, and say which questions it hurts; check
#   quotations, and say what the check cannot see; read a risk-coverage curve and set a threshold

# %%
import numpy as np
from lessons import claim, draw
from lessons import rerank_generate_cite as lesson

rankings = lesson.rankings()  # search, then read the first hits: half a minute

# %% [markdown] tags=["instructor"]
# **Plan.** 45 minutes: ranking 15, citations 15, abstention 15. The first cell takes the longest,
# so start it before you speak. No language model is needed: the replies of the second part were
# written by hand, each to show one thing. Say so, or students will take them for a model's. If time
# is short, leave out exercise 1.

# %% [markdown]
# ## Rank
#
# Finnish and Korean questions search one pool of English, Finnish and Korean passages. Half of them
# are answered by English passages only (cross-lingual), half by passages in their own language only
# (in-language).

# %% tags=["check"]
print(f"{len(lesson.questions())} questions, {len(lesson.pool())} passages")

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
# - `reader` sorts the first ten by the span reader's probability that the passage answers.
#
# **Predict first.** Across languages both should help. What do they do to in-language
# questions, where the retriever's preference is right?

# %%
lesson.recall_table([1, 2, 3, 5])

# %% [markdown]
# Both help across languages: `balance` from the second hit on (its first is the retriever's), and
# `reader` already at the first. In-language, the retriever ranks nearly all gold passages first,
# and both do harm: `balance` a little at two hits, `reader` much at the first. From three hits on,
# no harm is left. So decide by how many passages you read: with five you can only gain here; with
# one, the `reader` loses in-language about as much as it gains across languages.

# %% tags=["claim"]
crossing = [at for at, one in enumerate(lesson.questions()) if one.answered_in == "en"]
own = [
    hit.passage.lang == lesson.questions()[at].question.lang
    for at in crossing
    for hit in rankings["dense"][at][:5]
]
shares = [
    sum(passage.lang == lang for passage in lesson.pool()) / len(lesson.pool())
    for lang in ("fi", "ko")
]
claim("prefers the question's own language", sum(own) / len(own) > 2 * max(shares), shares=shares)
barcode = [one.question.qid for one in lesson.questions()].index("mini-fi-03")
gold = lesson.questions()[barcode].golds[0].docid
places = [hit.passage.docid for hit in rankings["dense"][barcode]].index(gold)
claim("below these five", places >= 5, places=places)
at = {
    (half, name, first): lesson.recall(name, half, first)
    for half in lesson.HALVES
    for name in lesson.rankings()
    for first in (1, 2, 3, 5)
}
claim(
    "balance helps from two",
    at["en", "balance", 2] > at["en", "dense", 2] + 10,
    **{str(key): value for key, value in at.items()},
)
claim("its first is the retriever's", at["en", "balance", 1] == at["en", "dense", 1])
claim("the reader helps at one", at["en", "reader", 1] > at["en", "dense", 1] + 20)
claim("the retriever ranks nearly all gold passages first", at["target", "dense", 1] / 100)
claim("half of them are answered by English passages", len(crossing) / len(lesson.questions()))
claim("balance a little", 0 < at["target", "dense", 2] - at["target", "balance", 2] < 10)
claim("the reader much", at["target", "dense", 1] - at["target", "reader", 1] > 20)
lost = at["target", "dense", 1] - at["target", "reader", 1]
claim("as much as it gains", abs(at["en", "reader", 1] - at["en", "dense", 1] - lost) < 10)
claim("no harm from three", all(at["target", name, 3] == 100 for name in lesson.rankings()))
claim("five: all gain", min(at["en", n, 5] for n in ("balance", "reader")) > at["en", "dense", 5])

# %% [markdown]
# A ranker can only reorder what was retrieved. A gold passage that is not among the hits stays
# lost:

# %% tags=["check"]
for half, name in lesson.HALVES.items():
    lost = 100 - lesson.recall("dense", half, 20)
    print(f"{name}: not among the first 20 hits {lost:.0f} %")

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
# No language model runs in this lesson. **The replies below were written by hand**, and are
# replayed as those of an endpoint would be: they show what can happen, not how often. The file of
# replies says so, and so does the reader, which reports where its answers come from:

# %% tags=["check"]
print(lesson.reader().black_box)
print(lesson.cases()["right"].reply)

# %% [markdown]
# **Predict first.** One reply quotes “Merry  Christmas” with other quotation marks than the passage
# and with one blank too many (*other quotation marks*). One puts the passage in other words
# (*paraphrase*). One quotes a passage word for word, but cites passage 5 of two (*wrong number*).
# Which of these three quotations count as supported?

# %%
lesson.reply_table()

# %% [markdown]
# Only the first: quotation marks and white space are normalised before the comparison, but the
# words and the number of the passage must be right. The verdict is *right* if the F1 with a gold
# answer in the question's language is at least 0.5. The score is log((s + 1) / (c + 2)) if s of c
# quotations are supported; it orders answers and is not a probability.
#
# - *from memory* is right, but its passages do not contain the answer. The false quotation gives it
#   away: who answers from memory has nothing to quote.
# - *not in the passages* is a valid reply: it abstains. *no JSON* is a failure: an endpoint is
#   asked again, and what still fails is reported.
# - *in English* answers a Finnish question in English. With `ask_again` such a question is asked
#   once more; the second reply was written by hand, too:

# %% tags=["claim"]
results = {name: lesson.generate(name) for name in lesson.cases()}
supported = {name: result.quotations for name, result in results.items()}
claim("the first of the three", supported["other quotation marks"] == (1, 1), **supported)
claim("not in other words", supported["paraphrase"] == (0, 1))
claim("not with another number", supported["wrong number"] == (0, 1))
claim("right without evidence", results["from memory"].is_right)
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

# %% tags=["check"]
print(f"replies {lesson.origin()}")
for ask_again in (False, True):
    result = lesson.generate("in English", ask_again=ask_again)
    print(f"ask_again={ask_again}: {result.text} ({result.candidate.lang})")

# %% [markdown]
# ### Exercise 2: what the check cannot see
#
# In which cases is every quotation supported although the answer is wrong? An answer in another
# language than the question's is wrong, too. Write a set of names from the table.

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
# One of them is an attack. Anyone who can write a passage that you index can write instructions
# into it:

# %%
lesson.quotation_table("injected")

# %% [markdown]
# The quotation is genuine, but the passage lies. `xorqa checklist injections` counts how often your
# model obeys such passages.

# %% [markdown]
# ## Abstain
#
# Now we remove the gold passages of a third of the questions from the pool, so nothing answers
# these questions any more. The answers from here on are those of the bundled span reader, not of
# the replies above. It finds a span in the first five passages for every question, and has a
# confidence: its probability that the passage answers.

# %% tags=["check"]
answers = lesson.answers()
confidences = [answer.confidence for answer in answers]
errors = [answer.error for answer in answers]
answerable = [answer.answerable for answer in answers]
print(f"{sum(answerable)} answerable questions, {len(answers) - sum(answerable)} unanswerable ones")
print(f"mean error if all are answered: {sum(errors) / len(errors):.2f}")

# %% [markdown]
# The error is 1 - F1, and 1 for any answer to an unanswerable question. If the reader may abstain
# when it is unsure, it answers fewer questions (the *coverage*), hopefully with a smaller
# mean error (the *risk*). Each threshold is a point, all thresholds are a curve
# ([El-Yaniv & Wiener 2010](https://jmlr.org/papers/v11/el-yaniv10a.html)).

# %% [markdown]
# ### Exercise 3: one point of the curve
#
# Compute the coverage and the risk at a threshold. An answer is given if its confidence is at least
# the threshold.


# %% tags=["exercise"]
def at_threshold(confidences, errors, threshold):
    """(coverage, risk), both from 0 to 1."""
    return ...


# %% tags=["solution"]
def at_threshold(confidences, errors, threshold):
    """(coverage, risk), both from 0 to 1."""
    kept = [e for c, e in zip(confidences, errors, strict=True) if c >= threshold]
    return len(kept) / len(errors), sum(kept) / len(kept)


# %% tags=["grade"]
lesson.check_3(at_threshold)

# %%
draw(
    lesson.curve_picture(),
    "Risk against coverage. Both curves jump at the first confident error, and fall again. In the "
    "end the curve of all questions rises to 0.6, the dotted line without a confidence, and that "
    "of the answerable ones to 0.4. A circle on the curve of all questions marks the reader's "
    "threshold.",
)

# %% [markdown]
# The area under the curve sums it up: 0 would be a system without errors. Compare it with the area
# without a confidence, which is the mean error, and with that of a perfect confidence, which puts
# the answers in the order of their errors:

# %% tags=["check"]
curve, constant, perfect = lesson.area()
print(f"area {curve:.2f}, without a confidence {constant:.2f}, at best {perfect:.2f}")

# %% [markdown]
# The confidence goes a little more than half of the way from none to the perfect one. The rest is
# lost to wrong answers that the reader is confident of; two of them are among its five most
# confident answers.

# %% tags=["claim"]
share = (constant - curve) / (constant - perfect)
claim("more than half of the way", share)
claim("a third of the questions", 1 - sum(answerable) / len(answerable))
confident = sorted(zip(confidences, errors, strict=True), reverse=True)[:5]
claim("two confident errors", sum(error == 1 for _, error in confident) == 2, confident=confident)
kept = [error for error, can in zip(errors, answerable, strict=True) if can]
claim("0.6 of all", round(constant, 1) == 0.6, constant=constant)
claim("0.4 of the answerable", round(sum(kept) / len(kept), 1) == 0.4, kept=kept)

# %% [markdown]
# NoMIRACL reports two rates at a single threshold: the *hallucination rate* is the share of
# unanswerable questions that are answered, the *error rate* that of answerable ones that are not.
# (So this "error" is silence, whatever the error of the answers above.)
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
for least in (0.4, 0.85, lesson.threshold()):
    hallucinated, silent = lesson.rates_at(least)
    print(f"threshold {least:.2f}: hallucination {hallucinated:.0f} %, error {silent:.0f} %")

# %% [markdown]
# A threshold trades one rate for the other; which is worse depends on what a wrong answer costs
# your users. The last threshold is the reader's own, fitted on other questions. Here 0.85 has the
# same hallucination rate and a lower error rate: 9 of 32 answerable questions are left unanswered
# instead of 11, and two questions could be chance. Do not change the threshold for that reason: one
# that is chosen on the questions it is measured on looks better than it is.

# %% tags=["claim"]
from lessons import mean_interval, uncounted

low, high = lesson.rates_at(0.4), lesson.rates_at(lesson.threshold())
claim("one rate for the other", low[0] > high[0] and low[1] < high[1], low=low, high=high)
middle = lesson.rates_at(0.85)
claim("0.85 hallucinates as often", middle[0] == high[0], middle=middle, high=high)
claim("and a lower error rate", middle[1] < high[1], middle=middle, high=high)
counts = [
    sum(
        not confidence >= least
        for confidence, can in zip(confidences, answerable, strict=True)
        if can
    )
    for least in (0.85, lesson.threshold())
]
claim("9 and 11 of 32", (counts, sum(answerable)) == ([9, 11], 32), counts=counts)
two = np.zeros(32)
two[: counts[1] - counts[0]] = 1
claim("two questions could be chance", mean_interval(two), n=32)
uncounted("which is worse depends on what a wrong answer costs", "a question of costs")

# %% [markdown]
# ## The answer
#
# **A ranker moves the right passage up where the retriever prefers another language, and does harm
# where the retriever was right; a quotation can be checked without a model, but proves only that
# the words are in the passage; and a confidence buys a lower risk with unanswered questions, at a
# threshold that you choose on other questions than those you report, some of them unanswerable.**
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
# rates, in percent, on the other questions (`answers[1::2]`)? `rates` is above.

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
# [Lesson 15](15_answers_that_are_written.ipynb) looks at answers that a model did write, and at a
# model that judges them. With a model of your own, `xorqa run generate` makes such answers, and
# `xorqa eval attribution` counts their quotations ([Answer with a language
# model](../docs/generation.md)). `xorqa data export mini --format folder --without-gold 0.33 --out
# gaps` writes a data set in which a third of the questions are unanswerable, and `xorqa eval
# abstention` draws the curves of several runs on it.
