import json

import pytest
from typer.testing import CliRunner

from xorqa.cli.main import app
from xorqa.models.checkpoints import Checkpoint


@pytest.mark.slow
def test_encoding_is_timed_next_to_its_peer(e5: Checkpoint) -> None:
    pytest.importorskip("sentence_transformers")
    outcome = CliRunner().invoke(
        app, ["bench", "encode", "--texts", "8", "--rounds", "1", "--json"]
    )
    assert outcome.exit_code == 0, outcome.output
    figures = json.loads(outcome.stdout.splitlines()[-1])
    assert figures["cpu"]
    assert figures["texts"] == 8
    assert figures["ratio"] > 0
