"""What this folder adds to xorqa."""

from ...core.extensions import Command

_AT = "xorqa.lab.bench.commands"
COMMANDS = {
    "bench": Command(f"{_AT}.bench:app", "Measure speed.", "This machine"),
    "bench documents": Command(
        f"{_AT}.documents:documents",
        "Compare the text of documents with that of their passages.",
    ),
    "bench documents-day": Command(
        f"{_AT}.documents_day:documents_day",
        "Ask questions over packages' documentation; compare with BM25.",
        needs=("training",),
    ),
    "bench first-day": Command(
        f"{_AT}.first_day:first_day",
        "Time a first day with own documents: index, interrupt, resume, ask, refuse.",
        needs=("training",),
    ),
    "bench fuzz": Command(
        f"{_AT}.fuzz:fuzz",
        "Feed damaged files to every reader and command.",
        needs=(
            "backretrieval",
            "building",
            "checklist",
            "diagnosis",
            "judging",
            "lareqa",
            "leaderboard",
            "ledger",
            "mining",
            "mlqa",
            "path",
            "training",
        ),
    ),
    "bench known-items": Command(
        f"{_AT}.known_items:known_items",
        "Find passages of files by a piece of them, in any script.",
    ),
    "bench mine": Command(
        f"{_AT}.mining_bench:mine",
        "Mine sentence pairs, against FAISS's exact search.",
        needs=("mining",),
    ),
    "bench noise": Command(
        f"{_AT}.noise_bench:noise",
        "Measure what annotators' errors do to a data set.",
        needs=("building", "lareqa"),
    ),
    "bench passages": Command(
        f"{_AT}.passages_bench:passages",
        "Compare sizes of passages.",
        needs=("training",),
    ),
    "bench quality": Command(
        f"{_AT}.quality:quality",
        "Set the F1 of several configs against their milliseconds.",
    ),
    "bench update": Command(f"{_AT}.bench:update", "Update indexes, against building them."),
    "eval language-detection": Command(
        f"{_AT}.language_detection:language_detection",
        "Score the detection of languages.",
    ),
}
