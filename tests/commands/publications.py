"""A made-up copy of the publications, small, in the layouts that `xorqa data fetch` reads."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from tests.lab.backretrieval.captions.emoji_packages import write_emoji_packages
from xorqa.core.lang import XOR_LANGUAGES, language
from xorqa.datasets.catalog import PUBLICATIONS
from xorqa.datasets.squad import XQUAD_LANGUAGES
from xorqa.datasets.tydi import DEV_LANGUAGES
from xorqa.io.files import write_json, write_jsonl, write_text

RIVERS = ("Amur", "Ganges", "Nile", "Rhine")
TOWNS = ("Agra", "Bonn", "Kemi", "Lima", "Oulu", "Perm")
LAKES = ("Inari", "Ladoga", "Victoria")
XQUAD_R_LANGUAGES = tuple(lang for lang in XQUAD_LANGUAGES if lang != "ro")
MLQA_LANGUAGES = ("ar", "de", "en", "es", "hi", "vi", "zh")
MKQA_CODES = ("ar", "en", "es", "fi", "ja", "km", "ko", "ms", "ru", "sv", "tr", "zh_cn")
TEQUAD = (
    "ans_eng",
    "con_eng",
    "corrected_ans_tel",
    "que_eng",
    "que_tel",
    "real_con_tel",
    "span_eng",
    "span_tel",
    "translated_ans_tel",
)


def asked(title: str, lang: str) -> list[tuple[str, str, str]]:
    """Kind, question and answer: all that is ever asked about a thing."""
    said = "" if lang == "en" else f"{lang}: "
    at = sum(map(ord, title))
    return [
        ("long", f"{said}How long is {title}?", f"{at} km"),
        ("near", f"{said}What stands near {title}?", f"{title}stad"),
    ]


def article(title: str, lang: str, *, sentences: bool = False, id_of: str = "{}") -> dict[str, Any]:
    """An article of one paragraph of two sentences, each of which answers a question."""
    said = "" if lang == "en" else f"{lang}: "
    both = [f"{said}{title} is {asked(title, lang)[0][2]} long.", f"Near it stands {title}stad."]
    text = " ".join(both)
    paragraph: dict[str, Any] = {
        "context": text,
        "qas": [
            {
                "id": id_of.format(f"{title}-{kind}"),
                "question": question,
                "answers": [{"text": answer, "answer_start": text.index(answer)}],
            }
            for kind, question, answer in asked(title, lang)
        ],
    }
    if sentences:
        paragraph["sentences"] = both
        paragraph["sentence_breaks"] = [[0, len(both[0])], [len(both[0]) + 1, len(text)]]
    return {"title": title, "paragraphs": [paragraph]}


def write_squad(path: Path, titles: Iterable[str], lang: str, **options: Any) -> Path:
    """A SQuAD-style file with an article a title."""
    write_json(path, {"data": [article(title, lang, **options) for title in titles]})
    return path


def _write_pairs(folder: Path) -> None:
    """Sides of line-parallel files, and files with both in two columns."""
    for name, publication in PUBLICATIONS.items():
        for file in publication.files if publication.layout in ("lines", "tsv") else ():
            path = folder / name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.suffix == ".gz":
                path.write_bytes(gzip.compress(b"Yksi.\tOne.\n\nKaksi.\tTwo.\n"))
            else:
                text = "It's river {}.\n" if path.suffix == ".en" else "Tämä on joki {}.\n"
                write_text(path, "".join(text.format(number) for number in range(40)))


def write_publications(folder: Path) -> None:
    """All that can be fetched: `folder/squad/...` and so on."""
    write_squad(folder / "squad" / "train-v1.1.json", RIVERS, "en")
    write_squad(folder / "squad" / "dev-v1.1.json", TOWNS, "en")
    write_squad(folder / "arcd" / "arcd-train.json", LAKES, "ar")
    for lang in XQUAD_LANGUAGES:
        write_squad(folder / "xquad" / f"xquad.{lang}.json", TOWNS, lang)
    for lang in XQUAD_R_LANGUAGES:
        write_squad(folder / "xquad-r" / f"{lang}.json", TOWNS, lang, sentences=True)
    for split, titles in (("dev", LAKES), ("test", TOWNS)):
        for lang in MLQA_LANGUAGES:
            name = f"{split}-context-{lang}-question-{lang}.json"
            write_squad(folder / "mlqa" / "MLQA_V1" / split / name, titles, lang)
    for lang in MLQA_LANGUAGES:
        if lang != "en":
            for side, titles in (("dev", TOWNS), ("train", RIVERS)):
                name = f"{lang}_squad-translate-train-{side}-v1.1.json"
                write_squad(folder / "mlqa-translate-train" / name, titles, lang)
            name = f"translate-test-context-{lang}-question-{lang}.json"
            write_squad(folder / "mlqa-translate-test" / name, TOWNS, "en")
    for side in ("dev", "train"):
        for lang in DEV_LANGUAGES:
            name = language(lang).name.lower()
            path = folder / "tydiqa-goldp" / f"{name}_tydiqa_{side}.json"
            write_squad(path, [f"{lake}_{side}" for lake in LAKES], lang, id_of=f"{name}-{{}}")
    for at in range(30):
        path = folder / "jaquad" / "train" / f"jaquad_train_{at:04d}.json"
        write_squad(path, [f"{at:02d}川"], "ja", id_of="ja-{}")
    _write_xor(folder / "xor-tydi")
    _write_xor_more(folder)
    _write_mkqa(folder / "mkqa")
    write_emoji_packages(folder / "emoji")
    _write_pairs(folder)
    for name in TEQUAD:
        write_text(folder / "tequad" / f"{name}.txt", "1\n2\n")


def xor_rows(titles: Sequence[str], langs: Iterable[str]) -> list[dict[str, Any]]:
    """Lines of XOR QA, with the answers of the titles' articles."""
    return [
        {"id": f"{lang}-{title}-{kind}", "question": question, "lang": lang, "answers": [answer]}
        for lang in langs
        for title in titles
        for kind, question, answer in asked(title, lang)
    ]


def _write_xor(folder: Path) -> None:
    write_jsonl(folder / "xor_train_retrieve_eng_span.jsonl", xor_rows(RIVERS, XOR_LANGUAGES))
    for task in ("full", "retrieve_eng_span"):
        write_jsonl(folder / f"xor_dev_{task}_v1_1.jsonl", xor_rows(TOWNS, XOR_LANGUAGES))
    for lang in XOR_LANGUAGES:
        for side in (lang, "en"):
            lines = [question for river in RIVERS for _, question, _ in asked(river, side)]
            path = folder / "question-translations" / f"{lang}-en" / f"{side}.txt"
            write_text(path, "".join(f"{line}\n" for line in lines))


def _write_xor_more(folder: Path) -> None:
    """What else XOR QA's authors released, and what they trained on."""
    full = folder / "xor-tydi-full"
    write_jsonl(full / "xor_train_full.jsonl", xor_rows(RIVERS, XOR_LANGUAGES))
    for task in ("full", "retrieve_eng_span"):
        bare = [row | {"answers": []} for row in xor_rows(LAKES, XOR_LANGUAGES)]
        write_jsonl(full / f"xor_test_{task}_q_only_v1_1.jsonl", bare)
    for split, titles in (("train", RIVERS), ("dev", TOWNS)):
        write_squad(folder / "xor-tydi-gp" / f"gp_squad_{split}_data.json", titles, "en")
        write_squad(folder / "xor-tydi-rc" / f"rc_{split}.json", titles, "en")
        xor_dpr = folder / "xor-tydi-dpr" / f"dpr_{split}_data.json"
        write_json(xor_dpr, dpr_rows(titles, "fi"))
        nq = folder / "nq-dpr" / f"biencoder-nq-{split}.json.gz"
        write_packed(nq, json.dumps(dpr_rows(titles, "en")))
        tydi = folder / "tydiqa" / f"tydiqa-v1.0-{split}.jsonl.gz"
        write_packed(tydi, "\n".join(map(json.dumps, tydi_rows(titles))))


def write_packed(path: Path, text: str) -> None:
    """Write a `.gz` file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode()))


def dpr_rows(titles: Sequence[str], lang: str) -> list[dict[str, Any]]:
    """DPR's training file: English passages, another title's one as the hard negative."""
    passages = {
        title: {"title": title, "text": article(title, "en")["paragraphs"][0]["context"]}
        for title in titles
    }
    return [
        {
            "q_id": f"{title}-{kind}",
            "lang": lang,
            "question": question,
            "answers": [answer],
            "positive_ctxs": [passages[title]],
            "negative_ctxs": [],
            "hard_negative_ctxs": [passages[titles[at - 1]]],
        }
        for at, title in enumerate(titles)
        for kind, question, answer in asked(title, lang)
    ]


def tydi_rows(titles: Sequence[str]) -> list[dict[str, Any]]:
    """TyDi QA's primary task: every second title's article has no answer."""
    return [
        {
            "annotations": [
                {
                    "minimal_answer": {"plaintext_start_byte": -1, "plaintext_end_byte": -1},
                    "passage_answer": {"candidate_index": -(at % 2)},
                    "yes_no_answer": "NONE",
                }
            ],
            "document_plaintext": title,
            "document_title": title,
            "example_id": f"{title}-{lang}",
            "language": language(lang).name.lower(),
            "question_text": asked(title, lang)[0][1],
        }
        for at, title in enumerate(titles)
        for lang in XOR_LANGUAGES
    ]


def _write_mkqa(folder: Path) -> None:
    for code in MKQA_CODES:
        lang = code.partition("_")[0]
        rows = [
            {**row, "id": f"{row['id'].partition('-')[2]}_{code}", "lang": lang}
            for row in xor_rows(LAKES, [lang])
        ]
        write_jsonl(folder / f"dev-half.mkqa-{code}.jsonl", rows)
        bare = [json.loads(json.dumps(row)) | {"answers": []} for row in rows]
        write_jsonl(folder / f"questions.mkqa-{code}.jsonl", bare)
