"""The commands that read files, each with its sample; they run in this process."""

from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Any

from ....core.errors import XorqaError
from ....io.files import read_json
from .readers import Reader

OUT = "out"
_RETRIEVE = "--until retrieve --lang fi --sample 1 --out {out}"
_OWN_RETRIEVE = _RETRIEVE.replace("fi", "ar")  # the language of the sample's questions

COMMANDS = [
    ("run/xor_full.json", "eval xor-full --data {folder}/data.jsonl --pred {file} --json {out}"),
    ("run/retrieved.json", "eval xor-retrieve --data {folder}/data.jsonl --pred {file}"),
    ("run/data.jsonl", "eval xor-engspan --data {file} --pred {folder}/xor_full.json --json {out}"),
    ("squad/answers.json", "eval squad --data {folder}/data.fi.json --pred {file} --json {out}"),
    ("squad/data.fi.json", "eval mlqa --data {file} --pred {folder}/answers.json --json {out}"),
    (
        "retrieval/mentions.jsonl",
        "eval mewsli-x-retrieval --mentions {file} --candidates {folder}/candidates.jsonl "
        "--pred {folder}/entities.json",
    ),
    ("retrieval/entities.json", "eval mewsli-x --data {file} --pred {file} --lang pl"),
    ("retrieval/mined.tsv", "eval bucc --data {folder}/gold.tsv --pred {file} --json {out}"),
    ("run/run.trec", "eval ranking --data {folder}/qrels.txt --pred {file} --json {out}"),
    ("training/pairs.tsv", "eval translation --data {file} --json {out}"),
    ("run/dev.mkqa-fi.jsonl", "eval back-translation {folder} --lang fi --localiser cldr"),
    ("run/xor_full.json", "submission check {file} --task xor-full --data {folder}/data.jsonl"),
    (
        "leaderboard/metadata.toml",
        "submission check {folder}/answers.json --task squad --metadata {file}",
    ),
    ("run/per_question.jsonl", "compare {folder}/others.jsonl {file} --samples 20 --json {out}"),
    ("squad/answers.json", "diagnose --task squad --data {folder}/data.fi.json --pred a={file}"),
    ("run/run.trec", "diagnose --task ranking --data {folder}/qrels.txt --pred {file}"),
    ("run/per_question.jsonl", "diagnose {folder} --task xor-full --samples 20 --json {out}"),
    ("run/config.json", "report {folder} --choose rule --samples 20 --json {out}"),
    ("run/manifest.json", "report {folder} --choose rule --samples 20 --json {out}"),
    ("run/spans.jsonl", "report {folder} --choose rule --samples 20 --json {out}"),
    (
        "run/labels.tsv",
        "eval judge {folder} --model m --recorded {folder}/verdicts.jsonl --labels {file} "
        "--json {out}",
    ),
    (
        "run/verdicts.jsonl",
        "eval judge {folder} --model m --recorded {file} --labels {folder}/labels.tsv --json {out}",
    ),
    ("own-data/questions.fi.jsonl", "data check {folder} --json {out}"),
    ("own-data/passages.fi.jsonl", "data check {folder} --json {out}"),
    ("own-data/questions.fi.jsonl", "data export {folder} --format squad --out {out}"),
    (
        "retrieval/a.npz",
        "mine {folder}/a.fi {folder}/b.en --langs fi,en --encoder {file} --out {out}",
    ),
    (
        "retrieval/labelled.tsv",
        "mine {folder}/a.fi {folder}/b.en --langs fi,en --encoder "
        "{folder}/a.npz --any-language --sample {file} --precision 0 --out {out}",
    ),
    ("parallel/fi.json", "build pool {folder} --sentences {folder} --out {out}"),
    ("build-qa/a.csv", "build qa import {folder} {file} --report {out}"),
    ("build-qa/a.jsonl", "build qa import {folder} {file} --report {out}"),
    ("build-qa/a.csv", "build qa quality {folder} --gold {file} --json {out}"),
    ("build-qa/sentences.jsonl", "build qa import {folder} {folder}/a.csv --report {out}"),
    ("build-qa/annotations.jsonl", "build qa import {folder} {folder}/a.csv --report {out}"),
    (
        "build-qa/rounds/question.jsonl",
        "build qa import {folder}/.. {folder}/../a.csv --report {out}",
    ),
    ("build-qa/annotations.jsonl", "build qa export {folder} --round answer --out {out}.csv"),
    (
        "build-qa/parallel.tsv",
        "build qa export {folder} --round question --sentences {file} --corpus "
        "en={folder}/wiki.en.jsonl --corpus fi={folder}/wiki.fi.jsonl --out {out}.csv",
    ),
    ("build-xor/a.csv", "build xor import {folder} {file} --split random --report {out}"),
    ("build-xor/a.jsonl", "build xor import {folder} {file} --report {out}"),
    ("build-xor/selected.jsonl", "build xor import {folder} {folder}/a.csv --report {out}"),
    ("build-xor/in_language.jsonl", "build xor import {folder} {folder}/a.csv --report {out}"),
    ("build-xor/annotations.jsonl", "build xor import {folder} {folder}/a.csv --report {out}"),
    (
        "build-xor/passages.jsonl",
        "build xor import {folder} {folder}/a.csv --split article --report {out}",
    ),
    (
        "build-xor/rounds/answer.jsonl",
        "build xor import {folder}/.. {folder}/../a.csv --report {out}",
    ),
    (
        "build-xor/passages.jsonl",
        "build xor export {folder} --round verification --out {out}.csv",
    ),
    ("passages/dump.xml", "corpus make {file} --lang fi --out {out}.jsonl"),
    ("documents/a.pdf", "corpus make {file} --out {out}.jsonl"),
    ("passages/a.jsonl", "index --corpus fi={file} --retriever bm25 --indexes {out}"),
    ("passages/a.jsonl", "index update {file} --corpus {file} --out {out} --indexes {folder}"),
    ("squad/docids.txt", "index update {folder}/data.fi.json --delete {file} --out {out}"),
    ("training/bm25.toml", f"run {{file}} --data mini {_RETRIEVE}"),
    ("own-run/questions.jsonl", f"run bm25 --questions {{file}} --data mini {_OWN_RETRIEVE}"),
    ("passages/a.jsonl", f"run bm25 --corpus fi={{file}} {_RETRIEVE}"),
    ("run/data.jsonl", "translate questions --file {file} --translator lexicon --out {out}"),
    (
        "captions/en.jsonl",
        "backretrieval {folder} --source en --target fi --encoder characters --images vectors "
        "--k 2 --seeds 1 --json {out} --html {out}.html",
    ),
    ("checklist/fi.toml", "checklist lint {file}"),
    ("checklist/fi.toml", "checklist generate {folder} --cases 2 --out {out}"),
    ("checklist/suite.jsonl", "checklist run {file} --pred {folder}/answers.json --out {out}"),
    ("checklist/results.jsonl", "checklist report {file} --samples 20 --out {out}"),
    ("checklist/official.tsv", "checklist import {file} --cases 1 --out {out}"),
    ("checklist/fi_squad_suite.pkl", "checklist import {file} --out {out}"),
    ("training/reader.toml", "train reader {file}"),
    ("training/biencoder.toml", "train biencoder {file}"),
    ("training/translator.toml", "train translator {file}"),
    ("training/transliterator.toml", "train transliterator {file}"),
    ("training/document_head.toml", "train document-head {file}"),
    ("training/image_encoder.toml", "train image-encoder {file}"),
    ("training/pairs.tsv", "train lexicon {file} --out {out}"),
    ("training/recorded.jsonl", "train parallel {file} --out {out}"),
    # These load models, so they get files that are not text, and must reject them.
    ("no-text/a.jsonl", "ask Niili? --corpus {file}"),
    ("no-text/a.fi.json", "read --data {file} --pred {out}"),
    ("no-text/a.fi.json", "eval reader {file} --json {out}"),
    ("no-text/a.fi.json", "mlqa --dir {folder} --out {out}"),
    ("no-text/fi.json", "lareqa {folder} --out {out}"),
    ("no-text/a.jsonl", "plan 20k --sample {file}"),
    ("no-text/a.jsonl", "doctor {folder}/index --corpus {file}"),
    ("no-text/a.toml", "ledger {file}"),
    ("no-text/a.json", "translate train {file} --to fi --translator none --out {out}"),
    ("no-text/a.json", "translate test {file} --from fi --translator none --pred {out}"),
    ("no-text/a.txt", "transform fit fi={file} --out {out}"),
    ("no-text/a.safetensors", "train average {file} {file} --recipe reader-en --out {out}"),
    ("no-text/a.toml", "train held-out {file} --out {out}"),
    ("no-text/manifest.json", "train chooser {folder} --out {out}"),
    ("no-text/a.safetensors", "models show {file}"),
    ("no-text/a.pt", "models convert {file} --out {out}"),
    ("no-text/a.json", "data distant --squad {file} --reader none --out {out}"),
]
"""A sample, and a command that reads it as {file}, in {folder}, and may write {out}."""


def commands(root: Any) -> list[Reader]:
    """The commands of a command line (typer's or click's) as readers."""
    return [
        Reader(f"{_name(template)}, {Path(file).name}", file, partial(run, root, template))
        for file, template in COMMANDS
    ]


def _name(template: str) -> str:
    words = takewhile(lambda word: word[0] != "-" and "{" not in word, template.split())
    return f"xorqa {' '.join(words)}"


def run(root: Any, template: str, path: Path) -> None:
    """Run a command, its template filled in, in this process.

    Raises:
        XorqaError: if it rejects its input.
        AssertionError: if it rejects its input, but left a file or a folder.
    """
    out = path.parent / OUT
    places = {"file": path, "folder": path.parent, OUT: out}
    try:
        root.main(args=[part.format(**places) for part in template.split()], prog_name="xorqa")
    except SystemExit as error:
        if not error.code:
            return
        refusal = XorqaError(f"exit status {error.code}")
        if error.code == 1:  # a check that failed; its report may be written
            raise refusal from error
    except (XorqaError, OSError) as error:
        refusal = XorqaError(str(error))
    else:
        return
    if left := [entry.name for entry in out.parent.glob(f"*{OUT}*") if not _resumes(entry)]:
        raise AssertionError(f"refused, but left {', '.join(left)}") from refusal
    raise refusal


def _resumes(path: Path) -> bool:
    """Whether a folder is marked as unfinished, so that the same command resumes there."""
    state = path / "manifest.json"
    return path.suffix == ".part" or (state.is_file() and read_json(state)["finished"] is False)
