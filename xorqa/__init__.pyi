"""What `import xorqa` offers; each name is imported on first use."""

from .analysis.compare_runs import compare as compare
from .analysis.diagnosis.diagnose import diagnose as diagnose
from .answering.choosing.learned import LearnedChooser as LearnedChooser
from .answering.choosing.rule import RuleChooser as RuleChooser
from .answering.localising.chain import ChainLocaliser as ChainLocaliser
from .answering.localising.localisers import CldrLocaliser as CldrLocaliser
from .answering.localising.localisers import NoLocalisation as NoLocalisation
from .core.errors import XorqaError as XorqaError
from .core.types import Answer as Answer
from .core.types import Candidate as Candidate
from .core.types import CandidateScores as CandidateScores
from .core.types import Example as Example
from .core.types import Gold as Gold
from .core.types import Hit as Hit
from .core.types import Passage as Passage
from .core.types import Query as Query
from .core.types import Question as Question
from .core.types import Span as Span
from .core.types import Trace as Trace
from .datasets.catalog import load_dataset as load_dataset
from .datasets.corpus import Corpus as Corpus
from .datasets.dataset import Dataset as Dataset
from .experiments.ask import ask as ask
from .experiments.evaluate import evaluate as evaluate
from .experiments.pipeline import Pipeline as Pipeline
from .experiments.run import run as run
from .experiments.settings import Route as Route
from .reading.span import SpanReader as SpanReader
from .retrieval.bm25 import Bm25 as Bm25
from .retrieval.dense import Dense as Dense
from .retrieval.dpr import Dpr as Dpr
from .retrieval.dpr import Mdpr as Mdpr
from .retrieval.elastic.retriever import Elastic as Elastic
from .retrieval.hybrid import Hybrid as Hybrid
from .retrieval.lucene import Lucene as Lucene
from .retrieval.recorded import RecordedRetriever as RecordedRetriever
from .translation.bundled import BundledTranslator as BundledTranslator
from .translation.ctranslate2 import CTranslate2Translator as CTranslate2Translator
from .translation.human import HumanTranslation as HumanTranslation
from .translation.lexicon import LexiconTranslator as LexiconTranslator
from .translation.recorded import RecordedTranslator as RecordedTranslator
from .translation.seq2seq import Seq2SeqTranslator as Seq2SeqTranslator
from .translation.service import ServiceTranslator as ServiceTranslator
from .translation.untranslated import NoTranslation as NoTranslation

__version__: str
