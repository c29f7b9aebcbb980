from dataclasses import replace
from typing import Any

import pytest
import torch

from xorqa.lab.training.translator.initialisation import init_weights
from xorqa.models.beam import hypotheses, log_probabilities
from xorqa.models.seq2seq import Memory, Network, Shape, SourceBatch

SHAPE = Shape(
    width=16, heads=2, feed=32, encoder_feed=32, encoder_layers=1, decoder_layers=2, vocabulary=20
)


def search(net: Network, memory: Memory, **options: int) -> list[list[int]]:
    """The best target tokens of each row."""
    return [best.tokens for best, *_ in hypotheses(net, memory, **options)]


def network(**changes: Any) -> Network:
    shape = replace(SHAPE, **changes)
    return Network(init_weights(shape, seed=1), shape)


def source(*, padding: int = 0, hints: bool = True) -> SourceBatch:
    """Two texts of 4 and 3 tokens with 2 hints and 1, and as much padding as wanted."""
    generator = torch.Generator().manual_seed(2)
    states = torch.randn(2, 4, 16, generator=generator)
    mask = torch.tensor([[True] * 4, [True] * 3 + [False]])
    pieces = torch.tensor([[7, 9], [8, 0]])
    hint_mask = torch.tensor([[True, True], [True, False]]) & hints
    hint_positions = torch.tensor([[0, 3], [1, 0]])
    pad = torch.nn.functional.pad
    return SourceBatch(
        pad(states, (0, 0, 0, padding)),
        pad(mask, (0, padding)),
        pad(pieces, (0, padding)),
        pad(hint_positions, (0, padding)),
        pad(torch.tensor([[0, 1], [2, 0]]), (0, padding)),
        pad(hint_mask, (0, padding)),
    )


@pytest.mark.parametrize("hints", [True, False])
def test_a_token_at_a_time_gives_what_all_at_once_gives(hints: bool) -> None:
    net = network(hints=hints)
    tokens = torch.tensor([[2, 5, 6, 3], [2, 9, 9, 9]])
    memory = net.memory(source())
    whole, _ = net.decode(tokens, memory)
    past, steps = None, []
    for at in range(tokens.shape[1]):
        x, past = net.decode(tokens[:, at : at + 1], memory, past)
        steps.append(x)
    torch.testing.assert_close(torch.cat(steps, 1), whole, atol=1e-5, rtol=1e-5)


def test_ranks_tell_translations_from_letters() -> None:
    net = network(glosses=2)
    same = network().memory(source()).copy_keys
    assert torch.equal(net.memory(source()).copy_keys, same)  # their vectors are zero at first
    net.weights["hints.rank"][1] = 1.0  # type: ignore[index]
    changed = (net.memory(source()).copy_keys != same).any(-1)
    assert changed.tolist() == [[False, True], [False, False]]


def test_padding_and_neighbours_change_nothing() -> None:
    net, tokens = network(), torch.tensor([[2, 5], [2, 6]])
    found = [
        log_probabilities(net, net.decode(tokens, memory)[0], memory)
        for memory in (net.memory(source()), net.memory(source(padding=3)))
    ]
    torch.testing.assert_close(found[0], found[1], atol=1e-5, rtol=1e-5)
    alone = net.memory(source()).rows(torch.tensor([1]))
    one = log_probabilities(net, net.decode(tokens[1:], alone)[0], alone)
    torch.testing.assert_close(one, found[0][1:], atol=1e-5, rtol=1e-5)


def test_words_and_copies_share_one_probability() -> None:
    net, tokens = network(), torch.tensor([[2], [2]])
    memory = net.memory(source())
    x, _ = net.decode(tokens, memory)
    found = log_probabilities(net, x, memory).exp()
    torch.testing.assert_close(found.sum(-1), torch.ones(2, 1))
    words, copies = net.scores(x, memory)
    assert torch.isinf(copies[1, 0, 1]) and not torch.isinf(copies[0]).any()
    both = torch.cat([words, copies], -1).softmax(-1)
    torch.testing.assert_close(found[0, 0, 9], both[0, 0, 9] + both[0, 0, 21])


def test_without_hints_only_words_count() -> None:
    net = network(hints=False)
    memory = net.memory(source(hints=False))
    x, _ = net.decode(torch.tensor([[2], [2]]), memory)
    words, copies = net.scores(x, memory)
    assert copies.shape == (2, 1, 0)
    torch.testing.assert_close(log_probabilities(net, x, memory), words.log_softmax(-1))


def _total(net: Network, row: int, ids: list[int], max_tokens: int) -> float:
    """The score of an output as the search counts it."""
    memory = net.memory(source()).rows(torch.tensor([row]))
    wanted = [*ids, 1][:max_tokens]
    x, _ = net.decode(torch.tensor([[2, *wanted[:-1]]]), memory)
    found = log_probabilities(net, x, memory)[0]
    return float(found[torch.arange(len(wanted)), torch.tensor(wanted)].sum()) / len(wanted)


def test_a_wide_beam_finds_the_best_of_all_outputs() -> None:
    net, max_tokens = network(vocabulary=10), 2
    ids = range(10)
    every = [[], *([a] for a in ids if a != 1)]
    every += [[a, b] for a in ids for b in ids if 1 not in (a, b)]
    found = search(net, net.memory(source()), start=2, end=1, beams=100, max_tokens=max_tokens)
    for row in range(2):
        best = max(every, key=lambda some: _total(net, row, some, max_tokens))
        assert _total(net, row, found[row], max_tokens) == pytest.approx(
            _total(net, row, best, max_tokens), abs=1e-5
        )


def test_greedy_search_takes_the_likeliest_token_each_time() -> None:
    net = network()
    memory = net.memory(source())
    found = search(net, memory, start=2, end=1, beams=1, max_tokens=5)
    x, _ = net.decode(torch.tensor([[2], [2]]), memory)
    first = log_probabilities(net, x, memory).argmax(-1)[:, 0].tolist()
    assert [row[0] if row else 1 for row in found] == first
    assert all(len(row) <= 5 and 1 not in row for row in found)


@pytest.mark.parametrize("beams", [1, 3])
def test_an_output_does_not_depend_on_its_neighbours(beams: int) -> None:
    net, max_tokens = network(), 12
    weights = {
        name: 3 * value if "memory" in name else value for name, value in net.weights.items()
    }
    weights["decoder.norm.weight"] *= -1  # no token twice in a row; with the end likely enough,
    weights["decoder.norm.bias"] = 2 * weights["target"][1]  # the texts have many lengths
    net = Network(weights, SHAPE)
    generator = torch.Generator().manual_seed(5)
    states = 3 * torch.randn(12, 4, 16, generator=generator)
    mask, hints = torch.ones(12, 4, dtype=torch.bool), torch.zeros(12, 1, dtype=torch.long)
    memory = net.memory(SourceBatch(states, mask, hints, hints, hints, mask[:, :1]))
    together = search(net, memory, start=2, end=1, beams=beams, max_tokens=max_tokens)
    alone = [
        search(
            net,
            memory.rows(torch.tensor([row])),
            start=2,
            end=1,
            beams=beams,
            max_tokens=max_tokens,
        )
        for row in range(12)
    ]
    assert together == [row for [row] in alone]
    assert len(set(map(len, together))) > 2


def test_texts_that_are_over_are_worked_at_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    net = network()
    net.weights["decoder.norm.bias"] = 9 * net.weights["target"][1]  # nothing but the end
    rows: list[int] = []
    decode = net.decode
    monkeypatch.setattr(net, "decode", lambda *args: rows.append(len(args[0])) or decode(*args))
    assert search(net, net.memory(source()), start=2, end=1, beams=4, max_tokens=50) == [[], []]
    assert rows == [8]
