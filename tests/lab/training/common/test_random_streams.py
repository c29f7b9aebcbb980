from xorqa.lab.training.common.training_data import stream, torch_seed


def test_a_stream_is_the_same_every_time_and_its_own() -> None:
    draws = {name: stream(1, *name).random() for name in ((), ("a",), ("b",), ("a", 1), ("a", 2))}
    assert len(set(draws.values())) == len(draws)
    assert stream(1, "a").random() == draws["a",]
    assert stream(2, "a").random() != draws["a",]


def test_streams_do_not_depend_on_the_process() -> None:
    assert stream(1, "batches").randrange(10**6) == 720_479
    assert 0 <= torch_seed(1, "dropout", 3) < 2**63
