"""All readers of files, each with its sample."""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ....answering.choosing.learned import open_chooser
from ....answering.confidence.model import open_confidence
from ....answering.transliteration.name_table import read_titles
from ....core.errors import DataError
from ....datasets.corpora.layouts import pages
from ....datasets.corpora.make import make_corpus
from ....datasets.corpus import read_corpus, read_docids
from ....datasets.user_data import read_questions as read_own_questions
from ....experiments.settings import load_settings
from ....io.dpr_json import read_dpr
from ....io.files import ARRAY_ERRORS, read_json, read_jsonl
from ....io.predictions import Predictions, check, read_answers, read_passages
from ....io.sentence_pairs import read_two_columns
from ....io.squad_xor import read_langs, read_squad, read_xor
from ....io.trec import read_qrels, read_runs
from ....io.tydi_primary import read_tydi_primary
from ....io.word_probabilities import read_word_probabilities
from ....metrics.report import read_scores
from ....metrics.task import read_squad_references
from ....models.adapters import open_adapter
from ....models.chat_reply import ChatError, read_reply
from ....models.encoder_settings import encoder_settings
from ....models.transforms import open_transform
from ....models.translator import TranslatorModel
from ....models.transliterator import TransliteratorModel
from ....reading.generation.endpoint import read_replies
from ....reading.generation.reply import read_reply as read_model_reply
from ....retrieval import manifest
from ....retrieval.psq import TermCounts
from ....translation.lexicon import read_dictionary
from ....translation.recorded import RecordedTranslator
from ...backretrieval.captions.caption import Caption
from ...backretrieval.captions.published import read_coco, read_crossmodal
from ...backretrieval.captions.read import read_captions
from ...backretrieval.document_head.model import open_document_head
from ...backretrieval.images.convolutional import ConvolutionalEncoder
from ...building.check import check_rows
from ...building.read import read_rows
from ...building.tasks import Task
from ...checklist.format import read_checklist
from ...checklist.injections import read_injections
from ...checklist.lint import lint
from ...checklist.official_table import read_official_table
from ...checklist.released_suite import read_released
from ...checklist.results import error_grid, read_results
from ...checklist.suite import read_suite
from ...common.parallel_files import read_questions
from ...common.saved_run import finished, open_run
from ...common.word_vectors import read_word_vectors
from ...diagnosis.from_ranking import read_queries
from ...diagnosis.own_features import from_file
from ...judging.labels import read_labels
from ...lareqa.data import read_pool
from ...lareqa.similarity import read_vectors
from ...leaderboard.metadata import ResultEntry, read_metadata
from ...leaderboard.results import read_entry
from ...ledger.back_translation import read_parallel
from ...mining.bucc_files import read_candidates, read_gold
from ...mining.encoding import read_vectors as read_side_vectors
from ...mining.mewsli_x import read_gold as read_entities
from ...mining.mewsli_x import read_rankings
from ...mining.mewsli_x_retrieval import read_candidates as read_descriptions
from ...mining.mewsli_x_retrieval import read_mentions
from ...mining.sentences import Sentences, read_sentences
from ...mining.threshold import read_sample
from ...path.ranker import read_links
from ...training.bitext.layouts import published
from ...training.bitext.lexicon import read_lexicon
from ...training.common.kind import find_kind
from ...training.common.training_data import read_excluded, read_pairs
from ...training.history import read_history
from .samples import QUESTIONS, first_ranking, open_index


@dataclass(frozen=True, slots=True)
class Reader:
    """A reader and its sample, `subfolder/name`; `read` reads the whole file at a path."""

    name: str
    file: str
    read: Callable[[Path], Any]


def _manifest(path: Path) -> None:
    manifest.check(path.parent, {"kind": "bm25", "passages": QUESTIONS})


def _recorded(path: Path) -> Any:
    return list(RecordedTranslator(file=str(path))._rows.values())


def _translator(path: Path) -> Any:
    return TranslatorModel(str(path)).shape


def _transliterator(path: Path) -> Any:
    model = TransliteratorModel(str(path))
    return model.shape, model.alphabet.sizes, model.thresholds


def _document_head(path: Path) -> Any:
    return [list(array.shape) for layer in open_document_head(str(path)).layers for array in layer]


def _image_encoder(path: Path) -> Any:
    return asdict(ConvolutionalEncoder(str(path)).shape)


def _corpus(path: Path) -> Any:
    return read_corpus(path).passages


def _built(path: Path) -> Any:
    make_corpus([path], path.with_name("made.jsonl"), lang="fi")
    return _corpus(path.with_name("made.jsonl"))


def _checked(predictions: Predictions[Any]) -> Any:
    """Predictions, with the kinds of problems that a submission check reports."""
    problems = check(predictions, {"q": "fi"}, scripts=True)
    return predictions.by_qid, [problem.kind for problem in problems]


def _run(path: Path) -> Any:
    return open_run(path.parent).answers


def _searched(path: Path) -> None:
    """Verify the checksums of an index, then search it."""
    folder = next(parent for parent in path.parents if (parent / "ranking.json").is_file())
    retriever = open_index(folder)
    retriever.verify()
    if first_ranking(retriever) != read_json(folder / "ranking.json"):
        raise AssertionError("a damaged index was searched and gave other results")


def _terms(path: Path) -> Any:
    try:
        opened = TermCounts.load(path.parent, passages=2)
    except (*ARRAY_ERRORS, KeyError, TypeError) as error:
        raise DataError(f"{path} is damaged: {error}") from error  # as `Psq` reports it
    return opened.expected(np.arange(len(opened.vocabulary)), np.ones(len(opened.vocabulary)))


def _results(path: Path) -> Any:
    outcomes = read_results(path)
    return outcomes, error_grid(outcomes)


def _checklist(path: Path) -> Any:
    checklist = read_checklist(path)
    return checklist.tests, len(lint(checklist, count=3))  # problems quote the file


def _recipe(path: Path) -> Any:
    history = read_history(str(path), path.stem)
    return history.describe().rows, find_kind(path.stem).recipe.load(str(path))


def _reply(path: Path) -> Any:
    try:
        return read_reply(path.read_bytes())
    except ChatError as error:  # the translator reports these as failures
        raise DataError(str(error)) from error


def _answer(path: Path) -> Any:
    reply = read_model_reply(path.read_text("utf-8", errors="replace"))
    if reply.problem:  # the reader reports these as failures
        raise DataError(reply.problem)
    return reply.answer, reply.citations


def _vectors(path: Path) -> Any:
    vectors = read_vectors(path, read_pool(path.parent))
    return vectors.questions.tolist(), vectors.candidates.tolist()


def _word_vectors(path: Path) -> Any:
    table = read_word_vectors(path, ["musiikki", "kissa"])
    return {word: row.tolist() for word, row in table.vectors.items()}


def _transform(path: Path) -> Any:
    transform = open_transform(str(path), encoder="e")
    moved = transform.apply(np.ones((2, 3), np.float32), ["fi", "xx"], side="query")
    return transform.card, moved.tolist()


def _system(path: Path) -> Any:
    metadata = read_metadata(path)
    return metadata, [read_entry(entry, path.parent).values for entry in metadata.results]


def _entry(board: str, path: Path) -> Any:
    return read_entry(ResultEntry(board, path.name), path.parent).values


def _candidates(path: Path) -> Any:
    return [*read_candidates(path).scores.values()]


def _side_vectors(path: Path) -> Any:
    [vectors] = read_side_vectors(path, [Sentences("a.fi", "fi", ("1", "2"), ("Niili", "Oulu"))])
    return vectors.tolist()


def _captions(path: Path) -> Any:
    captions = read_captions(path.parent, "en", vectors=True)
    return captions.left_out, [(row.id, row.text, row.row) for row in captions.rows]


def _annotated(path: Path) -> Any:
    shown, filled = {"context": "Oulu on kaupunki."}, ("question", "answer", "start")
    task = Task("s1.fi", "translation", "s1", "fi", shown, filled, {"context": "d"}, "fi")
    accepted, problems = check_rows(read_rows(path), {task.id: task})
    return accepted, [problem.kind for problem in problems]


def _published(read: Callable[[Path, str], Iterator[Caption]]) -> Callable[[Path], Any]:
    return lambda path: [(row.id, row.text) for row in read(path.parent, "en")]


_FI = "index/bm25/text_fi"

READERS = [
    Reader("JSON", "squad/data.fi.json", read_json),
    Reader("JSONL", "run/data.jsonl", lambda path: list(read_jsonl(path))),
    Reader("SQuAD", "squad/data.fi.json", lambda path: list(read_squad(path))),
    Reader("SQuAD, references", "squad/data.fi.json", read_squad_references),
    Reader("SQuAD, parallel", "squad/data.fi.json", read_questions),
    Reader("pool", "pool/fi.json", lambda path: read_pool(path.parent)),
    Reader("XOR QA", "run/data.jsonl", lambda path: list(read_xor(path))),
    Reader("DPR", "squad/dpr.json", lambda path: list(read_dpr(path))),
    Reader("two columns", "squad/two-columns.tsv", lambda path: list(read_two_columns(path))),
    Reader("TyDi QA", "squad/tydi.jsonl", lambda path: list(read_tydi_primary(path))),
    Reader("queries", "run/queries.jsonl", read_langs),
    Reader("queries with texts", "run/queries.jsonl", read_queries),
    Reader("values of a feature", "training/values.tsv", lambda path: from_file("own", path).name),
    Reader("answers", "run/xor_full.json", lambda path: _checked(read_answers(path))),
    Reader("retrieved passages", "run/retrieved.json", lambda path: _checked(read_passages(path))),
    Reader("mentions", "retrieval/mentions.jsonl", read_mentions),
    Reader("candidate entities", "retrieval/candidates.jsonl", read_descriptions),
    Reader("entities", "retrieval/entities.json", lambda path: _checked(read_rankings(path))),
    Reader("gold entities", "retrieval/entities.json", lambda path: read_entities(path, lang="pl")),
    Reader("gold pairs", "retrieval/gold.tsv", lambda path: sorted(read_gold(path))),
    Reader("mined pairs", "retrieval/mined.tsv", _candidates),
    Reader("labelled pairs", "retrieval/labelled.tsv", lambda path: [*read_sample(path)]),
    Reader("sentences", "documents/a.txt", lambda path: read_sentences(path, "fi").texts),
    Reader("vectors of sentences", "retrieval/a.npz", _side_vectors),
    Reader("MKQA", "run/dev.mkqa-fi.jsonl", lambda path: read_parallel(path.parent)),
    Reader("annotations, CSV", "building/a.csv", _annotated),
    Reader("annotations, JSONL", "building/a.jsonl", _annotated),
    Reader("annotations, Label Studio", "building/a.json", _annotated),
    Reader("captions, JSONL", "captions/en.jsonl", _captions),
    Reader("captions, COCO", "coco/captions_val.json", _published(read_coco)),
    Reader("captions, Crossmodal", "crossmodal/captions.jsonl", _published(read_crossmodal)),
    Reader("passages, JSONL", "passages/a.jsonl", _corpus),
    Reader("docids", "squad/docids.txt", read_docids),
    Reader("passages, TSV", "passages/a.tsv", _corpus),
    Reader("passages, TREC", "passages/a.trec", _corpus),
    Reader("passages, SQuAD", "squad/data.fi.json", _corpus),
    Reader("document, text", "documents/a.txt", _corpus),
    Reader("document, Markdown", "documents/a.md", _corpus),
    Reader("document, HTML", "documents/a.html", _corpus),
    Reader("document, CSV", "documents/a.csv", _corpus),
    Reader("document, CSV with texts", "documents/b.csv", _corpus),
    Reader("document, PDF", "documents/a.pdf", _corpus),
    Reader("document, DOCX", "documents/a.docx", _corpus),
    Reader("document, HTML with much markup", "documents/b.html", _corpus),
    Reader("document, CSV of a spreadsheet", "documents/c.csv", _corpus),
    Reader("document, DOCX with much markup", "documents/b.docx", _corpus),
    Reader("passages from HTML", "documents/b.html", _built),
    Reader("passages from a PDF", "documents/a.pdf", _built),
    Reader("dump", "passages/dump.xml", lambda path: list(pages(path))),
    Reader("passages from a dump", "passages/dump.xml", _built),
    Reader("passages from JSONL", "passages/a.jsonl", _built),
    Reader("TREC run", "run/run.trec", read_runs),
    Reader("qrels", "run/qrels.txt", read_qrels),
    Reader("scores of questions", "run/per_question.jsonl", read_scores),
    Reader("run folder, config.json", "run/config.json", _run),
    Reader("run folder, manifest.json", "run/manifest.json", _run),
    Reader("run folder, spans.jsonl", "run/spans.jsonl", _run),
    Reader("your questions", "own-run/questions.jsonl", read_own_questions),
    Reader("run folder, questions.jsonl", "own-run/questions.jsonl", _run),
    Reader("run folder, passages.jsonl", "own-run/passages.jsonl", _run),
    Reader("run folder, settings", "run/config.json", lambda path: finished(path.parent)),
    Reader("index's manifest", "old-index/manifest.json", _manifest),
    Reader("index, manifest.json", "index/bm25/manifest.json", _searched),
    Reader("index, data", f"{_FI}/data.csc.index.npy", _searched),
    Reader("index, indices", f"{_FI}/indices.csc.index.npy", _searched),
    Reader("index, indptr", f"{_FI}/indptr.csc.index.npy", _searched),
    Reader("index, params", f"{_FI}/params.index.json", _searched),
    Reader("index, vocabulary", f"{_FI}/vocab.index.json", _searched),
    Reader("index of psq, counts", "terms/counts.npy", _terms),
    Reader("index of psq, passages", "terms/passages.npy", _terms),
    Reader("index of psq, vocabulary", "terms/vocabulary.json", _terms),
    Reader("suite", "checklist/suite.jsonl", read_suite),
    Reader("results", "checklist/results.jsonl", _results),
    Reader("injections", "checklist/injections.jsonl", read_injections),
    Reader("checklist", "checklist/fi.toml", _checklist),
    Reader("official checklist", "checklist/official.tsv", read_official_table),
    Reader("released suite", "checklist/fi_squad_suite.pkl", lambda path: read_released(path, {})),
    Reader("metadata of a system", "leaderboard/metadata.toml", _system),
    Reader("report of eval", "leaderboard/report.json", partial(_entry, "xquad")),
    Reader("lareqa.json", "leaderboard/lareqa.json", partial(_entry, "xquad-r")),
    Reader("config", "training/hybrid.toml", lambda path: load_settings(str(path))),
    Reader("recipe, reader", "training/reader.toml", _recipe),
    Reader("recipe, ranker", "training/ranker.toml", _recipe),
    Reader("recipe, biencoder", "training/biencoder.toml", _recipe),
    Reader("recipe, translator", "training/translator.toml", _recipe),
    Reader("recipe, transliterator", "training/transliterator.toml", _recipe),
    Reader("recipe, document head", "training/document_head.toml", _recipe),
    Reader("recipe, image encoder", "training/image_encoder.toml", _recipe),
    Reader("sentence pairs", "training/pairs.tsv", lambda path: read_pairs([path])),
    Reader("word probabilities", "training/psq.tsv", read_word_probabilities),
    Reader("lexicon", "training/lexicon.tsv", lambda path: read_lexicon([path])),
    Reader("excluded", "squad/data.fi.json", lambda path: read_excluded([path])),
    Reader("catalogues", "training/catalogues.whl", lambda path: list(published(path))),
    Reader("recorded translations", "training/recorded.jsonl", _recorded),
    Reader("dictionary", "training/pairs.tsv", lambda path: read_dictionary(str(path), "fi", "en")),
    Reader("titles", "training/titles.tsv", read_titles),
    Reader("links", "links/wiki.links.tsv", lambda path: read_links([path], {("fi", "Niili")})),
    Reader("recorded replies", "training/replies.jsonl", read_replies),
    Reader("reply of a model", "service/answer.json", _answer),
    Reader("reply of a service", "service/reply.json", _reply),
    Reader("human verdicts", "run/labels.tsv", read_labels),
    Reader("adapter", "weights/reader.safetensors", lambda path: open_adapter(str(path))),
    Reader("encoder", "weights/encoder.safetensors", lambda path: encoder_settings(str(path))),
    Reader("translator", "weights/translator.safetensors", _translator),
    Reader("transliterator", "weights/transliterator.safetensors", _transliterator),
    Reader("document head", "weights/document-head.safetensors", _document_head),
    Reader("image encoder", "weights/image-encoder.safetensors", _image_encoder),
    Reader("vectors", "pool/a.npz", _vectors),
    Reader("word vectors", "pool/a.vec", _word_vectors),
    Reader("transform", "weights/a.transform", _transform),
    Reader("chooser", "weights/chooser.json", open_chooser),
    Reader("confidence", "weights/confidence.json", open_confidence),
]
