"""The kinds of training of Backretrieval: document heads and image encoders."""

from ..training.common.kind import TrainingKind
from .document_head.recipe import DocumentHeadRecipe
from .document_head.train import train_document_head
from .image_encoder.recipe import ImageEncoderRecipe
from .image_encoder.train import train_image_encoder

DOCUMENT_HEAD = TrainingKind(
    recipe=DocumentHeadRecipe,
    train=train_document_head,
    about="Train a head for documents with titles and bodies on a frozen encoder.",
    example="documents-triplet",
    has_stages=False,
)
IMAGE_ENCODER = TrainingKind(
    recipe=ImageEncoderRecipe,
    train=train_image_encoder,
    about="Train a small image encoder on pairs of drawings of the same thing.",
    example="image-encoder",
    has_stages=False,
)
