"""The limits that keep a server's memory, queue and time bounded."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """What one request, one upload and the whole server may use.

    Bytes are of a request's body, characters of a text, seconds of one request from its arrival.
    """

    body: int = 1_000_000  # bytes
    upload: int = 8_000_000  # bytes
    uploading: int = 2  # uploads at the same time
    corpora: int = 4  # uploaded corpora; the oldest is removed
    passages: int = 2_000  # of an upload
    passage: int = 20_000  # characters
    question: int = 2_000  # characters
    batch: int = 64  # questions or passages of one request
    items: int = 1_000  # answers to score in one request
    queue: int = 64  # waiting questions
    together: int = 8  # waiting questions answered in one batch
    connections: int = 200
    headers: float = 10.0  # seconds a client may take to send a request's headers
    sending: float = 15.0  # seconds it may take to send the body
    seconds: float = 60.0
    upload_seconds: float = 600.0
    shutdown: float = 30.0  # seconds that running requests may take to finish
