"""Lessons in other languages: messages, what is translated, and what every translation keeps."""

import re
from collections import Counter

import pytest

LESSON = """# %% [markdown]
# # A lesson
#
# A paragraph that
# goes on, with `code`.
#
# - a list
# - whose second item
#   goes on

# %%
print("code stays")

# %% [markdown] tags=["instructor"]
# A note.
"""
KEPT = re.compile(r"`[^`]+`|\$[^$]+\$|\]\([^)]+\)|\*\*(?=\S)|\d+")
OTHER_NUMERALS = str.maketrans("٠١٢٣٤٥٦٧٨٩", "0123456789")


@pytest.fixture
def script(tmp_path, monkeypatch, translations):
    monkeypatch.setattr(translations, "HERE", tmp_path)
    monkeypatch.setattr(translations, "FOLDER", tmp_path / "languages")
    path = tmp_path / "01_made_up.py"
    path.write_text(LESSON)
    return path


def fill(translations, script, texts):
    catalog = translations.updated(script, "fi")
    for english, text in texts.items():
        catalog[english].string = text
    path = translations.po_file(script, "fi")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(translations._encoded(catalog))


def test_paragraphs_headings_and_lists_are_messages(script, translations):
    catalog = translations.updated(script, "fi")
    assert [message.id for message in catalog if message.id] == [
        "# A lesson",
        "A paragraph that goes on, with `code`.",
        "- a list\n- whose second item goes on",
        "A note.",
    ]


def test_what_is_translated_is_shown_and_the_rest_stays_english(script, translations, versions):
    fill(translations, script, {"# A lesson": "# Oppitunti", "A note.": "Huomautus."})
    book = translations.in_language(versions.read(script, "instructor"), script, "fi")
    assert book.cells[0].source.startswith("# Oppitunti\n\nA paragraph that goes on")
    assert [cell.source for cell in book.cells[1:]] == ['print("code stays")', "Huomautus."]


def test_arabic_runs_from_right_to_left(script, translations, versions):
    book = translations.in_language(versions.read(script), script, "ar")
    assert book.cells[0].source.startswith('<div dir="rtl">\n\n# A lesson\n\n')
    assert book.cells[0].source.endswith("\n\n</div>")
    assert book.cells[1].source == 'print("code stays")'


def test_a_translation_of_a_changed_paragraph_waits_for_its_translator(
    script, translations, versions
):
    fill(translations, script, {"A paragraph that goes on, with `code`.": "Kappale, `code`."})
    script.write_text(LESSON.replace("goes on, with", "still goes on, with"))
    book = translations.in_language(versions.read(script), script, "fi")
    assert "still goes on" in book.cells[0].source and "Kappale" not in book.cells[0].source
    assert translations.counts(translations.updated(script, "fi"))[0] == 0


def test_every_translation_is_complete_and_up_to_date(translations):
    for lang in translations.languages():
        for script in translations.translated(lang):
            catalog = translations.updated(script, lang)
            done, total = translations.counts(catalog)
            path = translations.po_file(script, lang)
            update = f"python notebooks/translations.py {lang} {script.stem}"
            assert path.read_bytes() == translations._encoded(catalog), f"update with: {update}"
            assert done == total, path


def test_every_translation_keeps_code_formulas_links_and_numbers(translations):
    for lang in translations.languages():
        for script in translations.translated(lang):
            for message in translations.updated(script, lang):
                if message.id:
                    texts = (message.id, message.string.translate(OTHER_NUMERALS))
                    english, other = (Counter(KEPT.findall(text)) for text in texts)
                    assert english == other, (lang, script.stem, message.string)
