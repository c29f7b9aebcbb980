# %% [markdown]
# # 7a. Your experiment
#
# **The question of this lesson:** I changed something in a system; how do I run both versions so
# that what differs in the scores comes from that change, and how do I see what it did?
#
# The tasks are those of [XOR QA](https://aclanthology.org/2021.naacl-main.46) (Asai et al. 2021,
# section 3). Lesson 7b asks whether the difference could be chance.
#
# - **Level:** intermediate
# - **Time:** 30 minutes of reading, 25 of exercises
# - **You need:** lesson 1; Python (functions, classes, dictionaries)
# - **You will be able to:** describe an experiment in a config and run it into a folder that others
#   can check; find the questions and the stages where two systems differ; write a stage of your own

# %%
from pathlib import Path

from lessons import claim, draw, pick
from lessons import your_experiment as lesson

from xorqa.experiments.run import run
from xorqa.experiments.settings import load_settings

folder = lesson.workspace()  # the working folder from here on; it is gone with the kernel

# %% [markdown] tags=["instructor"]
# **Plan.** 40 minutes: hypothesis and configs 10, runs and scores 10, the questions one by one 10,
# a stage of your own 10. The steps are commands too (`xorqa run`, `xorqa ledger`); show one in a
# terminal. Ask early: "What would you have to see to give up the hypothesis?" Most students
# describe what would confirm it.

# %% [markdown]
# ## A hypothesis
#
# A hypothesis is one sentence that a figure can contradict. Ours:
#
# > A reader that gets the question in English marks a better span than one that gets the question
# > as it was asked.
#
# State what counts before you run anything, or you will find a measure that agrees afterwards: F1
# of XOR-EnglishSpan (section 3.2), official scorer, macro average (the mean of the means of seven
# languages).
#
# The data are the questions of the bundled world that only English passages answer. The English
# questions are human translations, an oracle: we measure what a perfect translator would be worth
# to the reader.

# %% tags=["check"]
world = lesson.crossing_world()
asked_in = [example.question.lang for example in world.examples]
print({lang: asked_in.count(lang) for lang in world.languages}, len(asked_in), "in all")

# %% [markdown]
# ## Two configs
#
# An experiment is a TOML file. The two systems differ in one line. If they differed in two, nobody
# could say which of them made the difference.

# %% tags=["check"]
Path("asked.toml").write_text(lesson.ASKED, encoding="utf-8")
Path("translated.toml").write_text(lesson.TRANSLATED, encoding="utf-8")
print(lesson.ASKED)
pairs = zip(lesson.ASKED.splitlines(), lesson.TRANSLATED.splitlines(), strict=True)
for one, other in pairs:
    if one != other:
        print(f"asked.toml:      {one}\ntranslated.toml: {other}")

# %% [markdown]
# A slip in a config raises an error that lists what is valid; no default takes its place silently.

# %%
for change in ("reader.pasages=3", "reader.use=spam", "retriver.use=bm25"):
    print(lesson.config_error("asked.toml", change))

# %% [markdown]
# ## Two runs
#
# `run` answers the questions and fills a run folder.
#
# **Predict first.** The first run translates, retrieves and reads. Which of these stages will the
# second run compute again? Write them down.


# %%
def fill(name, out):
    """Run NAME.toml into the folder `out`; its scores, and what came from the cache."""
    reused = lesson.Reused()
    reports = run(load_settings(f"{name}.toml"), world, Path(out), progress=reused)
    return reports, reused


reports = {}
for name in ("asked", "translated"):
    reports[name], reused = fill(name, f"runs/{name}")
    print(name, reused, sep="\n")

# %% [markdown]
# The second run translates and searches exactly as the first, so it takes both from the cache. The
# results of a stage are stored under a hash of its class, version, settings, weights and input
# (`xorqa/io/cache.py`). The reader has another input, so it reads again. (If you run this
# lesson a second time, everything comes from the cache.)

# %% tags=["claim"]
claim("the second run reuses translation", reused.stages["eng: translate"].startswith("84 of 84"))
claim("and retrieval", reused.stages["eng: retrieve"].startswith("84 of 84"), **reused.stages)

# %% tags=["check"]
print(*sorted(path.name for path in Path("runs/asked").iterdir()), sep="\n")

# %% [markdown]
# | file | contents |
# |---|---|
# | `config.json` | the config with every default written out |
# | `manifest.json` | hashes of config, questions and passages; versions of the software |
# | `queries.jsonl`, `run.trec`, `spans.jsonl` | the output of translation, retrieval and reading |
# | `xor_*.json` | the prediction files in the official format, one per task |
# | `scores.json`, `per_question.jsonl` | the means, and the scores of each question |
# | `timings.json` | the seconds of each stage |
#
# A run folder records everything that others need to check it. It takes one run only: another
# config with the same folder is refused. The same config run again costs nothing and writes the
# same files. (On another machine, rounding may decide a close call between two spans differently.)

# %% tags=["check"]
_, reused = fill("asked", "runs/asked-again")
print(reused)
for name in ("run.trec", "spans.jsonl", "xor_full.json"):
    first, again = (Path(out, name).read_bytes() for out in ("runs/asked", "runs/asked-again"))
    print(name, "is the same" if first == again else "differs")

# %% [markdown]
# ## Scores
#
# Three tasks measure the pipeline at three stages. Both systems retrieve the same passages, and in
# so small a world always one with the answer; they differ at the reader.
#
# **Predict first.** How many points of F1 does the reader gain with English questions, and how
# many of these are left in XOR-Full, where one span is chosen and put into the asker's language?
# Write two numbers down.

# %%
lesson.score_table(reports, "xor-retrieve", "xor-engspan", "xor-full")

# %% [markdown]
# English questions are worth 11 points of F1 to the reader (84 questions, twelve a language), and
# XOR-Full gains 7 points. A right English span loses points there if it is not localised as the
# gold answer is written. And a chooser picks the span: in `asked` it already replaces some of the
# reader's wrong spans by right ones, so those questions have nothing left to gain in XOR-Full.

# %% tags=["claim"]
f1 = {
    task: [reports[name][task, "official"].macro["f1"] for name in ("asked", "translated")]
    for task in ("xor-engspan", "xor-full")
}
worth = {task: after - before for task, (before, after) in f1.items()}
claim("worth 11 points of F1 to the reader", worth["xor-engspan"], **f1)
claim("XOR-Full gains 7 points", worth["xor-full"], **f1)
english = {example.question.qid: example.answers("en") for example in world.examples}
taken = {
    name: {qid: lesson.traces(name)[qid].answer.source.text for qid in english}
    for name in ("asked", "translated")
}
full = {name: {x.qid: x.values["f1"] for x in lesson.scores(name, "xor-full")} for name in taken}
unlike = [
    qid
    for qid, span in lesson.submitted("translated").items()
    if span == taken["translated"][qid] and span in english[qid] and full["translated"][qid] < 1
]
claim("right spans lose points in localising", len(unlike) > 1, unlike=unlike)
replaced = [
    qid
    for qid, span in lesson.submitted("asked").items()
    if span not in english[qid] and taken["asked"][qid] in english[qid]
]
claim("the chooser replaces some wrong spans by right ones", len(replaced) > 1, replaced=replaced)
claim(
    "those questions have nothing left to gain",
    all(full["asked"][qid] == full["translated"][qid] for qid in replaced),
    replaced=replaced,
)
recalls = [reports[name]["xor-retrieve", "official"].macro["R@2kt"] for name in reports]
claim("both retrieve everything", recalls == [100, 100], recalls=recalls)

# %% [markdown]
# ### Exercise 1: two changes, how many runs?
#
# A colleague wants to know what *two* changes are worth to `asked`: the reader gets the question in
# English, and it reads one passage instead of two. `load_settings("asked.toml", changes=["k=20"])`
# is the same experiment with one setting changed. List the configs to run, each as a list of
# changes to `asked.toml`: as few as show what each change does without the other and beside it.

# %% tags=["exercise"]
answer_1 = ...  # a list of configs, each a list of changes such as ["k=20"]

# %% tags=["solution"]
TEXT, PASSAGES = "reader.text=query", "reader.passages=1"
answer_1 = [[], [TEXT], [PASSAGES], [TEXT, PASSAGES]]

# %% tags=["grade"]
lesson.check_1(answer_1)

# %% [markdown]
# ### Exercise 2: the macro average
#
# The tables give a macro average. Write it: `rows` are pairs of a language and a score from 0 to 1,
# one for each question.


# %% tags=["exercise"]
def macro(rows):
    """The mean over languages of the mean score of each, in percent."""
    return ...


# %% tags=["solution"]
def macro(rows):
    """The mean over languages of the mean score of each, in percent."""
    by_lang = {}
    for lang, score in rows:
        by_lang.setdefault(lang, []).append(score)
    means = [sum(scores) / len(scores) for scores in by_lang.values()]
    return 100 * sum(means) / len(means)


# %% tags=["grade"]
lesson.check_2(macro)

# %% [markdown] tags=["instructor"]
# **Exercise 2.** Here every language has twelve questions, so the wrong mean (over all questions)
# gives the same number and students see no problem; the check uses unlike numbers. Ask: "In XOR QA
# the languages have different numbers of questions. Which of the two means can one language
# dominate?"

# %% [markdown]
# ### Official and strict
#
# Each metric has two scorers. `official` equals the published script digit for digit; `strict` is
# what the paper defines. On 158 of our 168 answers they agree, BLEU aside. A question where they do
# not: it asks for a date, and we answer with the year alone.

# %% tags=["check"]
print("questions on which they differ:", sum(len(lesson.disagreements(name)) for name in reports))
year_alone = lesson.both_scorers({"mini-ja-02": "1914"})
for scorer, report in year_alone.items():
    print(f"{scorer:8} F1 of 1914: {report.macro['f1']:.1f}")

# %% [markdown]
# Another difference is larger. The published script of XOR-Full divides the sum over languages by
# seven, however many were run. Here `macro` is the mean over the languages present;
# `over_seven` adds the published division. Compare only figures of the same scorer and the same
# division.

# %% tags=["check"]
perfect = lesson.both_scorers(lesson.right_answers("fi", "ko"))["official"].over_seven()
print(f"two languages, every answer right: macro F1 {perfect.macro['f1']:.1f}")
print(f"divided by seven: {perfect.macro_over_seven['f1']:.1f}")

# %% tags=["claim"]
differing = sum(len(lesson.disagreements(name)) for name in reports)
answers = 2 * len(world.examples)
claim("on 158 of our 168", (answers - differing, answers) == (158, 168), differing=differing)
claim(
    "strict is stricter about the year",
    year_alone["strict"].macro["f1"] < year_alone["official"].macro["f1"],
    **year_alone,
)

# %% [markdown]
# ## Which questions changed?
#
# Before any test, look. `per_question.jsonl` has the scores of each question, so two runs can be
# compared question by question.
#
# **Predict first.** Of the 84 questions, how many get better, and how many worse?


# %%
def gains(before, after, task="xor-engspan"):
    """Qid to the difference in F1, in points, of two runs on that question."""
    a, b = ({one.qid: one.values["f1"] for one in lesson.scores(x, task)} for x in (before, after))
    return {qid: 100 * (b[qid] - a[qid]) for qid in a}


gained = gains("asked", "translated")
better = [qid for qid, points in gained.items() if points > 0]
worse = [qid for qid, points in gained.items() if points < 0]
draw(
    lesson.flip_chart(gained),
    f"Bars, one per language: of twelve questions, how many got better, stayed alike or got worse. "
    f"In all, {len(better)} got better and {len(worse)} worse.",
)

# %% [markdown]
# This change makes two questions worse, and at least one better in each language but Japanese and
# Russian. A change that helps often costs some questions; read those first, as they show what the
# change does.
#
# XOR-EnglishSpan scores the best span by the reader alone. The final answer is the chooser's, which
# also uses the retriever's score, so it can come from another span. The table shows both, and below
# it the trace of the second system.

# %% tags=["claim"]
claim("the change makes two questions worse", len(worse) == 2, worse=worse)
gaining = {qid[5:7] for qid in better}
claim("in each but Japanese and Russian", gaining == {*world.languages} - {"ja", "ru"})

# %%
chosen = {f"worse: {qid}": qid for qid in worse} | {f"better: {qid}": qid for qid in better}
pick("question", chosen, lambda qid: lesson.side_by_side(["asked", "translated"], qid))

# %% tags=["claim"]
claim(
    "under better the spans differ",
    all(lesson.submitted("asked")[x] != lesson.submitted("translated")[x] for x in better),
)
claim(
    "the answer can come from another span",
    any(
        lesson.traces(name)[x].answer.source.text != lesson.submitted(name)[x]
        for name in ("asked", "translated")
        for x in worse + better
    ),
)

# %%
missed = [one.qid for one in lesson.scores("asked", "xor-engspan") if one.values["f1"] == 0]
print(len(missed), "of", len(world.examples))

# %% [markdown]
# ### Exercise 3: the wrong passage, or the wrong words?
#
# A reader can fail in two ways: it prefers a span of the wrong passage, or marks the wrong words in
# the right one. `missed` are the questions in which the span of the system `asked` scores 0. In how
# many of these did it prefer a span of a passage other than the gold one?
# `lesson.traces("asked")[qid].candidates` are the spans it read, each with `docid` and `score`; the
# best `score` wins. The gold passage of an example is `example.golds[0].docid`.

# %% tags=["exercise"]
answer_3 = ...  # a number of questions

# %% tags=["solution"]
golds = {example.question.qid: example.golds[0].docid for example in world.examples}
preferred = {
    qid: max(lesson.traces("asked")[qid].candidates, key=lambda candidate: candidate.score)
    for qid in missed
}
answer_3 = sum(candidate.docid != golds[qid] for qid, candidate in preferred.items())

# %% tags=["grade"]
lesson.check_3(answer_3)

# %% [markdown]
# ## An oracle table
#
# One question at a time shows *what* happens; an oracle table shows *how much*. It answers the same
# questions three times: from the gold passage, with the best of the spans that the run read (the
# choice that a perfect judge would make), and as the run did. (`xorqa ledger runs/asked` prints it
# by language. The ledger of lesson 4 is another one: there oracles replace one stage after the
# other, scored by XOR-Full, strict. Here it is XOR-EnglishSpan, official.)

# %%
oracles = {name: lesson.oracle_table(name) for name in reports}
draw(
    lesson.oracle_chart(oracles),
    "Pairs of bars, macro F1 of the systems asked and translated: "
    + "; ".join(
        f"{row} {oracles['asked'][row]:.1f} and {oracles['translated'][row]:.1f}"
        for row in oracles["asked"]
    ),
)

# %% [markdown]
# With the gold passage given, English questions are worth nine points: the reader marks better
# words. With the two passages that were retrieved a perfect judge loses 1.2 points of that: one of
# the 84 gold passages is not among them. But the reader is no perfect judge: `asked` loses five
# points because it prefers the wrong one of the spans that it read, and `translated` four points.
# (84 questions; which of these differences could be chance, lesson 7b teaches to ask.)

# %% tags=["claim"]
given, perfect_choice, end = (
    [of[row] for of in oracles.values()]
    for row in ("gold passage given", "oracle passage choice", "end to end")
)
claim("worth nine points", given[1] - given[0], **oracles)
claim("five points", perfect_choice[0] - end[0], **oracles)
claim("four points", perfect_choice[1] - end[1], **oracles)
away = [one - other for one, other in zip(given, perfect_choice, strict=True)]
for one in away:
    claim("1.2 points of that", one, **oracles)
unread = [
    one.question.qid
    for one in world.examples
    if one.golds[0].docid
    not in {
        hit.passage.docid
        for hit in lesson.traces("asked")[one.question.qid].by_route["eng"].hits[:2]
    }
]
claim("one of the 84 is not among them", len(unread) == 1, unread=unread)

# %% [markdown]
# ### Exercise 4: the perfect judge
#
# Write the judge of the second row. `spans` are the texts that were read for a question, in the
# order in which the reader likes them, and `answers` its gold answers, of which any counts. Return
# the F1 of the span that the judge chooses, from 0 to 1. `f1(span, answer)` scores one pair.

# %% tags=["exercise"]
from xorqa.metrics.tasks.squad import f1


def judge(spans, answers):
    """The F1 of the best of the spans that were read."""
    return ...


# %% tags=["solution"]
from xorqa.metrics.tasks.squad import f1


def judge(spans, answers):
    """The F1 of the best of the spans that were read."""
    return max((f1(span, answer) for span in spans for answer in answers), default=0)


# %% tags=["grade"]
lesson.check_4(judge)

# %% [markdown]
# ## A stage of your own
#
# The chooser takes the answer that is likelier to be right: a logistic regression over the scores
# of reader and retriever. Is that any good? Here is a chooser that uses the passage's rank alone. A
# stage is a class with three members, which `xorqa/core/stages.py` lists for each role. A chooser
# inherits nothing and is registered nowhere.


# %%
class FirstPassage:
    """The span of the passage that was retrieved first, whatever its score."""

    version = 1  # raise it whenever the output changes

    def fingerprint(self):
        return ""  # all else that the output depends on: settings, weights

    def choose(self, questions, answers):
        return [min(row, key=lambda one: one.source.rank) for row in answers]


own_stage = '\n[chooser]\nuse = "__main__:FirstPassage"\n'
Path("first.toml").write_text(lesson.TRANSLATED + own_stage, encoding="utf-8")
reports["first"], reused = fill("first", "runs/first")
print(reused)
lesson.score_table({name: reports[name] for name in ("translated", "first")}, "xor-full")

# %% [markdown]
# A config names a class by its module, and a notebook is the module `__main__`. A stage that others
# should be able to run belongs in a file, `my_stages.py`, and is `use = "my_stages:FirstPassage"`.
# The third system costs nothing, as its candidates were read already. A chooser comes after
# XOR-EnglishSpan is scored, so it can change XOR-Full only. Here it changes two questions, 0.6
# points: in so small a world the first passage is nearly always the right one, and two questions
# are too few to say which chooser is better.

# %% tags=["claim"]
claim("everything was read already", all(part.startswith("84") for part in reused.stages.values()))
changed = [qid for qid, points in gains("translated", "first", "xor-full").items() if points]
claim("two questions differ", len(changed) == 2, changed=changed)
full = [reports[name]["xor-full", "official"].macro["f1"] for name in ("translated", "first")]
claim("0.6 points", full[0] - full[1], full=full)
from lessons import uncounted

uncounted("which chooser is better", "left open")
of_first = [
    lesson.traces("translated")[one.question.qid].by_route["eng"].hits[0].passage.docid
    == one.golds[0].docid
    for one in world.examples
]
claim("the first passage is nearly always the right one", sum(of_first) / len(of_first))

# %% [markdown] tags=["instructor"]
# **A stage of your own.** Students forget `version`: after a change of `choose` the cache would
# return the old answers if choosers were cached (readers and retrievers are). Ask: "Why does the
# class's name not suffice as a key?" And: "The chooser changed two questions. Is the learned one
# better?" Nobody can tell from so few; this leads to lesson 7b.

# %% [markdown]
# ## The answer
#
# **Say in one sentence what you expect and by which figure, change one thing, run both systems over
# the same questions into folders that record everything, and look at the questions that changed
# and at what an oracle would gain before you look at the mean again.**
#
# ## Exercises
#
# Exercises 1 to 4 are above, in the sections that they belong to.
#
# ### Exercise 5: let the reader object
#
# `FirstPassage` trusts the retriever alone. Write a stage that keeps its answer, unless the reader
# objects: unless the reader's score of the likeliest span is more than 0.5 above that of the first
# passage's span; then it answers with the likeliest. An answer's `source` is the candidate that it
# was made from; a candidate has a `rank` and a `score`. Then write a config that uses it, this time
# in the system `asked` (`lesson.ASKED`), and run it into `runs/objecting`. The check reads that
# folder.


# %% tags=["exercise"]
class Objecting:
    """The first passage's answer, unless the reader likes another span much better."""

    version = 1

    def fingerprint(self):
        return ""

    def choose(self, questions, answers):
        """One answer per question; `answers` has a list of answers for each."""
        return ...


answer_5 = ...  # the folder of a run with this chooser


# %% tags=["solution"]
class Objecting:
    """The first passage's answer, unless the reader likes another span much better."""

    version = 1

    def fingerprint(self):
        return ""

    def choose(self, questions, answers):
        """One answer per question; `answers` has a list of answers for each."""
        chosen = []
        for row in answers:
            first = min(row, key=lambda one: one.source.rank)
            likeliest = max(row, key=lambda one: one.source.score)
            objects = likeliest.source.score - first.source.score > 0.5
            chosen.append(likeliest if objects else first)
        return chosen


own_stage = '\n[chooser]\nuse = "__main__:Objecting"\n'
Path("objecting.toml").write_text(lesson.ASKED + own_stage, encoding="utf-8")
fill("objecting", "runs/objecting")
answer_5 = "runs/objecting"

# %% tags=["grade"]
lesson.check_5(answer_5)

# %% [markdown]
# ## Go on
#
# [Lesson 7b](07b_is_it_better.ipynb) tests whether differences such as these could be chance.
# [Experiments](../docs/experiments.md) describes configs, runs and oracles;
# [the how-to](../docs/how-to.md) has recipes for stages of your own.
