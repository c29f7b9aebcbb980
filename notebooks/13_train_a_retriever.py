# %% [markdown]
# # 13. Train a retriever
#
# **The question of this lesson:** how does an encoder learn which texts belong together, and how
# far does that carry?
#
# Dense retrievers are trained by *contrast*: a question should be nearer to its own text than to
# the other texts of the batch ([DPR](https://aclanthology.org/2020.emnlp-main.550), Karpukhin et
# al. 2020, section 3.2). You will train one on two cores in a minute: a bi-encoder without a
# transformer, small enough to learn all its weights.
#
# - **Level:** advanced
# - **Time:** 40 minutes of reading, 30 of exercises
# - **You need:** lesson 2b; Python and a little PyTorch
# - **You will be able to:** compute the contrastive loss by hand; train a bi-encoder with in-batch
#   and hard negatives; split data without a leak; say what the model learned and what it did not

# %%
import numpy as np
import torch
from lessons import claim, draw, table
from lessons import train_a_retriever as lesson

torch.manual_seed(1)
LANGS = lesson.LANGS

# %% [markdown] tags=["instructor"]
# **Plan.** 40 minutes, of which five are the computer's: the loss 15, training 10, languages and
# passages 15. Start the cell with the three trainings before you do exercise 2 together. Results
# differ a little between machines, since sums of floats do; the text claims only what survives.

# %% [markdown]
# ## The data
#
# 3,624 English questions and their translations into 16 languages ship with xorqa. A help desk
# knows the task: somebody asks in Thai, and the same question has been answered in English. So the
# encoder has to find, for a question in any of 16 languages, the English question that asks the
# same.
#
# The paragraphs that answer these questions do not ship, so we train on pairs of questions. The
# passages of the bundled world are evaluation data: we never train on them, and only look at them
# at the end.

# %% tags=["check"]
train, validation = lesson.positions("train"), lesson.positions("validation")
print(f"{len(LANGS)} languages; {len(train)} questions to train on, {len(validation)} to validate")
for lang in ("fi", "th", "en"):
    print(lang, lesson.texts(lang)[train[0]])

# %% [markdown]
# Validation has 240 questions in 16 languages, 3,840 in all; each searches all 3,624 English ones.
# No article has questions on both sides of the split.

# %% tags=["claim"]
claim("3,840 in all", len(validation) * len(LANGS) == 3840)
claim("3,624 English ones", len(lesson.texts("en")) == len(train) + len(validation) == 3624)

# %% [markdown]
# ### Exercise 1: a split without a leak
#
# You get rows like `{"paragraph": "p07", "question": "q014", "lang": "fi"}`: a question occurs in
# several languages, a paragraph has several questions. Hold out about a fifth of the rows so that
# training knows nothing about them.


# %% tags=["exercise"]
def held_out(rows):
    """A truth value per row: whether it is held out for validation."""
    return ...


# %% tags=["solution"]
def held_out(rows):
    """A truth value per row: whether it is held out for validation."""
    paragraphs = sorted({row["paragraph"] for row in rows})
    chosen = set(paragraphs[::5])
    return [row["paragraph"] in chosen for row in rows]


# %% tags=["grade"]
lesson.check_1(held_out)

# %% [markdown]
# ## The encoder
#
# A table with a row of 384 numbers per subword; a text's vector is the mean of its subwords' rows,
# scaled to length 1. The rows are the *input* embeddings of multilingual E5 small. The twelve
# layers above them, which make vectors of words in context, are left out.

# %% tags=["check"]
before_training = lesson.start()
print(f"{lesson.parameters(before_training):,} numbers are used by these questions")

# %% [markdown]
# **Predict first.** For how many percent of the 3,840 questions is the right English question the
# nearest of all 3,624, before any training? In which languages is it most often?

# %%
before = lesson.ranks(before_training)
by_lang = {lang: round(lesson.first(before, [lang])) for lang in LANGS}
print(f"right one first: {lesson.first(before):.1f} % of {len(LANGS) * len(validation):,}")
print(dict(sorted(by_lang.items(), key=lambda item: -item[1])))

# %% [markdown]
# About a quarter. The best languages are written in Latin letters and share names and roots with
# English; the worst share neither.

# %% tags=["claim"]
claim("about a quarter", lesson.first(before) / 100)
LATIN = ("de", "es", "fi", "ro", "tr", "vi")
others = [by_lang[lang] for lang in LANGS if lang not in LATIN]
claim("the best are in Latin letters", min(by_lang[x] for x in LATIN) > max(others), **by_lang)

# %% [markdown]
# ## The loss by hand
#
# A batch of three pairs. Each question (row) chooses among the three English questions (columns);
# its own is on the diagonal. Similarities are divided by a *temperature*, and the softmax of a row
# is the probability of each choice. The loss is the mean of minus the logarithm of the right
# probabilities.

# %% tags=["check"]
similarities = np.array([[0.8, 0.6, 0.1], [0.5, 0.4, 0.2], [0.1, 0.0, 0.7]])
powers = np.exp(similarities / 0.1)
probabilities = powers / powers.sum(axis=1, keepdims=True)
print(probabilities.round(2))
by_hand = -np.log(probabilities.diagonal()).mean()
right = torch.arange(3)
by_library = torch.nn.functional.cross_entropy(torch.tensor(similarities / 0.1), right).item()
print(f"by hand {by_hand:.4f}, PyTorch {by_library:.4f}")

# %% [markdown]
# The other texts of the batch serve as wrong answers: *in-batch negatives*. The second question
# prefers a wrong one, and nearly all of the loss is its own.

# %% tags=["claim"]
each = -np.log(probabilities.diagonal())
claim("by hand as PyTorch", abs(by_hand - by_library) < 1e-9)
claim("the second prefers a wrong one", probabilities[1].argmax() != 1)
claim("nearly all of the loss is its own", each[1] / each.sum(), each=each)

# %% [markdown]
# ### Exercise 2: the contrastive loss
#
# Write it with NumPy for a square table of similarities.


# %% tags=["exercise"]
def in_batch_loss(similarities, temperature):
    """The loss of a batch: rows are questions, the right text is on the diagonal."""
    return ...


# %% tags=["solution"]
def in_batch_loss(similarities, temperature):
    """The loss of a batch: rows are questions, the right text is on the diagonal."""
    powers = np.exp(similarities / temperature)
    return -np.log(powers.diagonal() / powers.sum(axis=1)).mean()


# %% tags=["grade"]
lesson.check_2(in_batch_loss)

# %% [markdown]
# ### Exercise 3: the loss of ignorance
#
# An encoder gives all pairs of a batch of 256 the same similarity. What is its loss?

# %% tags=["exercise"]
answer_3 = ...  # a number

# %% tags=["solution"]
answer_3 = np.log(256)

# %% tags=["grade"]
lesson.check_3(answer_3)

# %% [markdown] tags=["instructor"]
# **Exercises 2 and 3.** Typical in 2: no temperature, a sum for the mean, columns for rows; in 3:
# 1/256 or 8 (bits). Ask what the loss would be with a batch of 2, and why losses of different batch
# sizes cannot be compared.

# %% [markdown]
# ## Training
#
# A step draws 256 questions, each in a random language, computes the loss of their table, and moves
# the rows of the subwords that occur. `negatives` adds wrong texts to the columns.


# %%
def train_table(table, langs, *, steps=400, size=256, temperature=0.05, negatives=None, look=None):
    """A table trained further; `negatives` has positions of wrong texts for each one to train."""
    table = table.clone().requires_grad_(True)
    optimiser = torch.optim.SparseAdam([table], lr=0.003)
    stream = np.random.default_rng(1)
    losses = []
    for step in range(steps):
        drawn = stream.choice(len(train), size, replace=False)
        asked = [(langs[stream.integers(len(langs))], train[at]) for at in drawn]
        columns = [train[at] for at in drawn]
        if negatives is not None:
            columns += [wrong for at in drawn for wrong in negatives[at]]
        texts = [("en", at) for at in columns]
        similarities = (
            lesson.encode(table, *lesson.bag(asked)) @ lesson.encode(table, *lesson.bag(texts)).T
        )
        same = torch.tensor(columns) == torch.tensor(columns[:size])[:, None]
        same[:, :size].fill_diagonal_(False)  # the right text may occur again as a negative
        logits = (similarities / temperature).masked_fill(same, -torch.inf)
        loss = torch.nn.functional.cross_entropy(logits, torch.arange(size))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
        if look and (step + 1) % 50 == 0:
            look(step + 1, table)
    return table.detach(), losses


# %% [markdown]
# **Predict first.** After 400 steps (each question is seen about 30 times, in 16 languages),
# for how many percent of the 3,840 validation questions is the right one first?

# %%
curve = {0: lesson.first(before)}
trained, losses = train_table(
    before_training,
    LANGS,
    look=lambda step, table: curve.update({step: lesson.first(lesson.ranks(table))}),
)
after = lesson.ranks(trained)
print(f"right one first: {lesson.first(after):.1f} %, before {lesson.first(before):.1f} %")
print(f"difference and 95 % interval: {lesson.gain(before, after)}, n = 240 questions")

# %%
draw(
    lesson.draw_loss(range(1, 401), losses, curve),
    "The loss of each step falls from above 1 to near 0 within a hundred steps; the share of "
    "validation questions with the right one first rises steeply, then levels off near 80 percent.",
)

# %% [markdown]
# About four in five: three times as many as before. (The interval resamples the 240
# source questions and not the 3,840 translations, which are not independent.) The loss of the batch
# is soon near zero: 255 wrong texts drawn at random are too easy to teach more.

# %% tags=["claim"]
shares = {"before": lesson.first(before), "after": lesson.first(after)}
claim("about four in five", shares["after"] / 100)
claim("three times as many as before", shares["after"] / shares["before"], **shares)
claim("the interval excludes zero", lesson.gain(before, after).low > 0)
claim("240 sources", lesson.gain(before, after).n == 240)
claim("seen about 30 times", 400 * 256 / len(train))
claim("the loss is near zero", np.mean(losses[-50:]) < 0.1, loss=np.mean(losses[-50:]))
claim(
    "levels off",
    curve[400] - curve[200] < 5 < curve[50] - curve[0],
    **{str(k): v for k, v in curve.items()},
)

# %% [markdown]
# ## Hard negatives
#
# *Hard* negatives are wrong texts that the model itself ranks high. Mine them with the model that
# you have, look at some, and train on.
#
# ### Exercise 4: mine them
#
# `similarities` has a row per question, and its right text on the diagonal.


# %% tags=["exercise"]
def hard_negatives(similarities, count):
    """(questions, count): the columns of the most similar wrong texts of each row."""
    return ...


# %% tags=["solution"]
def hard_negatives(similarities, count):
    """(questions, count): the columns of the most similar wrong texts of each row."""
    masked = similarities.copy()
    np.fill_diagonal(masked, -np.inf)
    return np.argsort(-masked, axis=1)[:, :count]


# %% tags=["grade"]
lesson.check_4(hard_negatives)

# %%
english = lesson.encode(trained, *lesson.bag([("en", at) for at in train])).numpy()
near = english @ english.T
np.fill_diagonal(near, -np.inf)
mined = np.argsort(-near, axis=1)[:, :2]
for at in (5, 100, 1000):
    print(lesson.texts("en")[train[at]], "|", lesson.texts("en")[train[mined[at][0]]])

# %% [markdown]
# They share words and topics with the question, and ask something else. Now train 200 steps more,
# once with two hard negatives for each question and once without any.
#
# **Predict first.** Which of the two gains more, and how many points?

# %%
more, _ = train_table(trained, LANGS, steps=200)
harder, hard_losses = train_table(
    trained, LANGS, steps=200, negatives=[[train[wrong] for wrong in row] for row in mined]
)
more_ranks, hard_ranks = lesson.ranks(more), lesson.ranks(harder)
print(f"in-batch {lesson.first(more_ranks):.1f} %, hard {lesson.first(hard_ranks):.1f} %")
print(f"hard minus in-batch: {lesson.gain(more_ranks, hard_ranks)}, n = 240 questions")

# %% [markdown]
# The interval includes zero: no gain that 240 questions could show, although a step with hard
# negatives takes longer. The table had little left to learn from them. Of the *training* questions
# it already ranked the right one first for nearly all:

# %%
on_train = lesson.ranks(trained, ["fi", "th"], split="train")
for lang in on_train:
    known, new = (lesson.first(one, [lang]) for one in (on_train, after))
    print(f"{lang}: right one first, training questions {known:.0f} %, validation {new:.0f} %")

# %% [markdown]
# What is wrong on validation are words that training has not shown, and no choice of negatives
# among the training questions shows them.

# %% tags=["claim"]
hard_gain = lesson.gain(more_ranks, hard_ranks)
claim("the interval includes zero", not hard_gain.excludes_zero, gain=hard_gain)
known = [lesson.first(on_train, [lang]) for lang in on_train]
claim("the right one first for nearly all", min(known) / 100, known=known)
new = [lesson.first(after, [lang]) for lang in on_train]
claim("fewer of validation", np.less(new, known).all(), new=new, known=known)
claim("a wrong text is not the right one", all(at not in row for at, row in enumerate(mined)))

# %% [markdown]
# ## Languages that were never seen
#
# Train from the start without Greek, Korean, Telugu and Thai, then look at all languages.
#
# **Predict first.** What happens in these four? Compare with the languages before training and
# after training on all.

# %%
UNSEEN = ("el", "ko", "te", "th")
partly, _ = train_table(before_training, [lang for lang in LANGS if lang not in UNSEEN])
partly_ranks = lesson.ranks(partly)
systems = {"before": before, "trained on all": after, "trained without el ko te th": partly_ranks}
draw(
    lesson.draw_languages(systems),
    "A point per language and system. Trained on all, every language is far above its start. "
    "Trained without Greek, Korean, Telugu and Thai, the other languages are nearly the same, and "
    "these four stay near their start.",
)

# %% [markdown]
# The other languages gain as before. The four end at most ten points from their start: a row of
# the table moves only if its subword occurs in training. Of the subwords of their validation
# questions, about a tenth of them do, of the Finnish ones nearly all. A transformer shares
# its layers between languages; a table of subwords shares only subwords.

# %% tags=["claim"]
stayed = {x: lesson.first(partly_ranks, [x]) - lesson.first(before, [x]) for x in UNSEEN}
seen = [lang for lang in LANGS if lang not in UNSEEN]
seen_shares = [lesson.first(found, seen) for found in (after, partly_ranks)]
claim("at most ten points from their start", max(map(abs, stayed.values())), **stayed)
rows = set(lesson.bag([(x, at) for x in ("en", *seen) for at in train])[0].tolist())
moved = {
    lang: np.mean(
        [row in rows for row in lesson.bag([(lang, at) for at in validation])[0].tolist()]
    )
    for lang in (*UNSEEN, "fi")
}
claim("about a tenth of them", np.mean([moved[lang] for lang in UNSEEN]), **moved)
claim("of the Finnish ones nearly all", moved["fi"], **moved)
claim("on all, far above", all(by_lang[x] + 30 < lesson.first(after, [x]) for x in UNSEEN))
claim("the others gain as before", abs(np.subtract(*seen_shares)) < 3, shares=seen_shares)

# %% [markdown]
# ## Passages, and a transformer
#
# The bundled world: 84 questions that English passages answer, 327 passages. Nothing here was
# trained on passages.

# %%
before_passages, after_passages = map(lesson.passage_ranks, (before_training, trained))
rows = [
    (name, *(f"{100 * np.mean(found <= depth):.1f}" for depth in (1, 10)))
    for name, found in (("before", before_passages), ("trained", after_passages))
]
table("Gold passage, %; n = 84", ("table", "first", "among ten"), rows)

# %%
print("among ten, trained minus before:", lesson.passage_gain(before_passages, after_passages))
large = lesson.large_ranks()
print(f"right English question first, with E5's twelve layers: {lesson.first(large):.1f} %")
print(f"minus trained table: {lesson.gain(after, large)}, n = 240 questions")

# %% [markdown]
# Among ten, the trained table has about twice as many gold passages as before, and the interval
# excludes zero, though it never saw a passage. But the encoder of lesson 2b, the same table with
# twelve layers on top, ranks nearly every English question first.
# (Its authors trained it on data that include SQuAD, whose paragraphs these questions are about.)

# %% tags=["claim"]
tens = [100 * np.mean(found <= 10) for found in (before_passages, after_passages)]
claim("about twice as many", tens[1] / tens[0], tens=tens)
claim("excludes zero", lesson.passage_gain(before_passages, after_passages).low > 0)
claim("nearly every English question", lesson.first(large) / 100)
claim("84 questions, 327 passages", len(after_passages) == 84)

# %% [markdown]
# ## The answer
#
# **An encoder learns by contrast: the similarity of a question with its own text is raised above
# that with the other texts of the batch. What it learns carries to new questions made of known
# subwords, and even to passages; a table of subwords learns nothing about a language that training
# leaves out. Hard negatives help only as far as the model still confuses them.**
#
# ## Exercises
#
# Exercises 1 to 4 are above, in the sections that they belong to.
#
# ## Go on
#
# [Training](../docs/training.md) has the recipes of the encoders that ship with xorqa: losses of
# this kind, with a transformer, passages, and hours instead of minutes.
