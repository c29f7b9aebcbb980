from pathlib import Path

import pytest

from xorqa.core.errors import DataError
from xorqa.io.files import read_json
from xorqa.lab.training.bitext.corpus import gather_pairs, pairs_between_others
from xorqa.lab.training.common.training_data import read_pairs


def write(folder: Path, **texts: str) -> Path:
    """Files with a dot for each `_` in the names; returns the folder."""
    for name, text in texts.items():
        (folder / name.replace("__", "-").replace("_", ".")).write_text(text, encoding="utf-8")
    return folder


def test_test_sentences_doubles_and_empty_pairs_are_left_out(tmp_path: Path) -> None:
    write(
        tmp_path,
        fin_txt="Go.\tMene.\nGo!\tmene\nRun!\tJuokse!\nHi.\tTerve.\nOK\tok.\n!\tHuh!\n",
        train_ja="行 け 。\n",
        train_en="go , it 's time .\n",
    )
    out = tmp_path / "out" / "pairs.tsv"
    files = [tmp_path / "fin.txt", tmp_path / "train.ja"]
    counts = gather_pairs(files, out, excluded=frozenset({"juokse", "hi"}))
    name = tmp_path.name
    assert counts == {
        f"{name}/fin.txt": {"kept": 1, "excluded": 2, "duplicate": 1, "empty": 2},
        f"{name}/train.ja": {"kept": 1, "excluded": 0, "duplicate": 0, "empty": 0},
    }
    assert read_json(out.with_suffix(".json"))["files"] == counts
    assert read_pairs([out]) == [
        ("fi", "Mene.", "en", "Go."),
        ("ja", "行け。", "en", "go, it's time."),
    ]


@pytest.mark.parametrize("line", ["fi\tMoi.\ten", "fi\tMoi.\ten\t", "fi\ta\ten\tb\tc", ""])
def test_lines_that_are_no_pair(tmp_path: Path, line: str) -> None:
    path = write(tmp_path, pairs_tsv=f"fi\tMoi.\ten\tHi.\n{line}\n") / "pairs.tsv"
    with pytest.raises(DataError, match=r"pairs\.tsv, line 2: needs language, text"):
        read_pairs([path])


def test_nothing_is_written_when_a_file_is_wrong(tmp_path: Path) -> None:
    write(tmp_path, fin_txt="Go.\tMene.\n", kor_txt="Go. 가.\n")
    with pytest.raises(DataError):
        gather_pairs([tmp_path / "fin.txt", tmp_path / "kor.txt"], tmp_path / "pairs.tsv")
    assert not (tmp_path / "pairs.tsv").exists()


def test_some_languages_and_pairs_between_them(tmp_path: Path) -> None:
    write(
        tmp_path,
        fin_txt="Go on.\tJatka.\nStop.\tSeis.\n",
        kor_txt="go on\t계속.\n",
        tel_txt="Go on!\tకానివ్వు.\n",
    )
    files = [tmp_path / f"{code}.txt" for code in ("fin", "kor", "tel")]
    counts = gather_pairs(files, tmp_path / "some.tsv", langs=["fi", "ko"], with_others=True)
    pairs = read_pairs([tmp_path / "some.tsv"])
    assert sorted(map(set, (pair[::2] for pair in pairs)), key=sorted) == [
        {"en", "fi"},
        {"en", "fi"},
        {"en", "ko"},
        {"fi", "ko"},
    ]
    assert {pairs[-1][1], pairs[-1][3]} == {"Jatka.", "계속."}
    assert counts["between others"]["kept"] == 1


def test_every_text_meets_two_others_at_most() -> None:
    langs = ["ar", "bn", "de", "el", "fi"]
    pairs = [(lang, f"{lang} {at}", "en", f"Sentence {at}.") for lang in langs for at in range(9)]
    made = pairs_between_others(pairs)
    assert made == pairs_between_others(pairs)
    assert len(made) == 5 * 9
    for lang in langs:
        for at in range(9):
            met = [pair for pair in made if (lang, f"{lang} {at}") in (pair[:2], pair[2:])]
            assert len(met) == 2
            assert all(pair[1].split()[1] == pair[3].split()[1] for pair in met)
    assert len({pair[::2] for pair in made}) > 5  # not the same neighbours always
