"""TyDi QA's gold passage task (Clark et al. 2020), scored as SQuAD, as in XTREME."""

from dataclasses import replace

from ..task import read_squad_references
from .squad import SQUAD

TYDI_GOLDP = replace(
    SQUAD,
    name="tydi-goldp",
    title="TyDi GoldP: F1 and exact match, as XTREME scores it",
    citation="Clark et al. 2020",
    read_references=read_squad_references,
)
