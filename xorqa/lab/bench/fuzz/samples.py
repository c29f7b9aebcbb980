"""Small valid files in every layout that xorqa reads, to be damaged."""

import json
import pickle
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np

from ....answering.choosing.learned import find_chooser
from ....answering.confidence.model import SHIPPED_CONFIDENCE
from ....core.registry import build
from ....core.types import Candidate, CandidateScores, Example, Hit, Passage, Query, Question, Span
from ....datasets.corpus import read_corpus
from ....datasets.mini.world import FOLDER, load
from ....datasets.user_data import question_row
from ....experiments.settings import EXAMPLES, load_settings
from ....io.candidates import candidate_row
from ....io.files import digest, read_json, sha256, write_json, write_jsonl, write_text
from ....io.predictions import write_answers, write_passages
from ....io.trec import write_qrels, write_run
from ....metrics.report import Score, write_scores
from ....models.chat_client import request_options
from ....models.encoder import Encoder
from ....models.encoder_settings import encoder_settings
from ....reading.generation.endpoint import request_key
from ....reading.generation.prompts import prompt_text
from ....retrieval import manifest
from ....retrieval.bm25 import Bm25
from ....retrieval.psq import count_terms
from ....translation.recorded import record
from ...backretrieval.document_head.model import LAYERS
from ...building import qa, xor
from ...building.tasks import Annotation, Task, add_annotations, add_tasks
from ...building.units import Context, Unit, write_units
from ...building.write import write_tasks
from ...building.xor_files import add_passages, write_questions
from ...checklist.folder import SHIPPED
from ...checklist.format import read_checklist
from ...checklist.perturb import perturb
from ...checklist.results import outcome, write_results
from ...checklist.scoring import score_case
from ...checklist.suite import write_suite
from ...common.transforms import fit_transform, save_transform
from ...judging.judge import WHERE
from ...judging.verdict import BUNDLED_PROMPT, conversation
from ...training.bitext.lexicon import write_lexicon
from ...training.bitext.probability_table import write_word_probabilities
from .documents import docx, docx_of, pdf
from .mutators import NOT_TEXT

QUESTIONS = 3
READ_TOGETHER = (
    "build-qa",
    "build-xor",
    "captions",
    "checklist",
    "index",
    "leaderboard",
    "own-data",
    "own-run",
    "parallel",
    "pool",
    "retrieval",
    "run",
    "squad",
    "terms",
)

Texts = Mapping[str, str]

_RECIPE = '[{table}]\nsources = [{{ files = ["./train.fi.json"]{lang} }}]\nseed = 1\nexclude = []\n'
_STAGES = '\n[[stages]]\nname = "one"\nseed = 2\nchanges = { seed = 3 }\n'
_PAIRS = "fi\tNiili on joki\ten\tThe Nile is a river\nfi\tOulu\ten\tthe city of Oulu\n"
_DUMP = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/"><siteinfo><namespaces>
<namespace key="6">Tiedosto</namespace></namespaces></siteinfo>
<page><title>Niili</title><ns>0</ns><id>7</id><revision><id>1</id>
<text>'''Niili''' on [[joki]]. {{lähde}} [[en:Nile]] &lt;ref&gt;x&lt;/ref&gt;
{{convert|5|ft|6|in|m}} {{val|1|2|e=3|u=m}} {{formatnum:12500}} {{birth date|1815|12|10}}
{{as of|2019}} {{death date and age|1852|11|27|1815|12|10}} {{lang|ar|نهر}}
{{XIXe siècle}} {{frac|1|2}}
{| class="x"
| a || b
|}
== Joet ==
&lt;math&gt;x&lt;/math&gt; &lt;!-- x --&gt; [[Tiedosto:a.jpg|thumb|Joki]]</text></revision>
</page><page><title>Joki</title><ns>0</ns><id>8</id><redirect title="Niili"/></page></mediawiki>
"""
_RUN = "<w:r><w:t>Niili</w:t></w:r>"
_WORD = f"""<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr>{_RUN}</w:p>
<w:sdt><w:sdtContent><w:p>{_RUN}<w:del><w:r><w:delText>x</w:delText></w:r></w:del></w:p>
</w:sdtContent></w:sdt>
<w:p><w:r><mc:AlternateContent><mc:Choice><w:txbxContent><w:p>{_RUN}</w:p></w:txbxContent>
</mc:Choice><mc:Fallback/></mc:AlternateContent></w:r><w:r><w:footnoteReference w:id="2"/></w:r>
<m:oMath><m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den><m:r><m:t>x+y</m:t></m:r></m:den></m:f>
</m:oMath></w:p>
<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="2"/><w:vMerge w:val="restart"/></w:tcPr>
<w:p>{_RUN}</w:p></w:tc></w:tr><w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p/></w:tc></w:tr>
</w:tbl>"""
_CAPTION = (
    '{{"id": "{0}", "text": "Oulu {0}", "image": "{0}.png", "vector": [1, 0.5], "tags": ["x"]}}\n'
)
_DPR = """[{"question": "missä Oulu on", "lang": "fi", "q_id": "7", "answers": ["Finland"],
"positive_ctxs": [{"title": "Oulu", "text": "Oulu is in Finland.", "passage_id": "1"}],
"negative_ctxs": [], "hard_negative_ctxs": [{"title": "Kemi", "text": "Kemi is a town."}]}]
"""
_TYDI = """{"annotations": [{"annotation_id": 1, "minimal_answer": {"plaintext_start_byte": 0,\
 "plaintext_end_byte": 4}, "passage_answer": {"candidate_index": 0}, "yes_no_answer": "NONE"}],\
 "document_plaintext": "Oulu on kaupunki.", "document_title": "Oulu", "example_id": 7,\
 "language": "finnish", "question_text": "Mikä kaupunki?"}
"""
_TEXTS: Texts = {
    "squad/dpr.json": _DPR,
    "squad/two-columns.tsv": "Missä Nile on?\tWhere is the Nile?\n\nHei.\tHello.\n",
    "squad/tydi.jsonl": _TYDI,
    "passages/dump.xml": _DUMP,
    "squad/docids.txt": "a-1\nb-2\n\nä-3\n",
    "passages/a.tsv": "id\ttext\ttitle\n1\tNiili on joki.\tNiili\n2\tOulu on kaupunki.\tOulu\n",
    "passages/a.trec": "<DOC>\n<DOCNO> d1 </DOCNO>\n<TITLE>Niili</TITLE>\n<TEXT>\n"
    "Niili on joki &amp; pitkä.\n</TEXT>\n</DOC>\n",
    "documents/a.txt": "Niili on pitkä joki Afrikassa.\n\nOulu on kaupunki Pohjanlahden äärellä.\n",
    "documents/a.md": "---\ntitle: Joet\n---\n# Niili\nNiili on [pitkä](a.md) joki.\n\n"
    "| joki | pituus |\n|---|---|\n| Niili | 6650 km |\n",
    "documents/a.html": "<html><head><title>Joet</title></head><body><nav>Etusivu</nav>"
    "<h2>Niili</h2><p>Niili on <b>pitkä</b> joki.<table><tr><td>Niili<td>6650 km</table></html>",
    "documents/b.html": '<?xml version="1.0"?><html><title>Joet</title><script src="a"/><aside>M'
    "</aside><p>Niili on <x-a>pitkä</x-a> <ruby>joki<rt>j</rt></ruby>, <math><mfrac><mn>1</mn><mi>x"
    "</mi></mfrac></math> <p hidden>ei</p><select><option>1</select><svg><title>x</title></svg><h1>"
    "Oulu</h1><![CDATA[a < b]]><div style='display:none'>ei</div></html>",
    "documents/c.csv": 'sep=;\n\n"kysymys; pitkä";vastaus\n"Mikä on\nNiili?";"Pitkä ""joki"""\n'
    'Missä;"Oulu\n"on" rivi;x\n',
    "documents/a.csv": "kysymys;vastaus\nMikä on Niili?;Pitkä joki\nMissä on Oulu?;Pohjanmaalla\n",
    "documents/b.csv": "text,title,lang\nNiili on pitkä joki.,Niili,fi\nOulu is a city.,Oulu,en\n",
    "checklist/official.tsv": "Field\ten\tfi\tfi-placeholders\n"
    "Name\tcolours\t\t\nCapability\twords\t\t\n"
    "Context\tA {thing} is {colour}.\t{thing} on {colour}.\t\n"
    "Question\tWhat is {colour}?\tMikä on {colour}?\t\nAnswer\t{thing}\t{thing}\t\n"
    "thing\tsofa, lamp, chair\tsohva, lamppu, tuoli\t\n"
    "colour\tred, blue\tpunainen, sininen\tsofa\n",
    "training/reader.toml": _RECIPE.format(table="reader", lang="") + _STAGES,
    "training/ranker.toml": _RECIPE.format(table="ranker", lang="") + _STAGES,
    "training/biencoder.toml": _RECIPE.format(table="biencoder", lang=', lang = "fi"') + _STAGES,
    "training/translator.toml": _RECIPE.format(table="translator", lang=""),
    "training/transliterator.toml": _RECIPE.format(table="transliterator", lang=""),
    "training/document_head.toml": _RECIPE.format(table="document_head", lang=""),
    "training/image_encoder.toml": _RECIPE.format(table="image_encoder", lang=""),
    "leaderboard/metadata.toml": 'model = "mBERT"\nparameters = 178_000_000\ndate = 2026-11-25\n'
    'pretraining = ["Wikipedia"]\nfine_tuning = ["SQuAD"]\nblack_box = []\nhardware = "a CPU"\n'
    'seen_languages = ["en"]\n[[results]]\nboard = "xquad"\nvalues = { fi = { f1 = 50.5 } }\n',
    "leaderboard/report.json": '{"scorer": "official", "per_lang": {"fi": {"f1": 50.5, "em": 40}}, '
    '"macro": {"f1": 50.5, "em": 40}, "n": {"fi": 3}}\n',
    "leaderboard/lareqa.json": '{"mAP": 0.5, "mAP@20": 0.4, "per language": {"mAP": {"fi": 0.5}, '
    '"mAP@20": {"fi": 0.4}}, "counts": {"fi": {"questions": 3, "candidates": 4}}}\n',
    "leaderboard/answers.json": '{"q": "Oulu"}\n',
    **{f"captions/{lang}.jsonl": "".join(map(_CAPTION.format, "abcdef")) for lang in ("en", "fi")},
    "coco/captions_val.json": '{"images": [{"id": 7, "file_name": "COCO_val2014_7.jpg"}], '
    '"annotations": [{"image_id": 7, "id": 1, "caption": "A river"}]}',
    "crossmodal/captions.jsonl": '{"image/key": "k1", "image/locale": "fi", '
    '"fi": {"caption": ["Niili", "joki"]}, "en": {"caption": ["The Nile"]}}\n',
    "training/pairs.tsv": _PAIRS * 3,
    "training/values.tsv": "q1\t3\nq2\t4.5\n",
    "training/titles.tsv": "fi\ten\nNiili\tNile\nOulu\tOulu\n",
    "links/wiki.links.tsv": "fi\tNiili\tOulu\tjoki\nfi\tOulu\tNiili\tOulu\n",
    "links/wiki.redirects.tsv": "Uleåborg\tOulu\n",
    "own-data/questions.fi.jsonl": '{"id": "q1", "question": "Mikä on Suomen pisin joki?", '
    '"answers": [{"text": "Kemijoki", "docid": "k", "start": 0}]}\n',
    "own-data/passages.fi.jsonl": '{"docid": "k", "title": "Kemijoki", '
    '"text": "Kemijoki on Suomen pisin joki."}\n',
    "building/a.csv": "id;annotator;question;answer;start\ns1.fi;anna;Missä Oulu on?;Oulu;0\n",
    "building/a.jsonl": '{"id": "s1.fi", "question": "Missä Oulu on?", "answer": "Oulu", '
    '"start": 0}\n',
    "building/a.json": '[{"data": {"id": "s1.fi"}, "annotations": [{"completed_by": 7, "result": ['
    '{"type": "labels", "from_name": "answer_in_context", "to_name": "context", '
    '"value": {"text": "Oulu", "start": 0}}, {"type": "textarea", "from_name": "question", '
    '"value": {"text": ["Missä Oulu on?"]}}]}]}]',
    "retrieval/entities.json": '{"m1": ["Q42", "Q7"], "m2": ["Q1"]}',
    "retrieval/mentions.jsonl": '{"context": {"language": "fi", "text": "Oulu on kaupunki.", '
    '"sentence_spans": [{"start": 0, "end": 17}]}, "mentions": [{"example_id": "m1", '
    '"entity_id": "Q42", "mention_span": {"start": 0, "end": 4, "text": "Oulu"}}]}\n',
    "retrieval/candidates.jsonl": '{"entity_id": "Q42", "description_language": "en", '
    '"description": "A town."}\n{"entity_id": "Q7", "description_language": "fi", '
    '"description": "Joki."}\n',
    "retrieval/gold.tsv": "de-1\ten-1\nde-2\ten-2\n",
    "retrieval/a.fi": "Niili on pitkä joki.\nOulu on kaupunki.\n",
    "retrieval/b.en": "The Nile is a long river.\nOulu is a town.\n",
    "retrieval/labelled.tsv": "1\tNiili on pitkä joki.\tThe Nile is a long river.\n",
    "retrieval/mined.tsv": "1.25\tde-1\ten-1\n1.125\tde-2\ten-1\n",
    "service/answer.json": '{"answer": "Afrikassa", '
    '"citations": [{"passage": 1, "quote": "in Africa"}]}',
    "training/replies.jsonl": '{"origin": "m at host", "hash": "a", "reply": "Niili"}\n',
    "service/reply.json": '{"choices": [{"message": {"content": "Where is the Nile?"}, '
    '"finish_reason": "stop"}], "usage": {"prompt_tokens": 12, "completion_tokens": 5}}',
}


def write_samples(folder: Path) -> None:
    """Write all samples."""
    for name, text in _TEXTS.items():
        write_text(folder / name, text)
    sides = {"a.fi": np.eye(2), "b.en": np.eye(2)}
    np.savez(folder / "retrieval" / "a.npz", **sides)  # type: ignore[arg-type]
    _write_squad(folder)
    _write_run(folder / "run")
    _write_own_run(folder / "run", folder / "own-run")
    _write_passages(folder)
    _write_documents(folder / "documents")
    _write_built_qa(folder / "build-qa")
    _write_built_xor(folder / "build-xor")
    _write_checklist(folder / "checklist")
    _write_training(folder / "training")
    _write_weights(folder / "weights")


def copy_sample(samples: Path, file: str, folder: Path) -> Path:
    """Copy a sample and the files it needs; a missing sample becomes a file that is not text."""
    group, _, name = file.partition("/")
    if group in READ_TOGETHER:
        shutil.copytree(samples / group, folder, dirs_exist_ok=True)
    elif (samples / file).is_file():
        shutil.copy(samples / file, folder)
    else:
        (folder / name).write_bytes(NOT_TEXT)
    return folder / name


def _write_squad(folder: Path) -> None:
    """Write two paragraphs of the bundled pool, with sentences and vectors."""
    pool = read_json(FOLDER / "parallel" / "fi.json")
    [article, *_] = pool["data"]
    paragraphs = article["paragraphs"][:2]
    article = {"title": "Musiikki", **article, "paragraphs": paragraphs}
    for name in ("squad/data.fi.json", "pool/fi.json", "parallel/fi.json", "parallel/en.json"):
        write_json(folder / name, {**pool, "data": [article]}, indent=None)
    golds = {qa["id"]: qa["answers"][0]["text"] for p in paragraphs for qa in p["qas"]}
    write_answers(folder / "squad" / "answers.json", golds)
    sentences = sum(len(paragraph["sentences"]) for paragraph in paragraphs)
    vectors = {"questions": np.ones((len(golds), 2)), "candidates": np.ones((sentences, 2))}
    np.savez(folder / "pool" / "a.npz", **vectors)  # type: ignore[arg-type]
    words = "2 3\nmusiikki 0.25 -1.5 0.125\nkissa 1 0 -0.5\n"
    (folder / "pool" / "a.vec").write_text(words, encoding="utf-8")


def _write_run(folder: Path) -> None:
    """Write questions of the bundled world, and the run folder of a finished run over them."""
    examples = load().examples[:QUESTIONS]
    questions = [example.question for example in examples]
    golds = {e.question.qid: e.answers(e.question.lang) for e in examples}
    langs = {question.qid: question.lang for question in questions}
    rows = [
        {"id": q.qid, "question": q.text, "lang": q.lang, "answers": golds[q.qid], "split": "dev"}
        for q in questions
    ]
    for name in ("data.jsonl", "dev.mkqa-en.jsonl", "dev.mkqa-fi.jsonl"):
        write_jsonl(folder / name, rows)
    corpora = {name: corpus.sha for name, corpus in load().corpora.items()}
    state = {"run": "x", "dataset": "mini", "until": "full", "finished": True, "corpora": corpora}
    write_json(folder / "manifest.json", state | {"questions": digest([*map(asdict, questions)])})
    settings = load_settings("bm25").to_json() | {"chooser": {"use": "rule"}}
    write_json(folder / "config.json", settings)
    write_jsonl(folder / "spans.jsonl", map(_spans, examples))
    write_jsonl(folder / "queries.jsonl", ({"qid": qid, "lang": langs[qid]} for qid in langs))
    write_answers(folder / "xor_full.json", {qid: answer for qid, (answer, *_) in golds.items()})
    write_passages(folder / "retrieved.json", dict.fromkeys(langs, ("yksi", "kaksi")), langs)
    write_text(folder / "labels.tsv", "".join(f"{qid}\t1\n" for qid in langs))
    write_jsonl(folder / "verdicts.jsonl", map(_recorded_verdict, examples))
    write_run(folder / "run.trec", {qid: {"d0": 9.5, "d1": 8.5} for qid in langs})
    write_qrels(folder / "qrels.txt", {qid: {"d0": 1, "d1": 0} for qid in langs})
    scores = [Score(question.qid, question.lang, {"f1": 0.5}) for question in questions]
    for name in ("per_question.jsonl", "others.jsonl"):
        write_scores(
            folder / name, {("xor-full", scorer): scores for scorer in ("official", "strict")}
        )


def _recorded_verdict(example: Example) -> dict[str, str]:
    """The judge's reply on a question's answer, which is the first gold answer."""
    golds = example.answers(example.question.lang)
    prompt = prompt_text(BUNDLED_PROMPT, where=WHERE)
    messages = conversation(prompt, example.question, golds, golds[0]).messages
    key = request_key("m", request_options(None), messages)
    return {"origin": "m at host", "hash": key, "reply": '{"right": true}'}


def _write_own_run(run: Path, folder: Path) -> None:
    """Write the same run as one over questions from a file, which the run folder keeps."""
    shutil.copytree(run, folder)
    write_json(folder / "manifest.json", read_json(run / "manifest.json") | {"dataset": "a.jsonl"})
    world = load()
    write_jsonl(folder / "questions.jsonl", map(question_row, world.examples[:QUESTIONS]))
    passages = world.corpora["fi"].passages[:QUESTIONS]
    write_jsonl(folder / "passages.jsonl", ({"corpus": "fi"} | asdict(p) for p in passages))


def _spans(example: Example) -> dict[str, Any]:
    text = example.answers(example.question.lang)[0]
    hit = Hit(Passage("d1", text, lang=example.question.lang), 2.5)
    candidate = Candidate(hit, 0, Span(0, len(text)), CandidateScores(-0.1, -0.2), "eng")
    return {"qid": example.question.qid, "candidates": [candidate_row(candidate)]}


def _write_passages(folder: Path) -> None:
    """Write passages of the bundled world, their BM25 index, and a ranking."""
    rows = [asdict(passage) for passage in load().corpora["fi"].passages[:QUESTIONS]]
    for name in ("passages/a.jsonl", "index/passages.jsonl"):
        write_jsonl(folder / name, rows)
    retriever = open_index(folder / "index")
    retriever.build()
    write_json(folder / "index" / "ranking.json", first_ranking(retriever))
    count_terms([["niili", "joki", "joki"], ["oulu"]], "fi").save(folder / "terms")
    write_json(folder / "old-index" / manifest.FILE, manifest.describe("bm25", retriever.corpus))


def _write_documents(folder: Path) -> None:
    pages = ["Niili", "Niili on pitkä joki Afrikassa."], ["Oulu on kaupunki."]
    (folder / "a.pdf").write_bytes(pdf(pages, title="Joet"))
    (folder / "a.docx").write_bytes(docx(["# Niili", "Niili on pitkä joki.", "Oulu on kaupunki."]))
    (folder / "b.docx").write_bytes(docx_of(_WORD, footnotes={"2": "<w:p/>"}))


def _write_built_qa(folder: Path) -> None:
    """Write a parallel QA set in construction, its sentences, and annotations to import."""
    texts = {"en": "The Nile is a river. Oulu is a town.", "fi": "Niili on joki. Oulu on kaupunki."}
    for lang, text in texts.items():
        write_jsonl(folder / f"wiki.{lang}.jsonl", [{"docid": f"{lang}-1", "text": text}])
    write_text(folder / "parallel.tsv", "score\ten\tfi\n1.2\tOulu is a town.\tOulu on kaupunki.\n")
    start = {lang: text.index("Oulu") for lang, text in texts.items()}
    contexts = {
        lang: Context(f"{lang}-1", "", text, start[lang], len(text)) for lang, text in texts.items()
    }
    units = [Unit("s00001", contexts)]
    write_units(folder, units)
    add_tasks(folder, tasks := qa.question_tasks(units, pivot="en"))
    question = {"question": "Which northern place is named here?", "answer": "Oulu"}
    wording, answer = question["question"], question["answer"]
    add_annotations(folder, [Annotation(tasks[0].id, "bea", wording, answer, start=start["en"])])
    _write_annotated(folder, tasks, question | {"start": str(start["en"])})


def _write_built_xor(folder: Path) -> None:
    """Write an XOR QA set in construction: an answered question, one that W_i answers."""
    world = load()
    example, in_language = (
        next(e for e in world.examples if e.answered_in == where) for where in ("en", "target")
    )
    question, gold = example.question, example.golds[0]
    write_questions(folder, [example], [in_language], world)
    passage = world.corpora["en"][gold.docid or ""]
    add_passages(folder, [passage])
    english = {question.qid: example.human_translation or ""}
    tasks = xor.answer_tasks([question], english, {question.qid: [passage]})
    add_tasks(folder, xor.translation_tasks([example]))
    add_tasks(folder, tasks)
    answer = Annotation(tasks[0].id, "bea", answer=gold.text, passage=passage.docid, start=0)
    add_annotations(folder, [answer])
    _write_annotated(folder, tasks, {"passage": passage.docid, "answer": gold.text})


def _write_annotated(folder: Path, tasks: Sequence[Task], cells: Texts) -> None:
    filled = {task.id: {"annotator": "anna", **cells} for task in tasks}
    for name in ("a.csv", "a.jsonl"):
        write_tasks(folder / name, tasks, filled)


def open_index(folder: Path) -> Bm25:
    """Open the retriever of a folder's passages and index."""
    return Bm25(corpus=read_corpus(folder / "passages.jsonl"), folder=folder / "bm25")


def first_ranking(retriever: Bm25) -> list[Any]:
    """The ranking of a retriever for the text of its first passage, as a JSON value."""
    question = Question("q", retriever.corpus.passages[0].text, "fi")
    [hits] = retriever.retrieve([Query(question, question.text, "fi")], k=QUESTIONS)
    return [[hit.passage.docid, hit.score] for hit in hits]


def _write_checklist(folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    shutil.copy(SHIPPED / "fi.toml", folder)
    shutil.copy(SHIPPED / "injections.jsonl", folder)
    checklist = read_checklist(folder / "fi.toml")
    cases = list(perturb(checklist, tests=["comparisons"], count=1, kind="INV"))
    write_suite(folder / "suite.jsonl", cases)
    write_results(folder / "results.jsonl", [outcome(score_case(case, {})) for case in cases])
    golds = {qid: e.answers[0] for c in cases for qid, e in zip(c.qids(), c.examples, strict=True)}
    write_answers(folder / "answers.json", golds)
    (folder / "fi_squad_suite.pkl").write_bytes(released_suite())


def released_suite() -> bytes:
    """A suite as `checklist` pickles it: a suite's tests by name, each with data and labels."""
    test = {
        "data": [[("Anna on isompi kuin Eeva.", "Kuka on isompi?")]],
        "labels": [["Anna"]],
        "capability": "Comparisons",
    }
    name = "A is COMP than B. Who is more / less COMP?"
    # protocol 0: a class, no arguments, an object; later its state
    made, built = "c{}\n)\x81", "b"
    body = [pickle.dumps(value, 0)[:-1].decode("latin-1") for value in (name, test)]
    of_test = made.format("checklist.test_types\nMFT") + body[1] + built
    tests = f"ccollections\nOrderedDict\n)R{body[0]}{of_test}s"
    suite = made.format("checklist.test_suite\nTestSuite") + f"(dVtests\n{tests}s" + built
    return f"{suite}.".encode("latin-1")


def _write_training(folder: Path) -> None:
    for config in ("bm25", "hybrid"):
        shutil.copy(EXAMPLES[config], folder)
    questions = [Question("q1", "Missä joki on?", "fi"), Question("q2", "Mikä on kaupunki?", "fi")]
    lexicon, path = build("translator", {"use": "lexicon"}), folder / "recorded.jsonl"
    record(lexicon, questions, path, to="en", provider="p", date="2026-01-01")
    write_word_probabilities(folder / "psq.tsv", {"fi": {"joki": {"river": 0.7, "stream": 0.1}}})
    write_lexicon(folder / "lexicon.tsv", {"fi": {"river": "joki", "city": "kaupunki"}})
    with ZipFile(folder / "catalogues.whl", "w") as wheel:
        for lang, text in (("fi", "Avaa tämä"), ("en", "Open this")):
            wheel.writestr(f"pkg/locale/{lang}/LC_MESSAGES/a.json", json.dumps({"Open": text}))


def _write_weights(folder: Path) -> None:
    """Write adapters of a dummy checkpoint, a transform and vectors."""
    base = folder / "base"
    write_json(base / "config.json", {})
    _write_tensors(base / "model.safetensors", {})
    shape = dict.fromkeys(["width", "feed", "encoder_feed", "vocabulary"], 32)
    shape |= {"heads": 2, "encoder_layers": 1, "decoder_layers": 1}
    alphabet = {"langs": ["ru"], "source": "abc", "target": "абв"}
    cards: dict[str, Mapping[str, Any]] = {
        "reader": {"steps": 1},
        "encoder": {"recipe": {"pooling": "mean", "normalize": True, "query_prefix": "query: "}},
        "translator": {"shape": shape, "frozen_layers": 1},
        "transliterator": {"shape": shape, "alphabet": alphabet, "thresholds": {"ru": 0.5}},
        "image-encoder": {"shape": {"side": 16, "channels": [8], "dimensions": 8}},
    }
    base_sha = digest(sha256(base / "model.safetensors"))
    for task, card in cards.items():
        metadata = {"task": task, "base": str(base), "base_sha": base_sha}
        _write_tensors(folder / f"{task}.safetensors", metadata | {"card": json.dumps(card)})
    _write_head(folder / "document-head.safetensors", str(base), base_sha)
    vectors = {("fi", side): np.eye(3, dtype=np.float32) for side in ("query", "passage")}
    save_transform(folder / "a.transform", fit_transform(vectors, "center"), encoder="e")
    shutil.copy(find_chooser("chooser"), folder / "chooser.json")
    shutil.copy(SHIPPED_CONFIDENCE, folder / "confidence.json")


def _write_head(path: Path, base: str, base_sha: str) -> None:
    from safetensors.numpy import save_file

    pooled = f"{base},pooling=mean"
    card = {"recipe": {"base": pooled}, "encoder": Encoder(encoder_settings(pooled)).fingerprint()}
    metadata = {"task": "document-head", "base": base, "base_sha": base_sha}
    layers: dict[str, Any] = {f"{name}.weight": np.eye(3, dtype=np.float32) for name in LAYERS}
    layers |= {f"{name}.bias": np.zeros(3, np.float32) for name in LAYERS}
    save_file(layers, path, metadata | {"card": json.dumps(card)})


def _write_tensors(path: Path, metadata: Texts) -> None:
    from safetensors.numpy import save_file

    save_file({"classifier.bias": np.array([0, 0.5, 1], np.float32)}, path, dict(metadata))
