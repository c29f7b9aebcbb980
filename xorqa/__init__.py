"""Cross-lingual open-retrieval question answering, end to end, every step measured."""

from .core.errors import XorqaError
from .core.lazy import lazy_names
from .core.types import (
    Answer,
    Candidate,
    CandidateScores,
    Example,
    Gold,
    Hit,
    Passage,
    Query,
    Question,
    Span,
    Trace,
)

__version__ = "0.1.0"
__getattr__, __dir__ = lazy_names(
    __name__,
    {
        ".experiments.ask": ["ask"],
        ".experiments.evaluate": ["evaluate"],
        ".experiments.pipeline": ["Pipeline"],
        ".experiments.run": ["run"],
        ".experiments.settings": ["Route"],
        ".analysis.compare_runs": ["compare"],
        ".datasets.catalog": ["load_dataset"],
        ".datasets.corpus": ["Corpus"],
        ".datasets.dataset": ["Dataset"],
        ".retrieval.bm25": ["Bm25"],
        ".retrieval.lucene": ["Lucene"],
        ".retrieval.dense": ["Dense"],
        ".retrieval.dpr": ["Dpr", "Mdpr"],
        ".retrieval.hybrid": ["Hybrid"],
        ".retrieval.elastic.retriever": ["Elastic"],
        ".reading.span": ["SpanReader"],
        ".translation.untranslated": ["NoTranslation"],
        ".translation.human": ["HumanTranslation"],
        ".translation.recorded": ["RecordedTranslator"],
        ".translation.lexicon": ["LexiconTranslator"],
        ".translation.seq2seq": ["Seq2SeqTranslator"],
        ".translation.ctranslate2": ["CTranslate2Translator"],
        ".translation.service": ["ServiceTranslator"],
        ".translation.bundled": ["BundledTranslator"],
        ".answering.localising.localisers": ["NoLocalisation", "CldrLocaliser"],
        ".answering.localising.chain": ["ChainLocaliser"],
        ".answering.choosing.rule": ["RuleChooser"],
        ".answering.choosing.learned": ["LearnedChooser"],
    },
)
__all__ = [
    "Answer",
    "Candidate",
    "CandidateScores",
    "Example",
    "Gold",
    "Hit",
    "Passage",
    "Query",
    "Question",
    "Span",
    "Trace",
    "XorqaError",
]
