"""What xorqa computes with a model, by any name, against the model's own library by its folder.

Each comparison raises an AssertionError where they differ, and what xorqa raises where it refuses.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tests.zoo import late
from tests.zoo.encoders import questions, reference, texts
from tests.zoo.references import ENGLISH, KOREAN, SEARCH, Case, outputs, read_windows, translate
from tests.zoo.tokenizers import passages
from xorqa.core.types import Hit, Query, Question
from xorqa.models.encoder import Encoder, EncoderSettings
from xorqa.models.late_interaction import LateSettings, late_encoder
from xorqa.models.learned_sparse import SparseSettings, sparse_encoder
from xorqa.models.maxsim import maxsim
from xorqa.models.pair_classifier import PairClassifier
from xorqa.models.pair_settings import PairClassifierSettings
from xorqa.reading.span import SpanReader
from xorqa.translation.seq2seq import Seq2SeqTranslator

CLOSE = 1e-5
PAIRS = [
    ("Where is the Nile?", "Nile\nThe Nile is a river in Africa."),
    ("Missä Niili on?", "Rein on joki Euroopassa."),
    ("Where is the Nile?", "The Nile flows north through eleven countries of Africa. " * 20),
    ("나일강은 어디에 있나요?", "나일강은 아프리카의 강이다."),
]


def encoder(name: str, folder: Path, **settings: Any) -> None:
    """Vectors of both sides, and the first ten of each ranking."""
    settings = {"dtype": "float32"} | settings
    ours = Encoder(EncoderSettings(name, **settings))
    asked, corpus = questions(), texts()
    computed = [ours.queries(asked), ours.passages(corpus)]  # first, as they may be refused
    prompts = settings.get("query_prefix"), settings.get("passage_prefix")
    code = bool(settings.get("trust_remote_code"))
    if (folder / "modules.json").is_file():
        sides = ((asked, "query", prompts[0]), (corpus, "passage", prompts[1]))
        theirs = [reference(folder, given, side, prompt=p, code=code) for given, side, p in sides]
        theirs = [units(vectors) for vectors in theirs]
    else:
        pooling = settings.get("pooling", "mean")
        theirs = [bare(folder, given, pooling) for given in (asked, corpus)]
    same_vectors(computed, theirs)


def e5(name: str, folder: Path) -> None:
    """A model that its card, and not its files, gives prefixes."""
    asked, corpus = questions(), texts()
    ours = Encoder(EncoderSettings(name, dtype="float32"))
    theirs = [
        units(reference(folder, given, side, prompt=prefix))
        for given, side, prefix in (
            (asked, "query", "query: "),
            (corpus, "passage", "passage: "),
        )
    ]
    same_vectors([ours.queries(asked), ours.passages(corpus)], theirs)


def same_vectors(ours: list[Any], theirs: list[Any]) -> None:
    for one, other in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(one, other, atol=CLOSE)
    same_rankings(ours, theirs)


def same_rankings(ours: Sequence[Any], theirs: Sequence[Any]) -> None:
    """The first ten agree, but for passages whose scores differ by less than the rounding."""
    scores, expected = (queries @ passages.T for queries, passages in (ours, theirs))
    first = np.argsort(-scores, axis=1, kind="stable")[:, :10]
    best = -np.sort(-expected, axis=1)[:, :10]
    np.testing.assert_allclose(
        np.take_along_axis(expected, first, axis=1), best, rtol=1e-6, atol=1e-6
    )


def units(vectors: Any) -> Any:
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def bare(folder: Path, given: list[str], pooling: str) -> Any:
    """Unit vectors of a checkpoint without modules, text by text."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModel.from_pretrained(folder, dtype=torch.float32).eval()
    rows = []
    for text in given:
        batch = tokenizer(text, truncation=True, return_tensors="pt")
        with torch.inference_mode():
            states = model(**batch).last_hidden_state[0]
        rows.append((states[0] if pooling == "cls" else states.mean(0)).numpy())
    return units(np.stack(rows))


def reranker(name: str, folder: Path, **options: Any) -> None:
    """Scores of CrossEncoder, the second label less the first if there are two."""
    import torch
    from sentence_transformers import CrossEncoder

    computed = scores(name)  # first, as it may be refused
    library = CrossEncoder(
        str(folder), device="cpu", model_kwargs={"dtype": torch.float32}, **options
    )
    expected = library.predict(PAIRS, show_progress_bar=False)
    expected = expected[:, 1] - expected[:, 0] if expected.ndim > 1 else expected
    np.testing.assert_allclose(computed, expected, atol=CLOSE)


def mono_t5(name: str, folder: Path) -> None:
    """Log P(yes) after the template of the paper."""
    import torch
    from transformers import AutoTokenizer, MT5ForConditionalGeneration

    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = MT5ForConditionalGeneration.from_pretrained(folder, dtype=torch.float32).eval()
    answers = tokenizer.convert_tokens_to_ids(["▁no", "▁yes"])
    expected = []
    for query, document in PAIRS:
        inputs = tokenizer(f"Query: {query} Document: {document} Relevant:", return_tensors="pt")
        assert inputs["input_ids"].shape[1] <= 512
        with torch.inference_mode():
            logits = model(**inputs, decoder_input_ids=torch.tensor([[0]])).logits[0, 0]
        expected.append(float(logits[answers].log_softmax(0)[1]))
    np.testing.assert_allclose(scores(name), expected, atol=CLOSE)


def scores(name: str) -> list[float]:
    return PairClassifier(PairClassifierSettings(name, max_tokens=None, dtype="float32")).score(
        PAIRS
    )


def reader(name: str, folder: Path) -> None:
    """Spans and scores of run_qa.py."""
    rows = passages("en", "fi", each=4)
    query = Query(Question("q", KOREAN[0], "ko"), ENGLISH[0], "en")
    ours = SpanReader(model=name, passages=99, dtype="float32")
    [found] = ours.read([query], [[Hit(passage, 1.0) for passage in rows]])
    assert len(found) == len(rows)
    by_docid = {passage.docid: passage for passage in rows}
    for candidate in found:
        text = by_docid[candidate.docid].text
        expected = read_windows(folder, query.text, text, window=384)
        assert (candidate.span.start, candidate.span.end) == (expected.start, expected.end)
        log_p = -float(np.logaddexp(0.0, expected.null - expected.best))
        np.testing.assert_allclose(candidate.scores.passage, log_p, atol=CLOSE)


def translator(name: str, folder: Path, case: Case) -> None:
    """The texts of `generate`; a language that the model lacks is refused before."""
    ours = Seq2SeqTranslator(model=name, dtype="float32", **SEARCH)
    ours.check_languages({case.lang}, to=case.to)
    expected = translate(folder, case)
    assert len(set(expected)) > 1
    assert outputs(ours, case) == expected


def late_interaction(name: str, folder: Path) -> None:
    """MaxSim of sentence-transformers' MultiVectorEncoder."""
    from sentence_transformers import MultiVectorEncoder

    asked, corpus = questions(), late.texts()
    model = MultiVectorEncoder(str(folder), device="cpu")
    expected = model.similarity(model.encode_query(asked), model.encode_document(corpus)).numpy()
    ours = late_encoder(LateSettings(name, dtype="float32"))
    queries = ours.encode("query", asked, ["en"] * len(asked))
    tokens = ours.encode("passage", corpus, ["en"] * len(corpus))
    lengths = np.array(list(map(len, tokens)), np.int64)
    computed = maxsim(queries, np.concatenate(tokens), lengths, mean=ours.averages)
    np.testing.assert_allclose(computed, expected, atol=1e-4)


def learned_sparse(name: str, folder: Path) -> None:
    """The weights of sentence-transformers' SparseEncoder."""
    from sentence_transformers import SparseEncoder

    corpus = late.texts()[:20]
    model = SparseEncoder(str(folder), device="cpu")
    expected = model.encode_document(corpus, convert_to_sparse_tensor=False).numpy()
    ours = sparse_encoder(SparseSettings(name, dtype="float32"))
    computed = np.zeros_like(expected)
    for row, (terms, weights) in enumerate(ours.encode("passage", corpus)):
        computed[row, terms] = weights
    np.testing.assert_allclose(computed, expected, atol=CLOSE)


def dpr(name: str, folder: Path, *, passage_tower: str) -> None:
    """The towers' own outputs."""
    import transformers

    ours = Encoder(
        EncoderSettings(
            name,
            passage_tower=passage_tower,
            pooling="cls",
            normalize=False,
            max_tokens=256,
            dtype="float32",
        )
    )
    asked, corpus = questions(), texts()
    theirs = []
    for place, kind, given in (
        (folder, "DPRQuestionEncoder", asked),
        (folder.with_name(passage_tower.partition("/")[2]), "DPRContextEncoder", corpus),
    ):
        tokenizer = transformers.AutoTokenizer.from_pretrained(place)
        model = getattr(transformers, kind).from_pretrained(place).eval()
        batches = (
            tokenizer(t, truncation=True, max_length=256, return_tensors="pt") for t in given
        )
        theirs.append(
            np.stack([model(b["input_ids"]).pooler_output[0].detach().numpy() for b in batches])
        )
    same_vectors([ours.queries(asked), ours.passages(corpus)], theirs)


def qwen_reranker(name: str, folder: Path) -> None:
    """P(yes), or the one logit, after the input that the model's card describes."""
    import torch
    import transformers

    from tests.models.test_rerankers import CARD, INSTRUCTION

    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    kind = "AutoModelForSequenceClassification" if "seq-cls" in name else "AutoModelForCausalLM"
    model = getattr(transformers, kind).from_pretrained(folder).eval()
    expected = []
    for query, document in PAIRS:
        text = CARD.format(instruction=INSTRUCTION, query=query, document=document)
        with torch.inference_mode():
            last = model(**tokenizer(text, return_tensors="pt")).logits[0]
        if "seq-cls" not in name:
            yes, no = tokenizer.convert_tokens_to_ids(["yes", "no"])
            last = last[-1, yes] - last[-1, no]
        expected.append(float(last.sigmoid()))
    np.testing.assert_allclose(scores(name), expected, atol=CLOSE)


def ctranslate2(name: str, folder: Path, case: Case, *, vocabulary: str) -> None:
    """A conversion's texts, with the vocabulary as it is or as converters once wrote it."""
    import json
    from tempfile import TemporaryDirectory

    from tests.zoo.references import translate_ctranslate2
    from tests.zoo.translators import converted
    from xorqa.translation.ctranslate2 import CTranslate2Translator

    with TemporaryDirectory() as place:
        model = converted(folder, Path(place) / "converted")
        if vocabulary == "txt":
            path = model / "shared_vocabulary.json"
            tokens = json.loads(path.read_text("utf-8"))
            (model / "shared_vocabulary.txt").write_text("\n".join(tokens) + "\n", "utf-8")
            path.unlink()
        ours = CTranslate2Translator(model=str(model), compute="float32", **SEARCH)
        expected = translate_ctranslate2(folder, model, case)
        found = outputs(ours, case)
        assert [text.strip() for text in found] == [text.strip() for text in expected]


def chat(name: str, folder: Path) -> None:
    """The reply of `generate` to the ids of the model's chat template."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    from xorqa.reading.generation.endpoint import Prompt
    from xorqa.reading.generation.local import LocalModel
    from xorqa.reading.generation.reply import Reply

    messages = [
        {"role": "system", "content": "Answer from the passages."},
        {"role": "user", "content": "Missä Niili on? [1] The Nile is in Africa."},
    ]
    tokenizer = AutoTokenizer.from_pretrained(folder)
    options = {"add_generation_prompt": True, "tokenize": True, "return_dict": True}
    inputs = tokenizer.apply_chat_template(messages, return_tensors="pt", **options)
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    [output] = model.generate(**inputs, max_new_tokens=16, do_sample=False)
    expected = tokenizer.decode(output[inputs["input_ids"].shape[1] :], skip_special_tokens=True)
    ours = LocalModel(name, 16, "float32")
    [reply] = ours.chat([Prompt(messages, "q", "fi")], Reply)
    assert reply.text == expected
