"""`xorqa lareqa`: an encoder's answer retrieval across languages, and its language bias."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option

from ....cli.options import Langs, Output, split_langs, with_groups
from ....cli.show import progress
from ....core.config import stage_table
from ....core.errors import ConfigError
from ....core.progress import TaskProgress, quantity
from ....core.registry import build
from ....io.cache import stage_cache
from ....io.files import write_json, write_text
from ....models.checkpoints import DEFAULT
from ...common.parallel_files import find_files, select_languages
from ...common.word_vectors import coverage_note
from ..data import SHIPPED, build_pool, pool_folder, read_pool
from ..evaluate import NONE, EncoderResult, Fit, evaluate_encoder
from ..pool import Pool
from ..report import html_report
from ..tables import result_tables
from ..translate import translate_pool

PoolArgument = Annotated[
    str,
    Argument(
        metavar="POOL",
        help="mini (small, bundled), or a folder with XQuAD-R or SQuAD-style files, one "
        "per language.",
    ),
]
Encoders = Annotated[
    list[str] | None,
    Option(
        help="A checkpoint (hub name or ./folder), an encoder's adapter, files of word vectors "
        "(wiki.{lang}.align.vec), bm25, or an .npz file with arrays questions and candidates, "
        "whose rows are in the pool's order: by language code, then as in the files. Repeatable; "
        f"default {DEFAULT}."
    ),
]
Transforms = Annotated[
    list[str] | None,
    Option(
        help="center, remove:K, subspace, none (default), or a stored transform's name or file. "
        "Repeatable."
    ),
]
FitOption = Annotated[
    Fit,
    Option(
        help="Where center, remove:K and subspace are fitted. pool: on the evaluated vectors, for "
        "diagnosis only. half: on half of the articles; the other half is evaluated."
    ),
]
Context = Annotated[
    bool,
    Option(
        "--context",
        help="Encode a sentence and its paragraph as a pair of texts, with segment ids for BERT.",
    ),
]
Late = Annotated[
    bool,
    Option(
        "--late-interaction",
        help="Compare token vectors by MaxSim instead of one vector per text.",
    ),
]
Built = Annotated[
    bool, Option("--built", help="Split sentences again, even if the files have sentences.")
]
TranslatorOption = Annotated[
    str | None,
    Option(
        help="Translate-Test: translate questions and candidates into English first. A name, "
        "my_package.module:MyTranslator, or a table: {use = '...', k = 4}."
    ),
]
DIAGNOSIS = (
    "A diagnosis, not a result: the transform of {names} was fitted on the vectors it is evaluated "
    "on. The probe may even fall below chance, since the means of its training and test vectors "
    "cancel. Use --fit half to avoid this."
)
SENTENCE_NOTES = {
    "built": "Sentences were split by xorqa, so results differ from those on published files.",
    "published": "Sentences are those of the files.",
}


@with_groups
def lareqa(
    pool_name: PoolArgument,
    out: Annotated[Path, Option(help="The folder for results, report and vectors.")],
    output: Output,
    encoder: Encoders = None,
    transform: Transforms = None,
    lang: Langs = None,
    translator: TranslatorOption = None,
    fit: FitOption = "pool",
    context: Context = False,
    late_interaction: Late = False,
    built: Built = False,
) -> None:
    """Measure answer retrieval from a multilingual pool, and language bias (LAReQA).

    The pool has the sentences of all languages. Reports mAP, XTREME-R's mAP@20, mAP with one right
    sentence removed, mAP in monolingual pools, and a language probe. Vectors are cached, so an
    interrupted run resumes.

    Example: xorqa lareqa mini --out bias

    Example: xorqa lareqa xquad-r --out bias

    Example: xorqa lareqa xquad-r --lang ar,de,en,es,ru,th,tr,zh --out eight

    Example: xorqa lareqa xquad-r --encoder encoder-aligned --late-interaction --out late

    Example: xorqa lareqa mini --translator bundled --out translate-test

    Example: xorqa lareqa xquad-r --encoder e5-small-q4 --encoder bm25 --transform none
    --transform center --fit half --out bias
    """
    pool, sentences = _open_pool(pool_name, built, split_langs(lang))
    transforms, encoders = dict.fromkeys(transform or [NONE]), dict.fromkeys(encoder or [DEFAULT])
    evaluate = partial(
        evaluate_encoder,
        fitted=fit,
        context=context,
        late_interaction=late_interaction,
        folder=out / "vectors",
    )
    notes = [_counts(pool, fit), SENTENCE_NOTES[sentences]]
    translation: dict[str, Any] = {}
    results: list[EncoderResult] = []
    with progress() as report:
        if translator is not None:
            pool, translation = _translate_test(pool, translator, encoders, report)
            notes.append(
                "Translate-Test: questions and candidates were translated into English by "
                f"{translation['use']}; languages are those of the originals."
            )
            if missing := translation["untranslated"]:
                total = translation["texts"]
                scored = "were not translated and are scored as they are"
                notes.append(f"{missing} of {total} texts {scored}.")
        for name in encoders:
            results += evaluate(pool, name, [*transforms], progress=report)
    if translation:
        results = [replace(row, name=f"{row.name} translate-test") for row in results]
    notes += dict.fromkeys(
        coverage_note(row.settings["encoder"], row.settings["word vectors"])
        for row in results
        if "word vectors" in row.settings
    )
    if diagnostic := [result.name for result in results if result.settings.get("diagnostic")]:
        notes.append(DIAGNOSIS.format(names=", ".join(diagnostic)))
    values = _to_json(pool, sentences, fit, results)
    if translation:
        values["translator"] = translation
    write_json(out / "lareqa.json", values)
    output.write_json(values)
    write_text(out / "report.html", html_report(pool.name, pool.langs, results, about=notes))
    output.print_grids(result_tables(results, pool.langs))
    for line in (*notes, f"results and report: {out}"):
        output.aside(line)


def _open_pool(pool_name: str, built: bool, langs: list[str] | None) -> tuple[Pool, str]:
    """The pool, and whether its sentences are "published" or "built"."""
    folder = pool_folder(pool_name)
    files = find_files(folder)
    if len(files) < 2:
        raise ConfigError(f"{folder} has one language; a pool needs two or more")
    files = select_languages(files, langs)
    as_published = all(
        path.stem == lang and b'"sentences"' in path.read_bytes() for lang, path in files.items()
    )
    name = pool_name if pool_name in SHIPPED else folder.resolve().name
    if built or not as_published:
        return build_pool(files, name=name), "built"
    return read_pool(folder, name=name, langs=files), "published"


def _translate_test(
    pool: Pool, translator: str, encoders: Iterable[str], progress: TaskProgress
) -> tuple[Pool, dict[str, Any]]:
    """The pool in English, and what is reported of its translation."""
    if file := next((name for name in encoders if name.endswith(".npz")), None):
        raise ConfigError(f"--translator cannot be used with vectors from a file, {file}")
    table = stage_table(translator)
    stage = build("translator", table)
    translated = translate_pool(pool, stage, cache=stage_cache(), progress=progress)
    return translated.pool, {
        **table,
        "to": "en",
        "fingerprint": stage.fingerprint(),
        "texts": translated.texts,
        "untranslated": translated.untranslated,
    }


def _to_json(
    pool: Pool, sentences: str, fit: Fit, results: Sequence[EncoderResult]
) -> dict[str, Any]:
    """The first encoder's results at the top level; all of them in a list if there are several."""
    rows = [result.to_json() for result in results]
    counts = {
        lang: {"questions": questions, "candidates": candidates}
        for lang, (questions, candidates) in pool.counts().items()
    }
    setting = {"pool": pool.name, "sentences": sentences, "judged on": fit, "counts": counts}
    return {**setting, **rows[0], **({"encoders": rows} if len(rows) > 1 else {})}


def _counts(pool: Pool, fit: Fit) -> str:
    by_lang = ", ".join(f"{lang} {n}/{m}" for lang, (n, m) in pool.counts().items())
    half = "; evaluated on the half of the articles that no transform saw" if fit == "half" else ""
    sizes = quantity(len(pool.questions), "question"), quantity(len(pool.sentences), "candidate")
    return f"{', '.join(sizes)} ({by_lang}){half}."
