"""The kinds of training of texts: readers, rankers, encoders, translators."""

from .average import average_encoders, average_readers
from .biencoder.recipe import BiencoderRecipe
from .biencoder.train import train_biencoder
from .common.kind import TrainingKind
from .dpr_reader.recipe import DprReaderRecipe
from .dpr_reader.train import train_dpr_reader
from .qa_model.recipe import QaModelRecipe
from .qa_model.train import train_qa_model
from .query_encoder.recipe import QueryEncoderRecipe
from .query_encoder.train import train_query_encoder
from .ranker.recipe import RankerRecipe
from .ranker.train import train_ranker
from .reader.recipe import ReaderRecipe
from .reader.train import train_reader
from .translator.recipe import TranslatorRecipe
from .translator.train import train_translator
from .transliterator.recipe import TransliteratorRecipe
from .transliterator.train import train_transliterator

READER = TrainingKind(
    recipe=ReaderRecipe,
    train=train_reader,
    about="Train a span reader on SQuAD-style files, in all stages of its recipe.",
    example="reader-en",
    average=average_readers,
)
QA_MODEL = TrainingKind(
    recipe=QaModelRecipe,
    train=train_qa_model,
    about="Train any encoder of transformers to mark answers; all weights, as released models.",
    example="xor-reader-xlm-r",
    has_stages=False,
)
DPR_READER = TrainingKind(
    recipe=DprReaderRecipe,
    train=train_dpr_reader,
    about="Train a reader of DPR on retrieved passages, by distant supervision.",
    example="xor-reader-dpr",
    has_stages=False,
)
RANKER = TrainingKind(
    recipe=RankerRecipe,
    train=train_ranker,
    about="Train a ranker of passages on SQuAD-style files, from a reader.",
    example="ranker-questions",
)
BIENCODER = TrainingKind(
    recipe=BiencoderRecipe,
    train=train_biencoder,
    about="Train the encoder of dense retrieval on questions and sentence pairs.",
    example="encoder-lareqa",
    average=average_encoders,
)
QUERY_ENCODER = TrainingKind(
    recipe=QueryEncoderRecipe,
    train=train_query_encoder,
    about="Train the query encoder of dense retrieval; existing indexes stay valid.",
    example="encoder-questions",
)
TRANSLATOR = TrainingKind(
    recipe=TranslatorRecipe,
    train=train_translator,
    about="Train a translator of questions into English on sentence pairs.",
    example="translator",
    has_stages=False,
)
TRANSLITERATOR = TrainingKind(
    recipe=TransliteratorRecipe,
    train=train_transliterator,
    about="Train a transliterator of English names on name pairs.",
    example="transliterator",
    has_stages=False,
)
