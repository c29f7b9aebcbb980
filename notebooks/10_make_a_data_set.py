# %% [markdown]
# # 10. Make a data set
#
# **The question of this lesson:** how does a parallel question answering data set come from raw
# text, what do checks and several annotators catch, and how much do three questions say?
#
# [MLQA](https://aclanthology.org/2020.acl-main.653) (Lewis et al. 2020) was made in three steps:
# mine sentences that several Wikipedias share by their vectors ([Artetxe and Schwenk
# 2019](https://arxiv.org/abs/1811.01136)); write English questions with answers (MLQA, section
# 2.2); translate the questions, and mark the answers in the other language. You take every step,
# with three questions.
#
# - **Level:** intermediate
# - **Time:** 45 minutes of reading, 25 of exercises
# - **You need:** lesson 2b (vectors), lesson 3a (F1 and EM); Python. No Finnish
# - **You will be able to:** mine sentence pairs and choose a threshold; run annotation rounds and
#   read the report of an import; say what agreement filters out; put an interval on a small test

# %%
from itertools import product
from pathlib import Path

import numpy as np
from lessons import claim, draw, table
from lessons import make_a_data_set as lesson

folder = lesson.workspace()  # a temporary folder; it is gone with the kernel
known = lesson.known()  # the pairs of sentences that are known to be translations

# %% [markdown] tags=["instructor"]
# **Plan.** 45 minutes: mining 12, annotation and import 13, noise 10, scores 10. The commands are
# those for a terminal; `lesson.command` runs them. The first one encodes 600
# sentences, which takes about 20 seconds. In class, let students exchange their CSV files and
# answer each other's questions. The most common mistake is to think that the checks judge
# questions: they only find rows that cannot be used.

# %% [markdown]
# ## Mine
#
# Our two Wikipedias are passages of the bundled world. They share topics, but few sentences,
# so eight paragraphs that exist in both languages, with 24 sentences, are hidden among them.

# %% tags=["check"]
print("passages:", lesson.write_wikis())
print("known translations:", len(known))

# %% [markdown]
# `xorqa mine` encodes every sentence and compares each English vector with each Finnish one. The
# score of a pair is a *margin*: its cosine divided by the mean cosine of both sentences with their
# four nearest neighbours. So 1 means "no nearer than the neighbours".
#
# **Predict first.** The two files have about 350 and 240 sentences. Of the 24 pairs with the
# highest margins, how many are among the 24 known ones?

# %%
lesson.command("""
    xorqa mine wiki.en.jsonl wiki.fi.jsonl --langs en,fi --encoder encoder-aligned --out pairs.tsv
""")
pairs = lesson.read_pairs("pairs.tsv")
found = [pair in known for _, pair in pairs]
print("known among the first 24:", sum(found[:24]), "of 24")

# %%
lesson.pair_table("The pairs from rank 17 to 26", pairs[16:26])

# %% [markdown]
# The known pairs come first, with two others among them, one on Sibelius and one on gallium. In
# both, the English sentence says what the Finnish one says, and more. Whether they count as
# translations depends on your purpose. The pairs below them share a topic or a form, but not the
# meaning.

# %% tags=["claim"]
last = max(at for at, right in enumerate(found) if right)
others = [pair[0] for at, (_, pair) in enumerate(pairs[: last + 1]) if not found[at]]
claim("the known ones come first", sum(found[:24]) == sum(found) == 22, found=sum(found))
claim("two others among them", len(others) == 2 and last < 24, last=last, others=others)
claim("Sibelius and gallium", {"Sibelius", "Gallium"} <= set(" ".join(others).split()))

# %% [markdown]
# Why a margin, and not the cosine alone? Sentences such as "He died on 3 October 1931." are near
# to every other death. Here are the ranks of three pairs by cosine and by margin, and how many of
# the first 22 pairs are known by either:

# %%
lesson.command("""
    xorqa mine wiki.en.jsonl wiki.fi.jsonl --langs en,fi --encoder encoder-aligned
    --margin absolute --out cosine.tsv
""")
cosines = lesson.read_pairs("cosine.tsv")
for name, mined in (("cosine", cosines), ("margin", pairs)):
    print(f"by {name}: {sum(pair in known for _, pair in mined[:22])} of the first 22 are known")
ranks = {"He died on 3": [], "The first computer mouse": [], "On 25 July 1984": []}
for beginning, row in ranks.items():
    for mined in (cosines, pairs):
        row += [
            (rank, score)
            for rank, (score, (english, _)) in enumerate(mined, 1)
            if english.startswith(beginning)
        ]
rows = [
    (f"{beginning} ...", f"{cosine:.2f}", by_cosine, f"{margin:.2f}", by_margin)
    for beginning, ((by_cosine, cosine), (by_margin, margin)) in ranks.items()
]
table("Three pairs", ("English sentence", "cosine", "its rank", "margin", "its rank"), rows)

# %% [markdown]
# The first pair is wrong: two deaths, in 1931 and in 1932. By cosine it is about as good as a right
# pair. Its margin is far below theirs, since both sentences have other neighbours that are nearly
# as near. Yet among so few sentences this gains nothing: by cosine all of the first 22 pairs are
# known, and the death is next. A margin pays where a text is large enough for many short sentences
# to have such neighbours (Artetxe and Schwenk 2019).

# %% tags=["claim"]
(_, death), (_, death_margin) = ranks["He died on 3"]
right = [pair for name, pair in ranks.items() if name != "He died on 3"]
claim("as good by cosine", death > min(row[0][1] for row in right) - 0.03, ranks=ranks)
first = [sum(pair in known for _, pair in mined[:22]) for mined in (cosines, pairs)]
claim("by cosine all of the first 22", first[0] == 22 and first[1] <= first[0], first=first)
claim("the death is next", ranks["He died on 3"][0][0] == 23, ranks=ranks)
claim("far below by margin", death_margin < min(row[1][1] for row in right) - 0.12, ranks=ranks)
died = next(pair for _, pair in pairs if pair[0].startswith("He died on 3"))
claim("different years", "1931" in died[0] and "1932" in died[1], died=died)

# %% [markdown]
# ### What is missing?
#
# Two known pairs are nowhere in the list: our splitter missed the end of one English sentence ("...
# of a zinc ore. Marie Curie ..."), so neither half has a partner. A filter can lose pairs, too.
# Mine once more without the filters, and read what they removed:

# %%
lesson.command("""
    xorqa mine wiki.en.jsonl wiki.fi.jsonl --langs en,fi --encoder encoder-aligned
    --any-language --near-duplicates --max-ratio 100 --out all.tsv
""")
kept = {pair for _, pair in pairs}
removed = [(score, pair) for score, pair in lesson.read_pairs("all.tsv") if pair not in kept]
lesson.pair_table("Removed by the filters", removed)

# %% [markdown]
# None of these six is a translation, and the filter of languages removed nothing, although short
# sentences full of foreign names are hard for a detector. A filter whose losses nobody reads may
# cost data, and not at random: read what it removes, once.

# %% tags=["claim"]
claim("none of six", len(removed) == 6 and not known & {pair for _, pair in removed})
lost = " ".join(english for english, _ in known - kept)
claim("two are left", len(known - kept) == 2)
claim("on both sides of the end", "zinc ore." in lost and "Marie Curie" in lost, lost=lost)

# %% [markdown]
# ### Exercise 1: the threshold
#
# Which pairs do you keep? Label some of them. Then take the lowest score for which enough of the
# labelled pairs with at least that score are right: a share of at least `precision`.


# %% tags=["exercise"]
def threshold(scores, labels, precision):
    """The lowest of the scores that is precise enough; `labels` are True where a pair is right."""
    return ...


# %% tags=["solution"]
def threshold(scores, labels, precision):
    """The lowest of the scores that is precise enough; `labels` are True where a pair is right."""
    scores, labels = np.array(scores), np.array(labels)
    return min(score for score in scores if labels[scores >= score].mean() >= precision)


# %% tags=["grade"]
lesson.check_1(threshold)

# %%
rows = []
for lowest in (1.4, 1.3, 1.25, 1.2, 1.1):
    labels = [pair in known for score, pair in pairs if score >= lowest]
    precision, recall = 100 * np.mean(labels), 100 * sum(labels) / len(known)
    rows.append((lowest, len(labels), f"{precision:.0f}", f"{recall:.0f}"))
table("Pairs by threshold, percent", ("threshold", "pairs", "precision", "recall"), rows)

# %% [markdown]
# At 1.25, 22 of 24 pairs are known, and 22 of the 24 known ones are found; below it precision falls
# fast and recall gains nothing. But 1.25 was chosen on these very pairs, so its precision is
# flattered. (Had it been chosen elsewhere, the exact 95 % interval of such a share would be 73 to
# 99 %.) We use it all the same; with your own texts, label a sample, choose on it, and report the
# precision on another one.

# %% tags=["claim"]
at = {row[0]: (int(row[2]), int(row[3])) for row in rows}
chosen = [pair in known for score, pair in pairs if score >= 1.25]
claim("22 of 24 and of 24", (sum(chosen), len(chosen), len(known)) == (22, 24, 24))
claim("73 to 99 %", [round(end) for end in lesson.exact_interval(22, 24)] == [73, 99])
claim("falls fast", at[1.2][0] < at[1.25][0] - 5 and at[1.1][0] < 60, at=at)
claim("recall gains nothing", at[1.1][1] == at[1.25][1], at=at)

# %% [markdown]
# ## Export
#
# The first round of annotation: write a question about the sentence, and the shortest answer in it.
# `export` writes a row per pair, in CSV for any spreadsheet (or JSON for Label Studio).

# %%
lesson.command("""
    xorqa mine wiki.en.jsonl wiki.fi.jsonl --langs en,fi --encoder encoder-aligned
    --threshold 1.25 --out parallel.tsv
""")
lesson.command("""
    xorqa build qa export facts --round question --sentences parallel.tsv --langs en,fi
    --corpus en=wiki.en.jsonl --corpus fi=wiki.fi.jsonl --out questions.csv
""")

# %% tags=["check"]
task = next(row for row in lesson.read_tasks("questions.csv") if "Vivaldi" in row["sentence"])
for column, cell in task.items():
    if column != "id":
        print(f"{column:10} {cell}")

# %% [markdown]
# The columns from `question` on are for the annotator. `start` may stay empty: import finds the
# answer by its text. `impossible` is for sentences about which nothing can be asked.
#
# ## Annotate three questions
#
# Anna's first three rows, by a word of the sentence. Change them if you like, and go on from here.

# %%
anna = {
    "Kilimanjaro": {"question": "How high is Kilimanjaro?", "answer": "5895 metres"},
    "Denali": {
        "question": "What is the highest mountain in North America?",
        "answer": "Denali",
    },
    "Vivaldi": {"question": "Missä kaupungissa Antonio Vivaldi syntyi?", "answer": "Venice"},
}
lesson.fill("questions.csv", "anna.csv", anna)
lesson.drop_zeros("anna.csv")  # as if she had typed the ids: s14 for s00014

# %% [markdown]
# **Predict first.** Each of the three rows has something that import could object to. Which rows
# will it leave out? Will it know which tasks the changed ids stand for?

# %%
lesson.command("xorqa build qa import facts anna.csv")

# %%
lesson.report_table("facts/report.csv")

# %% [markdown]
# Two rows are left out: an answer that is not in the passage (Anna left out a comma) and a question
# in another language. The ids are recognised, with a note. The third row is accepted, and yet no
# question is kept: it was rejected for *copying*. Its sentence is "The highest mountain in North
# America is Denali in Alaska.": six of the eight words of *What is the highest mountain in North
# America?* are there in the same order, so a reader could find the answer by matching words. Import
# allows half.

# %% tags=["claim"]
report = lesson.read_tasks("facts/report.csv")
kinds = sorted(row["kind"] for row in report if row["level"] == "left out")
claim("two left out", kinds == ["other language", "span not in passage"], kinds=kinds)
counts = lesson.statistics("facts")
claim("none kept, one copied", counts["kept"] == 0 and counts["rejected"] == {"copied": 1})

# %% [markdown]
# ### Exercise 2: your question
#
# Write a question about this sentence, with an answer from it, that import accepts. At most half of
# the question's words may be copied from the sentence in its order:
#
# > Dolly the sheep, the first mammal cloned from an adult cell, was named after the singer Dolly
# > Parton.

# %% tags=["exercise"]
answer_2 = ...  # ("your question?", "your answer")

# %% tags=["solution"]
answer_2 = ("Which performer gave a famous clone its name?", "Dolly Parton")

# %% tags=["grade"]
lesson.check_2(answer_2)

# %% [markdown]
# Anna corrects her file and returns it. A later row of an annotator replaces the earlier one.

# %%
anna["Kilimanjaro"]["answer"] = "5,895 metres"
anna["Denali"]["question"] = "What is the name of North America's tallest peak?"
anna["Vivaldi"]["question"] = "In which city did Vivaldi's life begin?"
lesson.fill("questions.csv", "anna.csv", anna)
lesson.command("xorqa build qa import facts anna.csv")

# %% [markdown] tags=["instructor"]
# **About 5 minutes.** Ask what a program cannot check: that a question has only one answer, that it
# is clear without the passage, that anybody would ask it. "How high is Kilimanjaro?" passes all
# checks and could be answered from any table of mountains.

# %% [markdown]
# ## Others answer
#
# Would another person, who sees the question and the passage, mark the same answer? In the second
# round Bea and Carl answer Anna's questions. (She may not: import refuses her rows.)

# %%
lesson.command("xorqa build qa export facts --round answer --out answers.csv")
bea = {"Kilimanjaro": "5,895 metres", "North America": "Denali", "Vivaldi": "Venice"}
carl = {"Kilimanjaro": "5,895", "North America": "Denali in Alaska", "Vivaldi": "Venice in 1678"}
for name, answers in (("bea", bea), ("carl", carl)):
    cells = {word: {"answer": answer} for word, answer in answers.items()}
    lesson.fill("answers.csv", f"{name}.csv", cells)
lesson.command("xorqa build qa import facts bea.csv carl.csv")

# %% [markdown]
# Bea always agrees with Anna, and Carl never quite, though he knows all the answers. The agreement
# is the mean token F1 of all pairs of annotators. "With equal answers" counts the questions to
# which at least two annotators gave the same answer. The most frequent answer becomes the gold one.
# Labels from a short list need a correction for chance, such as Krippendorff's alpha; a passage has
# so many spans that chance agreement is small, and usually not corrected.

# %% tags=["claim"]
counts = lesson.statistics("facts")
claim("all kept", counts["kept"] == 3 and counts["majority"] == 1, **counts)
claim("agreement is well below 1", 0.6 < counts["agreement"] < 0.8, **counts)
written = [anna[word]["answer"] for word in ("Kilimanjaro", "Denali", "Vivaldi")]
claim("Bea agrees with Anna", [*bea.values()] == written, bea=bea)
claim("Carl never", not {*carl.values()} & {*written}, carl=carl)

# %% [markdown]
# ### Exercise 3: agreement
#
# Compute the agreement of the answers to one question. `f1(one, other)` is the token F1 of two of
# them, from 0 to 1.


# %% tags=["exercise"]
def agreement(answers, f1):
    """The mean F1 of all pairs of annotators."""
    return ...


# %% tags=["solution"]
def agreement(answers, f1):
    """The mean F1 of all pairs of annotators."""
    n = len(answers)
    return np.mean([f1(answers[a], answers[b]) for a in range(n) for b in range(a)])


# %% tags=["grade"]
lesson.check_3(agreement)

# %% [markdown]
# ## Noise
#
# A question is left out if its agreement is below 0.3. What does that rule do? Try it before you
# pay anybody: `xorqa.lab.building.simulate` plays annotators who err in a given share of their
# tasks and then mark another word of the sentence, drawn at random. Here three of them answer the
# 24 questions of the parallel paragraphs, twenty times; ± is the standard deviation of the runs.
#
# **Predict first.** Each annotator is wrong in 20 % of the tasks. What percentage of the questions
# is left, and what percentage of these has the right answer?

# %%
levels = [lesson.noise(level) for level in lesson.LEVELS]
header = ("noise", "agreement", "kept", "right, of the kept", "right with one annotator")
title = "Three simulated annotators, 24 questions, 20 runs; percent"
table(title, header, lesson.noise_rows(levels))

# %%
draw(
    lesson.draw_noise(levels),
    "Percentages by the share of wrong answers. Agreement falls fastest, then what is right with "
    "one annotator, then the questions that are kept; the kept ones stay right the longest.",
)

# %% [markdown]
# Noise puts a random word of the sentence in the place of an answer, a cruder error than people
# make. With 20 % of it three annotators lose about a tenth of the questions in this simulation, and
# nearly all that are left are right. Moderate noise costs questions rather than correct answers, as
# long as annotators err independently of each other. Where a question misleads all of them alike,
# they agree, and no agreement shows it.

# %% tags=["claim"]
by_level = {round(100 * row.level): row for row in levels}
claim("about a tenth of the questions", 1 - by_level[20].kept / 100)
claim("nearly all that are left are right", by_level[20].right / 100)
at_40 = by_level[40]
claim("the order of the lines", at_40.agreement < at_40.alone < at_40.kept < at_40.right)

# %% [markdown]
# ### Exercise 4: two of three
#
# Three annotators err independently, each with probability `error`. What is the probability that
# at least two of them are right? Compare it with "kept" times "right, of the kept".


# %% tags=["exercise"]
def majority(error):
    """The probability that at least two of three are right."""
    return ...


# %% tags=["solution"]
def majority(error):
    """The probability that at least two of three are right."""
    return (1 - error) ** 3 + 3 * (1 - error) ** 2 * error


# %% tags=["grade"]
lesson.check_4(majority)

# %% tags=["check"]
two = {r.level: 100 * ((1 - r.level) ** 3 + 3 * (1 - r.level) ** 2 * r.level) for r in levels}
for row in levels:
    both = row.kept * row.right / 100
    print(
        f"noise {row.level:4.0%}: two of three right {two[row.level]:3.0f} %, "
        f"kept and right {both:3.0f} %, kept {row.kept:3.0f} %"
    )

# %% [markdown]
# From 40 % noise on more is kept than that: wrong answers that agree by chance.

# %% tags=["claim"]
for row in levels:
    gap = row.kept * row.right / 100 - two[row.level]
    claim("the share that is kept and right", abs(gap) < 3, row=row, gap=gap)
for row in levels:
    if row.level >= 0.4:
        claim("more is kept than that", row.kept - two[row.level] > 5, row=row)

# %% [markdown]
# ## Translate
#
# In the last round Dora, who knows both languages, translates the questions and marks the answers
# in the Finnish passages. She does not translate the answers; she copies them as they are there.

# %%
lesson.command("xorqa build qa export facts --round translation --lang fi --out finnish.csv")
dora = {
    "Kilimanjaro": {"question": "Kuinka korkea Kilimanjaro on?", "answer": "5 895 metriä"},
    "North America": {
        "question": "Minkä niminen on Pohjois-Amerikan korkein huippu?",
        "answer": "Denali",
    },
    "Vivaldi": {
        "question": "Missä kaupungissa Vivaldin elämä alkoi?",
        "answer": "Venetsiassa",
    },
}
lesson.fill("finnish.csv", "dora.csv", dora)
lesson.command("xorqa build qa import facts dora.csv")
lesson.command("xorqa data check facts/dataset")

# %% [markdown]
# The Finnish answer is *Venetsiassa*, "in Venice", and not *Venetsia*: the case ending is part of
# the word, and a span cannot leave it out without cutting the word. Write such decisions down for
# annotators; each one moves scores.
#
# `facts/dataset` is a data set like any other, with questions that are parallel by id.

# %% tags=["check"]
print(*sorted(path.name for path in Path("facts/dataset").iterdir()), sep="\n")

# %% [markdown]
# ## Evaluate
#
# **Predict first.** The bundled reader gets each question with its paragraph. How many of the three
# answers match the gold answer exactly, in English and in Finnish?

# %%
ours = {lang: lesson.answer_file("facts/dataset", lang) for lang in ("en", "fi")}
lesson.answer_table("English", ours["en"])

# %%
lesson.answer_table("Finnish", ours["fi"])

# %% [markdown]
# Three of three in English, two of three in Finnish. Yet every answer contains the gold one:
# *Denali Alaskassa* is "Denali in Alaska" and has a word too many. A test of exact spans also tests
# the habits of its annotators.

# %% tags=["claim"]
exact = {lang: sum(row.em == 100 for row in rows) for lang, rows in ours.items()}
claim("three of three in English", exact["en"] / 3, **exact)
claim("two of three in Finnish", exact["fi"] / 3, **exact)
said = {row.predicted for rows in ours.values() for row in rows}
claim("a word too many", "Denali Alaskassa" in said, said=said)
inside = all(row.gold in row.predicted for rows in ours.values() for row in rows)
claim("every answer contains the gold one", inside, said=said)

# %% [markdown]
# How sure are such scores? The bootstrap of lesson 7b draws the same number of questions again and
# again, with replacement. With three questions there are only 27 different draws:

# %%
f1 = [row.f1 for row in ours["en"]]
means = [np.mean(draws) for draws in product(f1, repeat=3)]
low, high = np.quantile(means, [0.025, 0.975], method="inverted_cdf")
print(f"F1 {np.mean(f1):.1f}, bootstrap interval from {low:.0f} to {high:.0f}, {len(means)} draws")

# %% [markdown]
# It cannot draw what it has not seen: three right answers give an interval without any width. For a
# share of right answers there is an exact interval (Clopper and Pearson 1934). Beside ours, the
# same reader on the 24 questions of the parallel paragraphs:

# %% tags=["claim"]
claim("27 draws without any width", len(means) == 27 and low == high == 100, low=low, high=high)

# %%
pool = {lang: lesson.answer_file(lesson.POOL, lang) for lang in ("en", "fi")}
chart = []
for lang, name in (("en", "English"), ("fi", "Finnish")):
    for rows in (ours[lang], pool[lang]):
        right, n = sum(row.em == 100 for row in rows), len(rows)
        ends = lesson.exact_interval(right, n)
        chart.append((f"{name}, {right} of {n}", 100 * right / n, *ends, n == 3))
draw(
    lesson.interval_chart(
        chart,
        label="exact match, %, 95 % interval",
        marked="from our data set",
        unmarked="24 bundled questions",
    ),
    "Exact match with its interval in English and in Finnish, with three and with 24 questions. "
    "The intervals of three questions span most of the axis; those of 24 are narrower.",
)

# %% [markdown]
# Three questions leave nearly everything possible: from three in ten to all in English, and in
# Finnish from one in ten to nearly all. With 24 questions the Finnish share is well above the two
# thirds that we saw, and inside the interval all the same. Nor do 24 questions decide between the
# languages: three are right in English only, none in Finnish only, and the exact p of lesson 7b is
# 0.25.

# %% tags=["claim"]
(_, _, en_low, en_high, _), _, (_, fi, fi_low, fi_high, _), finnish = chart
claim("from three in ten to all in English", en_low / 100, low=en_low)
claim("all in English", en_high == 100, high=en_high)
claim("in Finnish from one in ten", fi_low / 100, low=fi_low)
claim("to nearly all", fi_high / 100, high=fi_high)
claim("well above, and inside", fi + 10 < finnish[1] < fi_high, chart=chart)
gains = [one.em - other.em for one, other in zip(*pool.values(), strict=True)]
claim("exact p", 2 * 0.5 ** len([gain for gain in gains if gain]) == 0.25, gains=gains)
claim("three in English only", sorted(gain for gain in gains if gain) == [100] * 3, gains=gains)

# %% [markdown]
# And the retriever? `xorqa run` takes the data set like any other:

# %%
lesson.command("xorqa run bm25 --data facts/dataset --until retrieve --out runs/bm25")

# %% [markdown]
# It finds an answer to every question (R@2kt: within the first 2,000 tokens), which says nothing:
# the passages of the data set are only those two per language that the questions are about. A test
# of a retriever needs the whole Wikipedia beside them. For one question the route `target`, which
# searches the passages of its own language, retrieved nothing: BM25 needs a word in common.

# %% tags=["claim"]
docs = {
    lang: len(Path(f"facts/dataset/passages.{lang}.jsonl").read_text("utf-8").splitlines())
    for lang in ("en", "fi")
}
claim("two passages", set(docs.values()) == {2}, **docs)

# %% [markdown] tags=["instructor"]
# **About 10 minutes.** Ask what the three questions were good for: not for a score, but to find out
# that people disagree on "metres" and on "in Alaska", before a thousand questions are paid for.
# Every annotation project begins with such a pilot.

# %% [markdown]
# ## The answer
#
# **Mine sentence pairs, let people ask, answer and translate in rounds, and check every row. Checks
# find rows that cannot be used, and several annotators turn errors into missing questions;
# what misleads all of them stays. Three questions show what to write into the guidelines, and
# say next to nothing about a reader.**
#
# ## Exercises
#
# Exercises 1 to 4 are above, in the sections that they belong to.

# %% [markdown]
# ### Exercise 5: how many in a row?
#
# A reader answers all of n questions right. The lower end of the exact 95 % interval is the share p
# with p to the power of n equal to 0.025. What is the smallest n for which p is at least 90 %?

# %% tags=["exercise"]
answer_5 = ...  # a number of questions

# %% tags=["solution"]
answer_5 = int(np.ceil(np.log(0.025) / np.log(0.9)))

# %% tags=["grade"]
lesson.check_5(answer_5)

# %% [markdown]
# ## Go on
#
# Today a language model often writes the questions, or judges the answers. The rounds stay the
# same: its questions copy words of the passage, too, and its judgements need a sample that people
# labelled (lesson 15). A public test set ends up in training data: keep a part of it unpublished,
# and say when the rest was published. Record the licence of the texts, and what annotators were
# paid and agreed to.
#
# [Make a data set](../docs/make-a-data-set.md) has all rounds and checks, and a second kind of data
# set: questions that their own Wikipedia does not answer, as in XOR QA. `xorqa corpus make` cuts a
# Wikipedia dump into passages to mine in ([data](../docs/data.md)), and `xorqa mlqa --dir
# facts/dataset --out results` scores readers in every pair of languages.
