# %% [markdown]
# # 11. Rerank, generate, cite
#
# **The question of this lesson:** how does the right passage come first, how does one check an
# answer that a language model wrote, and when is it better not to answer?
#
# A language model that answers from passages should cite them
# ([Bohnet et al. 2022](https://arxiv.org/abs/2212.08037)), and say so if they do not contain the
# answer ([NoMIRACL](https://arxiv.org/abs/2312.11361), Thakur et al. 2024).
#
# - **Level:** advanced
# - **Time:** 45 minutes
# - **You need:** lessons 2b and 3b; Python
# - **You will be able to:** choose a ranker, and say for which questions it does harm; check
#   quotations, and say what the check cannot see; read a risk-coverage curve and set a threshold

# %%
from xorqa.lessons import claim, draw
from xorqa.lessons import rerank_generate_cite as lesson

rankings = lesson.rankings()  # searches, and reads the first hits: half a minute

# %% [markdown] tags=["instructor"]
# **Plan.** 45 minutes: ranking 15, citations 15, abstention 15. The first cell takes the longest,
# so start it before you speak. No language model is needed: the replies of the second part were
# written by hand, each to show one thing. Say so; students take them for a model's otherwise. If
# time is short, leave out exercise 1.

# %% [markdown]
# ## Rank
#
# Finnish and Korean questions search one pool of English, Finnish and Korean passages. Half of them
# are answered by English passages only (cross-lingual), half by passages in their own language only
# (in-language).

# %% tags=["check"]
print(f"{len(lesson.questions())} questions, {len(lesson.pool())} passages")

# %% [markdown]
# The retriever compares vectors of the question as it was asked. As in lesson 5, it prefers the
# question's own language, even if only English passages answer:

# %%
lesson.ranking_table("mini-fi-03", ["dense", "balance", "reader"])

# %% [markdown]
# The question asks where a product with a barcode was first scanned, and the passage with the star
# answers it; the retriever has it below these five. Two rankers order the same hits again:
#
# - `balance` takes a hit of each language in turn. It reads nothing, and costs nothing.
# - `reader` sorts the first ten by the span reader's probability that the passage answers.
#
# **Predict first.** Across languages both should help. What do they do to in-language
# questions, where the retriever's preference is right?

# %%
lesson.recall_table([1, 2, 3, 5])

# %% [markdown]
# Both help across languages: `balance` from the second hit on (its first is the retriever's), and
# `reader` already at the first. In-language, the retriever had nearly all gold passages first, and
# both do harm: `balance` a little at two hits, `reader` much at the first. With three hits or more,
# nothing is left of the harm. So the depth at which you read decides: whoever reads five passages
# gains, whoever reads one should rank cross-lingual questions only.

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
claim("nearly all first", at["target", "dense", 1] > 90)
claim("balance a little", 0 < at["target", "dense", 2] - at["target", "balance", 2] < 10)
claim("the reader much", at["target", "dense", 1] - at["target", "reader", 1] > 20)
claim("no harm from three", all(at["target", name, 3] == 100 for name in lesson.rankings()))
claim("five: all gain", min(at["en", n, 5] for n in ("balance", "reader")) > at["en", "dense", 5])

# %% [markdown]
# Both only order what was retrieved. A gold passage that is not among the hits stays lost:

# %% tags=["check"]
for half, name in lesson.HALVES.items():
    lost = 100 - lesson.recall("dense", half, 20)
    print(f"{name}: not among the first 20 hits {lost:.0f} %")

# %% [markdown]
# ### Exercise 1: languages in turn
#
# `hits` is a list of (docid, language), best first. Return the docids in turns: a turn takes the
# best hit that is left of each language, languages in the order of their best hits.


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
# This lesson has no model. **The replies below were written by hand**, and are replayed as those of
# an endpoint would be: they show what can happen, not how often. The file of replies says so, and
# so does the reader, which names where its answers are from:

# %% tags=["check"]
print(lesson.reader().black_box)
print(lesson.cases()["right"].reply)

# %% [markdown]
# **Predict first.** One reply quotes “Merry  Christmas” with other quotation marks and two blanks
# than the passage, one quotes the passage in other words, one an existing text with the number of
# another passage. Which of these three quotations count as supported?

# %%
lesson.reply_table()

# %% [markdown]
# Only the first: quotation marks and white space are compared in one form, words and numbers as
# they are. The score orders answers by their supported quotations; it is not a probability.
#
# - *from memory* is right, but its passages do not contain the answer. The false quotation gives it
#   away: a model that knows the answer has to invent the evidence.
# - *not in the passages* is an answer, too: the model abstained. *no JSON* is a failure, which is
#   tried again and reported.
# - *in English* answers a Finnish question in English. With `ask_again` the model is asked once
#   more:

# %% tags=["claim"]
results = {name: lesson.generate(name) for name in lesson.cases()}
supported = {name: result.quotations for name, result in results.items()}
claim("the first of the three", supported["other quotation marks"] == (1, 1), **supported)
claim("not in other words", supported["paraphrase"] == (0, 1))
claim("not with another number", supported["wrong number"] == (0, 1))
claim("right without evidence", results["from memory"].is_right)
claim("and found out", supported["from memory"] == (0, 1))
claim("abstained", not results["not in the passages"].text)
claim("and did not fail", not results["not in the passages"].failure)
claim("a failure", results["no JSON"].failure)

# %% tags=["check"]
for ask_again in (False, True):
    result = lesson.generate("in English", ask_again=ask_again)
    print(f"ask_again={ask_again}: {result.text} ({result.candidate.lang})")

# %% [markdown]
# ### Exercise 2: what the check cannot see
#
# In which cases is every quotation supported although the answer is wrong? An answer in the wrong
# language is wrong. Write a set of names from the table.

# %% tags=["exercise"]
answer_2 = ...  # {"name", ...}

# %% tags=["solution"]
answer_2 = {"beside the point", "injected", "in English"}

# %% tags=["grade"]
lesson.check_2(answer_2)

# %% [markdown] tags=["instructor"]
# **Exercise 2.** Ask which of the three a person would notice who sees answer and quotation only,
# without the passages: *beside the point* and *in English*, but not *injected*. Then ask what would
# help against that one: who may write into the index, and an answer from several passages.

# %% [markdown]
# One of them is an attack. Anyone who can write a passage that you index can write instructions
# into it:

# %%
lesson.quotation_table("injected")

# %% [markdown]
# The quotation is genuine, and the passage lies. `xorqa checklist injections` counts how often your
# model does what 50 such passages tell it.

# %% [markdown]
# ## Abstain
#
# Now a third of the gold passages is removed from the pool: those questions have no answer any
# more. The span reader still finds something in the first five passages, for every question. It
# also has a confidence, the probability that the passage answers.

# %% tags=["check"]
answers = lesson.answers()
confidences = [answer.confidence for answer in answers]
errors = [answer.error for answer in answers]
answerable = [answer.answerable for answer in answers]
print(f"{sum(answerable)} answerable questions, {len(answers) - sum(answerable)} unanswerable ones")
print(f"mean error if all are answered: {sum(errors) / len(errors):.2f}")

# %% [markdown]
# The error is 1 - F1, and 1 for any answer to an unanswerable question. If the reader may keep
# silent when it is unsure, it answers fewer questions (the *coverage*), hopefully with a smaller
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
    "Risk against coverage. Both curves jump with the first confident error; then that of all "
    "questions rises to 0.6, the dotted line without a confidence, and that of the answerable "
    "ones to 0.4. A circle on the first marks the reader's threshold.",
)

# %% [markdown]
# The area under the curve sums it up: 0 would be a system without errors. Compare it with the area
# without a confidence, which is the mean error, and with that of a confidence that sorts the errors
# perfectly:

# %% tags=["check"]
curve, constant, perfect = lesson.area()
print(f"area {curve:.2f}, without a confidence {constant:.2f}, at best {perfect:.2f}")

# %% [markdown]
# The confidence closes about two thirds of the way from no confidence to the best one. What is left
# are confident errors: the first questions of the curve are not free of them.

# %% tags=["claim"]
share = (constant - curve) / (constant - perfect)
claim("about two thirds of the way", 0.58 < share < 0.75, share=share)
confident = sorted(zip(confidences, errors, strict=True), reverse=True)[:5]
claim("confident errors", any(error == 1 for _, error in confident), confident=confident)
kept = [error for error, can in zip(errors, answerable, strict=True) if can]
claim("0.6 of all", round(constant, 1) == 0.6, constant=constant)
claim("0.4 of the answerable", round(sum(kept) / len(kept), 1) == 0.4, kept=kept)

# %% [markdown]
# A single threshold has two rates in NoMIRACL: the *hallucination rate* is the share of
# unanswerable questions that are answered, the *error rate* that of answerable ones that are not.
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
for least in (0.5, 0.9, lesson.threshold()):
    hallucinated, silent = lesson.rates_at(least)
    print(f"threshold {least:.2f}: hallucination {hallucinated:.0f} %, error {silent:.0f} %")

# %% [markdown]
# A threshold trades one rate for the other; which is worse depends on what a wrong answer costs
# your users. The last one is the reader's own, fitted on other questions. Here 0.90 has the same
# hallucination rate and keeps silent less often. Do not change it for that reason: a threshold that
# is chosen on the questions it is measured on looks better than it is.

# %% tags=["claim"]
low, high = lesson.rates_at(0.5), lesson.rates_at(lesson.threshold())
claim("one rate for the other", low[0] > high[0] and low[1] < high[1], low=low, high=high)
middle = lesson.rates_at(0.9)
claim("0.90 hallucinates as often", middle[0] == high[0], middle=middle, high=high)
claim("and keeps silent less often", middle[1] < high[1], middle=middle, high=high)

# %% [markdown]
# ## The answer
#
# **A ranker brings the right passage forward where the retriever prefers another language, and does
# harm where it was right; a quotation can be checked without a model, but shows only that the words
# are in the passage; and a confidence buys a lower risk with unanswered questions, at a threshold
# that you choose on questions with and without an answer.**
#
# ## Exercises
#
# Exercises 1 to 4 are above, in the sections that they belong to.
#
# ### Exercise 5: at most a tenth
#
# Your users forgive silence, not inventions: at most 10 % of the unanswerable questions may be
# answered. Try every confidence in `confidences` as the threshold. What is the least error rate, in
# percent?

# %% tags=["exercise"]
answer_5 = ...  # a percentage

# %% tags=["solution"]
allowed = [lesson.rates_at(least) for least in confidences]
answer_5 = min(silent for hallucinated, silent in allowed if hallucinated <= 10)

# %% tags=["grade"]
lesson.check_5(answer_5)

# %% [markdown]
# ## Go on
#
# With a model of your own, `xorqa run generate` makes such answers, and `xorqa eval attribution`
# counts their quotations ([Answer with a language model](../docs/generation.md)). `xorqa data
# export mini --format folder --without-gold 0.33 --out gaps` makes a world with gaps, and `xorqa
# eval abstention` draws the curves of several runs over it.
