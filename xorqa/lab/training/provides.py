"""What this folder adds to xorqa."""

from ...core.extensions import Command

_AT = "xorqa.lab.training.commands"
COMMANDS = {
    "train": Command(
        f"{_AT}.app:app", "Train readers, encoders, translators and choosers.", "Train"
    ),
    "transform": Command(
        f"{_AT}.transform:app", "Remove language information from vectors.", "Train"
    ),
    "data distant": Command(
        f"{_AT}.data:distant",
        "Pair questions with English passages by distant supervision.",
    ),
    "data retrieved": Command(
        f"{_AT}.data:retrieved", "Write a run's passages to train DPR's reader on."
    ),
    "data synthetic": Command(
        f"{_AT}.data:synthetic", "Generate contexts and questions that compare."
    ),
    "data multilingual-questions": Command(
        f"{_AT}.data:multilingual_questions",
        "Write the bundled questions in 17 languages as training data.",
    ),
    "models convert": Command(
        f"{_AT}.checkpoints:convert",
        "Convert a checkpoint of the DPR code to a question and a passage tower.",
    ),
    "translate import": Command(
        f"{_AT}.translations:import_translations",
        "Record published translations for the translator `recorded`.",
    ),
    "translate train": Command(
        f"{_AT}.translations:translate_train",
        "Translate training data, and locate the answers again.",
    ),
}
TRAINING = {
    "reader": "xorqa.lab.training.kinds:READER",
    "qa_model": "xorqa.lab.training.kinds:QA_MODEL",
    "dpr_reader": "xorqa.lab.training.kinds:DPR_READER",
    "ranker": "xorqa.lab.training.kinds:RANKER",
    "biencoder": "xorqa.lab.training.kinds:BIENCODER",
    "query_encoder": "xorqa.lab.training.kinds:QUERY_ENCODER",
    "translator": "xorqa.lab.training.kinds:TRANSLATOR",
    "transliterator": "xorqa.lab.training.kinds:TRANSLITERATOR",
}
DATASETS = {
    "questions-open": "xorqa.lab.training.multilingual_questions.open_retrieval:QUESTIONS_OPEN",
    "chooser-train": "xorqa.lab.training.chooser_train:CHOOSER_TRAIN",
}
