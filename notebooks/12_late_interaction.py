# %% [markdown]
# # 12. Late interaction
#
# **The question of this lesson:** a bi-encoder squeezes a passage into one vector, a cross-encoder
# reads it again for every question. What lies between, and what does it cost?
#
# *Late interaction* keeps one vector per token and compares question and passage token by token
# ([ColBERT](https://arxiv.org/abs/2004.12832), Khattab and Zaharia 2020). A cross-encoder
# ([Nogueira and Cho 2019](https://arxiv.org/abs/1901.04085)) is the expensive end of the scale.
#
# - **Level:** advanced
# - **Time:** 35 minutes of reading, 25 of exercises
# - **You need:** lessons 2b, 3a (subwords) and 5; NumPy
# - **You will be able to:** compute MaxSim by hand and explain what one vector loses; say why token
#   vectors have to be centred across languages; weigh quality against time and bytes

# %%
from time import perf_counter

import numpy as np
from lessons import claim, draw, table
from lessons import late_interaction as lesson

examples, passages = lesson.examples(), lesson.passages()
encoder = lesson.encoder()

# %% [markdown] tags=["instructor"]
# **Plan.** 35 minutes without exercises 3 and 4: the table of one question 15, the pool 10, cost
# 10. The cell that encodes the pool runs for half a minute and the cross-encoder for about as long;
# start both while you draw the table of exercise 2 on the board.

# %% [markdown]
# ## One question, two sentences
#
# A Finnish question, *Who discovered francium?*, and two English sentences. The encoder computes a
# vector for every subword. A bi-encoder takes their mean and forgets them; here we keep them, each
# scaled to length 1.

# %% tags=["check"]
question = "Kuka löysi frankiumin?"
sentences = [
    "Marguerite Perey discovered francium in 1939.",
    "Marie Curie discovered radium in 1898.",
]
[asked] = encoder.token_vectors("query", [question])
perey, curie = encoder.token_vectors("passage", sentences)
print(lesson.pieces("query", question))
print(lesson.pieces("passage", sentences[0]))
print("question:", asked.shape, " sentences:", perey.shape, curie.shape)

# %% [markdown]
# The subwords include the prefix `query: ` and the special tokens at both ends; they are compared
# like all others. The mean of these vectors is the vector of lesson 2b:

# %% tags=["check"]
by_hand = lesson.units(perey.mean(axis=0))
[by_library] = encoder.passages(sentences[:1])
print("the mean is the passage's vector:", np.allclose(by_hand, by_library, atol=1e-4))

# %% tags=["claim"]
claim("the mean is the vector of lesson 2b", np.allclose(by_hand, by_library, atol=1e-4))

# %% [markdown]
# **Predict first.** Below is the inner product of each token of the question (rows) with each token
# of the first sentence (columns). Which columns do `löy`, `frank` and `Kuka` match best?

# %%
cells = lesson.units(asked) @ lesson.units(perey).T
rows, columns = lesson.pieces("query", question), lesson.pieces("passage", sentences[0])
draw(
    lesson.draw_table(cells, rows, columns),
    "A table of twelve question tokens by fifteen passage tokens, the highest cell of each row "
    "framed: the token of 'löysi' with 'discovered', 'frank' with 'franc', 'ium' with 'ium'.",
)

# %% [markdown]
# `löy` matches *discovered*, `frank` matches `franc`, and `ium` its copy: the first is an entry of
# a dictionary that nobody wrote, the second may be one, or similar spelling. Of the other nine
# rows, `<s>` finds its copy; the rest have none: `Kuka` (*who*) takes `e`, the end of a name, and
# the question mark takes `y`. They add to the sum all the same. **MaxSim** takes the highest value
# of each row and adds them up. One vector per text has no access to this: the inner product of two
# means is the *mean of all cells*. (Some cells of a row differ only after two digits.)

# %% tags=["check"]
best = {row: columns[column] for row, column in zip(rows, cells.argmax(axis=1), strict=True)}
print(best)
one, other = lesson.units(asked).mean(axis=0), lesson.units(perey).mean(axis=0)
print(f"mean of all cells {cells.mean():.3f}, inner product of the means {one @ other:.3f}")
scores = {}
for name, sentence in (("Perey", perey), ("Curie", curie)):
    pair = [lesson.units(asked)], [lesson.units(sentence)]
    scores[name] = ((pair[0][0] @ pair[1][0].T).mean(), lesson.library_scores(*pair)[0, 0])
    print(f"{name}: mean of all cells {scores[name][0]:.3f}, MaxSim {scores[name][1]:.2f}")

# %% tags=["claim"]
pairs = {"▁löy": "▁discovered", "▁frank": "▁franc", "ium": "ium"}
claim("löy, frank and ium", all(best[row] == column for row, column in pairs.items()), best=best)
rest = {row: best[row] for row in rows if row not in pairs}
claim("the other nine rows", len(rest) == 9 and (best["▁Kuka"], best["?"]) == ("e", "y"), **rest)
claim("<s> finds its copy", best["<s>"] == "<s>")
claim("a mean of all cells", abs(cells.mean() - one @ other) < 1e-5)
claim("both prefer the right sentence", np.greater(scores["Perey"], scores["Curie"]).all())

# %% [markdown]
# (The library takes the mean first and scales it to length 1 afterwards; the principle is the
# same; xorqa's own function computed MaxSim.) Both scores prefer the right sentence here. The
# question is how often they do.
#
# ### Exercise 1: MaxSim
#
# Write it for the token vectors of one question and one passage.


# %% tags=["exercise"]
def maxsim(question, passage):
    """The score of (tokens, dimensions) and (tokens, dimensions): one number."""
    return ...


# %% tags=["solution"]
def maxsim(question, passage):
    """The score of (tokens, dimensions) and (tokens, dimensions): one number."""
    return (question @ passage.T).max(axis=1).sum()


# %% tags=["grade"]
lesson.check_1(maxsim)

# %% [markdown]
# ### Exercise 2: three scores of a table
#
# Three tokens of a question (rows), four of a passage:
#
# | | a | b | c | d |
# |---|---|---|---|---|
# | **x** | 0.9 | 0.1 | 0.2 | 0.0 |
# | **y** | 0.3 | 0.8 | 0.1 | 0.0 |
# | **z** | 0.2 | 0.1 | 0.3 | 0.1 |
#
# What is MaxSim? What would it be if the passage's tokens looked for partners instead? And what is
# the inner product of the two mean vectors? Use paper, and round to two decimals.

# %% tags=["exercise"]
answer_2 = {"MaxSim": ..., "from the passage": ..., "mean vectors": ...}

# %% tags=["solution"]
answer_2 = {"MaxSim": 2.0, "from the passage": 2.1, "mean vectors": 0.26}

# %% tags=["grade"]
lesson.check_2(answer_2)

# %% [markdown] tags=["instructor"]
# **Exercise 2** is the heart of the lesson; do it on the board. Typical: 2.1 for MaxSim (columns),
# 0.67 (a mean), 3.1 for the mean vectors (a sum). Ask which score changes if the passage gets a
# second, unrelated sentence: only the mean falls.

# %% [markdown]
# ## A pool of eight languages
#
# All questions of the bundled world search one pool of passages in eight languages. English
# passages answer half of the questions, passages in the question's own language the other half.
# Everything below comes from one pass of the encoder.

# %% tags=["check"]
print(f"{len(examples)} questions, {len(passages)} passages")

# %%
questions = encoder.token_vectors("query", [example.question.text for example in examples])
texts = encoder.token_vectors("passage", [passage.titled for passage in passages])
asked_in = [example.question.lang for example in examples]
written_in = [passage.lang for passage in passages]

pooled = lesson.mean_vectors(questions)
one_vector = pooled @ lesson.mean_vectors(texts).T
tokens = lesson.library_scores(
    [lesson.units(rows) for rows in questions], [lesson.units(rows) for rows in texts]
)

# %% [markdown]
# Lesson 5 showed that a language shifts all its vectors by about the same amount. Token vectors
# have that shift, too. Two more systems subtract, from every token vector, the mean token vector of
# its language: MaxSim with centred tokens, and one vector that is the mean of centred tokens. These
# means ship with xorqa and were fitted on other texts, so a system may use them. It has to know the
# language of each question and passage; here the data say it.

# %%
centred_questions = [
    lesson.without_language(rows, lang, "query")
    for rows, lang in zip(questions, asked_in, strict=True)
]
centred_texts = [
    lesson.without_language(rows, lang, "passage")
    for rows, lang in zip(texts, written_in, strict=True)
]
began = perf_counter()
centred = lesson.library_scores(centred_questions, centred_texts)
seconds = {"MaxSim": perf_counter() - began}

one_centred = lesson.mean_vectors(centred_questions) @ lesson.mean_vectors(centred_texts).T

# %% [markdown]
# **Predict first.** One vector ranks the gold passage first for about 70 % of the questions. What
# does MaxSim reach with token vectors as they come, and what with centred ones? And what does one
# vector reach, if it is centred, too?


# %% tags=["check"]
def row(name, scores, baseline=one_vector):
    """A system's row: gold passage first and among five, and the difference with the baseline."""
    ranks = lesson.ranks(scores)
    shares = (f"{100 * np.mean(ranks <= depth):.1f}" for depth in (1, 5))
    gained = "–" if scores is baseline else lesson.gain(baseline, scores)
    return (name, *shares, gained)


header = ("score", "first", "among five", "first, against one vector [95 %]")
systems = {
    "one vector": one_vector,
    "MaxSim, as they come": tokens,
    "one vector, centred": one_centred,
    "MaxSim, centred": centred,
}
print("MaxSim, centred minus as it comes:", lesson.gain(tokens, centred))
print("MaxSim minus one vector, both centred:", lesson.gain(one_centred, centred))
table("Gold passage, %; n = 168", header, [row(*system) for system in systems.items()])

# %% [markdown]
# As they come, token vectors show no gain: the interval, from -5.4 to +4.2, allows for either
# sign. Centred, MaxSim ranks more gold passages first than one vector as it comes, and the interval
# excludes zero. A paper could stop here and praise late interaction. But two things changed at
# once, and the third row is the **control**: one centred vector gains as much, and between the two
# the interval includes zero. Centring brings the gain, to MaxSim itself 12.5 points; what MaxSim
# adds to it, this sample does not show.

# %% tags=["claim"]
first = {name: 100 * np.mean(lesson.ranks(scores) == 1) for name, scores in systems.items()}
as_they_come, subtracted = lesson.gain(one_vector, tokens), lesson.gain(one_vector, centred)
claim("about 70 %", first["one vector"])
shown = [round(end, 1) for end in (as_they_come.low, as_they_come.high)]
claim("from -5.4 to +4.2", shown == [-5.4, 4.2], it=as_they_come)
centring = lesson.gain(tokens, centred)
claim("MaxSim itself 12.5 points", centring.mean)
claim("centring's interval excludes zero", centring.low > 0, it=centring)
claim("centred gains", subtracted.low > 0, it=subtracted)
control, added = lesson.gain(one_vector, one_centred), lesson.gain(one_centred, centred)
claim("one centred vector gains as much", control.low > 0 and control.mean >= subtracted.mean)
claim("between the two, the interval includes zero", not added.excludes_zero, it=added)
claim("168 questions", len(examples) == subtracted.n == 168)

# %% [markdown]
# Where does the gain come from? Split the questions by the language of the passage that answers.
# For the cross-lingual half, count also how often the first passage is in the question's own
# language, where no answer is:

# %% tags=["check"]
crossing = np.array([example.answered_in == "en" for example in examples])
same_language = np.array(asked_in)[:, None] == np.array(written_in)
halves, misled, wrongly, rows = {}, {}, {}, []
for name, scores in systems.items():
    found = lesson.ranks(scores) == 1
    own = same_language[np.arange(len(scores)), scores.argmax(axis=1)]
    halves[name] = [100 * found[half].mean() for half in (crossing, ~crossing)]
    wrongly[name] = own[crossing]
    misled[name] = lesson.difference(wrongly["one vector"], own[crossing])
    gains = [lesson.gain(one_vector, scores, half) for half in (crossing, ~crossing)]
    cells = [
        f"{a:.0f}, {'–' if name == 'one vector' else b}"
        for a, b in zip(
            [*halves[name], 100 * wrongly[name].mean()], [*gains, misled[name]], strict=True
        )
    ]
    rows.append((name, *cells))
more = lesson.difference(wrongly["one vector, centred"], wrongly["MaxSim, centred"])
print("first in the question's own language, MaxSim minus one vector, both centred:", more)
title = "Gold passage first, %, against one vector [95 %]; n = 84 each"
halved = ("score", "cross-lingual", "in-language", "cross-lingual, first in its own language")
table(title, halved, rows)

# %% [markdown]
# From the cross-lingual half: both centred scores gain there, and their intervals exclude zero;
# in-language, all intervals include zero. A maximum picks the nearest token, and as they come,
# tokens are nearest to tokens of the same language: MaxSim is misled for 40 questions and one
# vector for 35, though this difference includes zero.
#
# Centred, MaxSim is misled for 9 questions instead of 40, and one vector for 1 instead of 35. So
# MaxSim still puts passages in the question's own language first more often, and this interval
# excludes zero: the one difference between token vectors and one vector that these questions show.
# It costs no gold passages that we can show.

# %% tags=["claim"]
crossed, inside = (
    [lesson.gain(one_vector, systems[name], half) for name in list(systems)[1:]]
    for half in (crossing, ~crossing)
)
claim("both centred scores gain there", min(crossed[1].low, crossed[2].low) > 0, **halves)
claim("all intervals include zero", not any(one.excludes_zero for one in inside), inside=inside)
wrong = [int(own.sum()) for own in wrongly.values()]
claim("35, 40, 1 and 9 questions", wrong == [35, 40, 1, 9], wrong=wrong)
claim("this difference includes zero", not misled["MaxSim, as they come"].excludes_zero, **misled)
claim("more often, and this interval excludes zero", more.low > 0, more=more)
cost = lesson.gain(one_centred, centred, crossing)
claim("no gold passages that we can show", not cost.excludes_zero, cost=cost)
claim("English passages answer half of the questions", float(crossing.mean()))

# %% [markdown]
# ### Exercise 3: padding
#
# On a GPU passages are padded to the same length, with zero vectors at the end. `real` is False for
# padding.
# Write MaxSim so that padding has no effect.


# %% tags=["exercise"]
def masked_maxsim(question, passage, real):
    """MaxSim with the real tokens of the passage only; `real` has a truth value per token."""
    return ...


# %% tags=["solution"]
def masked_maxsim(question, passage, real):
    """MaxSim with the real tokens of the passage only; `real` has a truth value per token."""
    return np.where(real, question @ passage.T, -np.inf).max(axis=1).sum()


# %% tags=["grade"]
lesson.check_3(masked_maxsim)

# %% tags=["check"]
padded = [np.vstack([rows, np.zeros_like(rows[:1])]) for rows in centred_texts]
careless = lesson.library_scores(centred_questions, padded)
scores_changed = 100 * np.mean(~np.isclose(careless, centred, atol=1e-4))
ranks_changed = np.sum(lesson.ranks(careless) != lesson.ranks(centred))
print(f"if padding counts: {scores_changed:.0f} % of all scores change,")
print(f"and the gold passage's rank for {ranks_changed} of {len(examples)} questions")

# %% [markdown]
# The mistake is harmless here: a row's maximum is rarely negative if a passage has a hundred
# tokens. With short passages or other vectors it may not be.

# %% tags=["claim"]
claim("harmless here", ranks_changed == 0 and 0 < scores_changed < 5, scores=scores_changed)

# %% [markdown]
# ## The price
#
# A cross-encoder reads question and passage together, so it has to run once per *pair*. It can
# therefore only reorder the first few hits; here both rankers reorder the first five of the one
# vector, which is centred, so that a ranker can only gain by itself.

# %%
began = perf_counter()
crossed = lesson.cross_scores(one_centred)
seconds["cross-encoder"] = perf_counter() - began

# %% tags=["check"]
rankers = {
    "one vector, centred": one_centred,
    "then MaxSim": lesson.reordered(one_centred, centred),
    "then the cross-encoder": lesson.reordered(one_centred, crossed),
}
title = "Gold passage, %; the first five of the centred vector reordered; n = 168"
against = (*header[:3], "first, against the centred vector [95 %]")
table(title, against, [row(*system, one_centred) for system in rankers.items()])

# %% tags=["check"]
between = lesson.gain(rankers["then MaxSim"], rankers["then the cross-encoder"])
print(f"cross-encoder minus MaxSim, first: {between}")

# %% [markdown]
# For neither ranker do 168 questions show a gain over the centred vector alone: both intervals
# include zero, and so does that of the difference between the two. Nor was there much room:
# reordering cannot bring a passage among the five, so it can gain 9.5 points at most. (Ours is a
# small cross-encoder, and the encoder of MaxSim was not trained for it; others may well win.)

# %% tags=["claim"]
gains = {name: lesson.gain(one_centred, scores) for name, scores in rankers.items()}
fives = {name: np.mean(lesson.ranks(scores) <= 5) for name, scores in rankers.items()}
claim("MaxSim: includes zero", not gains["then MaxSim"].excludes_zero, **gains)
claim("cross-encoder: includes zero", not gains["then the cross-encoder"].excludes_zero, **gains)
claim("and between the two", not between.excludes_zero, between=between)
room = 100 * fives["one vector, centred"] - first["one vector, centred"]
claim("9.5 points", room)
claim("reordering brings none among the five", len(set(fives.values())) == 1, **fives)

# %% [markdown]
# What each score costs, per pair and per passage. Multiplications are counted, not timed: for a
# transformer roughly the parameters of its body (21 million) times the tokens. MaxSim multiplies
# each token of the question with each of the passage.

# %% tags=["check"]
long = np.mean([len(rows) for rows in texts])
short = np.mean([len(rows) for rows in questions])
dimensions, body = pooled.shape[1], 21e6
costs = {
    "one vector": (dimensions, 4 * dimensions),
    "MaxSim": (short * long * dimensions, long * (2 * dimensions + 4)),
    "cross-encoder": (body * (short + long), np.mean([len(p.titled.encode()) for p in passages])),
}
print(f"tokens: {short:.0f} a question, {long:.0f} a passage")
rows = [(name, f"{work:,.0f}", f"{size / 1000:.2f}") for name, (work, size) in costs.items()]
table("Per passage", ("score", "multiplications to score it", "KB stored"), rows)

# %% [markdown]
# (Stored as xorqa's indexes do: 32 bits per number for one vector; 16 bits for token vectors, and
# four bytes of scale per token; the cross-encoder needs the text.) MaxSim multiplies some 2,800
# times as much as one vector, and the cross-encoder some 2,700 times as much as MaxSim, for every
# question anew. The price of MaxSim is its index, 56 times as large, and 111 times at 32 bits.
# Counts are not times: what a machine does in parallel differs. On this one:

# %%
pairs = {"MaxSim": len(examples) * len(passages), "cross-encoder": len(examples) * lesson.DEPTH}
{name: f"{1000 * seconds[name] / pairs[name]:.3f} ms per pair" for name in pairs}

# %% tags=["claim"]
work, size = ({name: cost[at] for name, cost in costs.items()} for at in (0, 1))
ratios = work["MaxSim"] / work["one vector"], work["cross-encoder"] / work["MaxSim"]
claim("some 2,800 and 2,700", [round(one, -2) for one in ratios] == [2800, 2700], ratios=ratios)
claim("56 times as large", round(size["MaxSim"] / size["one vector"]) == 56, **size)
claim("111 times at 32 bits, a vector a token", round(long) == 111, long=long)
each = {name: seconds[name] / pairs[name] for name in pairs}
claim("the clock agrees on the order", each["cross-encoder"] > 10 * each["MaxSim"], **each)

# %% [markdown]
# ### Exercise 4: two passages
#
# A question has two tokens, (1, 0) and (0, 1). Write the token vectors of two passages, each token
# of length 1 in two dimensions, so that MaxSim prefers the first passage and the inner product of
# the mean vectors (not scaled) prefers the second.

# %% tags=["exercise"]
answer_4 = {"MaxSim prefers": ..., "means prefer": ...}  # lists of [x, y]

# %% tags=["solution"]
answer_4 = {
    "MaxSim prefers": [[1, 0], [0, 1], [-1, 0], [0, -1]],
    "means prefer": [[0.6, 0.8], [0.8, 0.6]],
}

# %% tags=["grade"]
lesson.check_4(answer_4)

# %% [markdown]
# [ColBERTv2](https://aclanthology.org/2022.naacl-main.272) (Santhanam et al. 2022) stores a token
# as the number of a centroid and a few bits of what differs from it;
# [PLAID](https://arxiv.org/abs/2205.09707) (Santhanam et al. 2022) searches such an index fast. Our
# encoder was not trained for MaxSim. ColBERT is, with a projection to 128 dimensions, and so are,
# across languages, [ColBERT-X](https://arxiv.org/abs/2201.08471) (Nair et al. 2022) and one of the
# three scores of [BGE-M3](https://arxiv.org/abs/2402.03216) (Chen et al. 2024).

# %% [markdown]
# ## The answer
#
# **Late interaction lies between: passages are encoded once, as with one vector, but every token
# of the question finds its own partner. Scoring stays far cheaper than a cross-encoder; the index
# is what grows. Across languages, centring brought the gain here: what MaxSim adds to one centred
# vector, 168 questions do not show. An encoder that was not trained for MaxSim need not profit from
# it.**
#
# ## Exercises
#
# Exercises 1 to 4 are above, in the sections that they belong to.
#
# ## Go on
#
# - [Late interaction](../docs/late-interaction.md): the ranker, the retriever, and ColBERT models.
# - [Lesson 13](13_train_a_retriever.ipynb) trains a retriever instead of comparing three.
