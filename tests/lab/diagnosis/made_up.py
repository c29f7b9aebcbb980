"""Made-up questions in five languages, and systems that answer them at random."""

import random
from collections.abc import Iterable
from pathlib import Path

from xorqa.core.types import Span
from xorqa.io.files import write_json
from xorqa.io.squad_xor import SquadQuestion
from xorqa.lab.common.squad_json import squad_articles
from xorqa.lab.diagnosis.facts import DiagnosisInput, Outcome, QuestionFacts

BRIDGE = ("When was the bridge built?", "1901")
BUILDER = ("Who built the bridge?", "Anna")
QUESTIONS = [
    ("en", "How long is the Nile?", "The Nile is 6650 km long. It flows north.", "6650 km", None),
    (
        "en",
        "Who built the old bridge?",
        "Anna Rossi built the old bridge in 1901.",
        "Anna Rossi",
        None,
    ),
    ("ar", "متى بني الجسر؟", "بني الجسر عام 1901.", "1901", BRIDGE),
    ("ar", "أين يقع النهر؟", "يقع النهر في مصر.", "مصر", ("Where is the river?", "Egypt")),
    ("th", "สะพานสร้างเมื่อไร", "สะพานสร้างในปี 1901", "1901", BRIDGE),
    ("th", "ใครสร้างสะพาน", "อันนาสร้างสะพาน", "อันนา", BUILDER),
    ("zh", "这座桥是什么时候建的？", "这座桥建于1901年。", "1901年", BRIDGE),
    ("zh", "谁建了这座桥？", "安娜建了这座桥。", "安娜", BUILDER),
    ("ja", "橋はいつ建てられましたか？", "橋は1901年に建てられました。", "1901年", BRIDGE),
    ("ja", "誰が橋を建てましたか？", "橋はアンナが建てました。", "アンナ", BUILDER),
]


def write_squad(path: Path, rows: Iterable[tuple[str, str, str, str]], title: str = "t") -> None:
    """Write (qid, question, context, answer) as SQuAD-style JSON, in one article."""
    squad = []
    for qid, text, context, answer in rows:
        start = context.index(answer)
        span = Span(start, start + len(answer))
        squad.append(SquadQuestion(qid, text, title, context, (answer,), span))
    write_json(path, {"data": squad_articles(squad)})


def questions() -> list[QuestionFacts]:
    """The questions, with English where they are in another language."""
    return [
        QuestionFacts(
            qid=f"q{number}",
            lang=lang,
            text=text,
            answers=(answer,),
            answer_lang=lang,
            context=context,
            answer_start=context.index(answer),
            english=(english or (text, answer))[0],
            english_answer=(english or (text, answer))[1],
        )
        for number, (lang, text, context, answer, english) in enumerate(QUESTIONS)
    ]


def random_data(seed: int, *, times: int = 20, systems: int = 2) -> DiagnosisInput:
    """Each question several times, and systems with random F1 and exact match."""
    rng = random.Random(seed)
    facts = questions() * times

    def outcome(answer: str) -> Outcome:
        f1 = rng.choice((0.0, 0.0, 0.4, 2 / 3, 1.0, 1.0))
        return Outcome({"em": float(f1 == 1), "f1": f1}, answer, gold_rank=rng.choice((1, 4, None)))

    by_system = {
        f"s{number}": tuple(outcome(fact.answers[0]) for fact in facts) for number in range(systems)
    }
    return DiagnosisInput("squad", "official", tuple(facts), by_system)
