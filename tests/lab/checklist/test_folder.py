import pytest

from xorqa.core.errors import ConfigError, DataError
from xorqa.lab.checklist.folder import SHIPPED, read_checklists


def test_this_package_has_an_english_checklist():
    assert "en" in [checklist.lang for checklist in read_checklists(SHIPPED)]


def test_a_folder_is_read_by_language(write, tmp_path):
    write(('lang = "en"', 'lang = "sv"'), name="a.toml")
    write(name="b.toml")
    assert [checklist.lang for checklist in read_checklists(tmp_path)] == ["en", "sv"]
    write(name="c.toml")
    with pytest.raises(DataError, match="two files have the language en"):
        read_checklists(tmp_path)


def test_an_empty_folder_is_an_error(tmp_path):
    with pytest.raises(ConfigError, match="contains no checklist"):
        read_checklists(tmp_path)
