from pathlib import Path

from xorqa.lab.common.fetched import local_or_fetched


def test_a_published_folder_is_found_by_its_name(tmp_path, monkeypatch):
    monkeypatch.setenv("XORQA_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    assert local_or_fetched(Path("xquad-r")) == Path("xquad-r")
    fetched = tmp_path / "home" / "data" / "xquad-r"
    fetched.mkdir(parents=True)
    assert local_or_fetched(Path("xquad-r")) == fetched
    Path("xquad-r").mkdir()
    assert local_or_fetched(Path("xquad-r")) == Path("xquad-r")
    assert local_or_fetched(tmp_path / "none") == tmp_path / "none"
