"""What a model's own library computes when it is called plainly, for `xorqa doctor --model`.

Nothing here uses xorqa's code for models: a folder goes to sentence-transformers or transformers as
in their documentation, one text after the other, so that no padding is involved.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.named import require
from ..models.checkpoints import Checkpoint
from ..models.device import pick_device
from ..models.encoder_settings import EncoderSettings
from ..models.rerankers import NOT_RELEVANT


def encoder(
    model: Checkpoint,
    settings: EncoderSettings,
    texts: Sequence[str],
    side: str,
    *,
    given: str | None,
    other: str,
) -> list[Any]:
    """Vectors by SentenceTransformer, with the prompt given, the model's own, or `other`."""
    options = {"truncate_dim": settings.truncate_dim}
    library = _of_sentence_transformers("SentenceTransformer", model, settings.dtype, **options)
    if settings.max_tokens is not None:
        library.max_seq_length = settings.max_tokens
    own = None if any(library.prompts.values()) else other
    encode = library.encode_query if side == "query" else library.encode_document
    return [
        encode(
            text,
            prompt=own if given is None else given,
            normalize_embeddings=library.similarity_fn_name == "cosine",
            show_progress_bar=False,
        )
        for text in texts
    ]


def body(
    model: Checkpoint,
    settings: EncoderSettings,
    texts: Sequence[str],
    *,
    pooling: str,
    normalize: bool,
) -> list[Any]:
    """Vectors of a checkpoint without modules, pooled by hand; DPR's towers by their classes."""
    architecture = model.architecture
    is_dpr = architecture.startswith("DPR")
    tokenizer, network = _of_transformers(
        architecture if is_dpr else "AutoModel", model, settings.dtype
    )
    longest = min(settings.max_tokens or 512, tokenizer.model_max_length)
    rows = []
    for text in texts:
        inputs = tokenizer(text, truncation=True, max_length=longest, return_tensors="pt")
        output = _run(network, inputs)
        if is_dpr or pooling == "pooler":
            vector = output.pooler_output[0].float()
        else:
            states = output.last_hidden_state[0].float()
            vector = states.mean(0) if pooling == "mean" else states[0]
        rows.append((vector / vector.norm() if normalize else vector).cpu().numpy())
    return rows


def late_interaction(model: Checkpoint, dtype: str, texts: Sequence[str], side: str) -> list[Any]:
    """Token vectors by MultiVectorEncoder."""
    library = _of_sentence_transformers("MultiVectorEncoder", model, dtype)
    encode = library.encode_query if side == "query" else library.encode_document
    return [encode(text, convert_to_numpy=True, show_progress_bar=False) for text in texts]


def learned_sparse(model: Checkpoint, dtype: str, texts: Sequence[str], side: str) -> list[Any]:
    """Weights of all terms by SparseEncoder, of unit length if the model compares by cosine."""
    library = _of_sentence_transformers("SparseEncoder", model, dtype)
    encode = library.encode_query if side == "query" else library.encode_document
    rows = [encode(text, show_progress_bar=False).to_dense().float().cpu() for text in texts]
    is_cosine = library.similarity_fn_name == "cosine"
    return [(row / row.norm() if is_cosine else row).numpy() for row in rows]


def reranker(
    model: Checkpoint, dtype: str, pairs: Sequence[tuple[str, str]], *, template: str | None
) -> list[Any]:
    """Scores by CrossEncoder; of two labels, that of the relevant one less the other's."""
    options = {"processor_kwargs": {"chat_template": template}} if template else {}
    library = _of_sentence_transformers("CrossEncoder", model, dtype, **options)
    rows = [library.predict([pair], show_progress_bar=False)[0] for pair in pairs]
    if library.num_labels != 2:
        return rows
    second = str((library.config.id2label or {}).get(1, "LABEL_1")).lower()
    relevant = int(second not in NOT_RELEVANT)
    return [row[relevant] - row[1 - relevant] for row in rows]


def mono_t5(
    model: Checkpoint, dtype: str, pairs: Sequence[tuple[str, str]], tokens: Sequence[str]
) -> list[Any]:
    """log P(relevant) by the first output token."""
    import torch

    tokenizer, network = _of_transformers("AutoModelForSeq2SeqLM", model, dtype)
    both = tokenizer.convert_tokens_to_ids(list(tokens))
    rows = []
    for query, document in pairs:
        text = f"Query: {query} Document: {document} Relevant:"
        inputs = dict(tokenizer(text, return_tensors="pt"))
        inputs["decoder_input_ids"] = torch.tensor([[network.config.decoder_start_token_id]])
        logits = _run(network, inputs).logits[0, 0, both]
        rows.append(logits.float().log_softmax(-1)[1].cpu().numpy())
    return rows


def reader(model: Checkpoint, dtype: str, inputs: Sequence[tuple[str, ...]]) -> list[Any]:
    """Start and end logits (tokens, 2) of question and passage; DPR's with title and relevance."""
    is_dpr = model.architecture == "DPRReader"
    kind = "DPRReader" if is_dpr else "AutoModelForQuestionAnswering"
    names = {"tokenizer": "DPRReaderTokenizerFast"} if is_dpr else {}
    tokenizer, network = _of_transformers(kind, model, dtype, **names)
    rows = []
    for question, passage, *title in inputs:
        if is_dpr:
            texts = {"questions": question, "titles": title[0], "texts": passage}
            output = _run(network, tokenizer(**texts, return_tensors="pt"))
        else:
            output = _run(network, tokenizer(question, passage, return_tensors="pt"))
        columns = [output.start_logits[0], output.end_logits[0]]
        if is_dpr:
            columns.append(output.relevance_logits[0].expand_as(columns[0]))
        rows.append(np.stack([column.float().cpu().numpy() for column in columns], axis=-1))
    return rows


def translator(
    model: Checkpoint, dtype: str, sources: Sequence[tuple[str, str]], target: str, **search: int
) -> list[str]:
    """Outputs for (what names the languages, text); `target` is their first token, "" for none."""
    tokenizer, network = _of_transformers("AutoModelForSeq2SeqLM", model, dtype)
    first = tokenizer.convert_tokens_to_ids(target) if target else None
    rows = []
    for before, text in sources:
        source, options = text, {} if first is None else {"forced_bos_token_id": first}
        if target:
            tokenizer.src_lang = before.strip("_")
        elif before:
            source = before + text if before.endswith(" ") else f"{before} {text}"
        [row] = _generated(network, tokenizer(source, return_tensors="pt"), **options, **search)
        kept = [token for token in row.tolist() if token != first]
        rows.append(str(tokenizer.decode(kept, skip_special_tokens=True)))
    return rows


def generator(model: Checkpoint, dtype: str, texts: Sequence[str], **search: int) -> list[str]:
    """Greedy continuations of texts."""
    seq2seq = bool(model.config.get("is_encoder_decoder"))
    kind = "AutoModelForSeq2SeqLM" if seq2seq else "AutoModelForCausalLM"
    tokenizer, network = _of_transformers(kind, model, dtype)
    rows = []
    for text in texts:
        inputs = tokenizer(text, return_tensors="pt")
        [row] = _generated(network, inputs, **search)
        new = row if seq2seq else row[inputs["input_ids"].shape[1] :]
        rows.append(str(tokenizer.decode(new, skip_special_tokens=True)))
    return rows


def _of_sentence_transformers(kind: str, model: Checkpoint, dtype: str, **options: Any) -> Any:
    library = require("sentence_transformers", extra="hub")
    return getattr(library, kind)(
        str(model.path),
        device=str(pick_device()),
        model_kwargs={"dtype": dtype},
        trust_remote_code=False,
        **options,
    )


def _of_transformers(
    kind: str, model: Checkpoint, dtype: str, *, tokenizer: str = "AutoTokenizer"
) -> tuple[Any, Any]:
    import transformers

    network = getattr(transformers, kind).from_pretrained(
        model.path, dtype=dtype, trust_remote_code=False
    )
    loaded = getattr(transformers, tokenizer).from_pretrained(model.path, trust_remote_code=False)
    return loaded, network.to(pick_device()).eval()


def _run(network: Any, inputs: Any) -> Any:
    import torch

    with torch.inference_mode():
        return network(**{name: value.to(network.device) for name, value in dict(inputs).items()})


def _generated(network: Any, inputs: Any, **options: Any) -> Any:
    import torch

    known = {name: inputs[name].to(network.device) for name in ("input_ids", "attention_mask")}
    with torch.inference_mode():
        return network.generate(**known, do_sample=False, **options)
