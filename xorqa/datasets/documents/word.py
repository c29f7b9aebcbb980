"""DOCX, read from its XML (ISO/IEC 29500, transitional and strict): sections by heading.

Elements are known by their names without namespace, which the two forms of the format share.
"""

import posixpath
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.etree.ElementTree import Element, fromstring

from ...core.errors import DataError
from .archive import XmlArchive, open_archive
from .document import Block, Document, Skipped, infix, one_line, only_top_heading, raised, sections

_HEADING = re.compile(r"heading ([1-9])")
_TEXTS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_SKIPPED = {
    **dict.fromkeys(("del", "moveFrom"), "tracked deletion"),
    **dict.fromkeys(("pic", "imagedata"), "picture"),
    **dict.fromkeys(("chart", "relIds"), "chart or diagram"),
    **dict.fromkeys(("object", "altChunk", "control"), "embedded object"),
    "rt": "ruby annotation",
}
_PROPERTIES = {
    *("pPr", "rPr", "tblPr", "trPr", "tcPr", "sdtPr", "sectPr", "rubyPr", "tblGrid", "instrText"),
    *("delInstrText", "docPr", "fldData", "ctrlPr"),
}
_FORMULAS: dict[str, Sequence[str]] = {
    **{"f": "/", "sSup": "^", "sSub": "_", "limLow": "_", "limUpp": "^", "func": " "},
    **{"sSubSup": "_^", "mr": " ", "m": ["; "]},
}
_OPERATOR = {"rad": "√", "nary": "∫"}  # unless its properties name another
_LIMITS = 3  # parts of an operator with both limits
_BODY_LEVEL = 9  # of paragraphs that are not in the outline
REPEATED = 8_000_000  # characters of notes and of cells that are merged with the one above
_OFF = {"0", "false", "off", "none"}


def read_word(data: bytes, path: Path) -> Document:
    """Paragraphs and the rows of tables; the title is the metadata's, or the only top heading.

    Text boxes and notes follow the paragraph or row that they belong to. Tracked changes are read
    as if they were accepted.

    Raises:
        DataError: if it is damaged or encrypted.
    """
    try:
        with open_archive(data) as archive:
            package = _Package(archive)
            body = _Body(package)
            blocks = list(body.blocks(package.main))
            body.skip_other_parts()
            title = one_line(package.title())
    except Exception as error:  # of any kind, in a damaged file
        raise DataError(
            f"{path}: not a valid DOCX ({type(error).__name__}: {error}); open and save it again, "
            "without a password"
        ) from error
    return Document(title or only_top_heading(blocks), sections(blocks), body.skipped)


class _Package:
    """The parts of the file: the main one, and those related to it by the kind of the relation."""

    def __init__(self, archive: XmlArchive) -> None:
        self._archive = archive
        self._top = self._relations("")
        [name] = self._top["officeDocument"]
        self.main = fromstring(archive.read(name))
        self._of_main = self._relations(name)

    def parts(self, kind: str) -> list[Element]:
        """The related parts of a kind, such as `footnotes`, that the file has."""
        present = {*self._archive.namelist()}
        names = [name for name in self._of_main.get(kind, []) if name in present]
        return [fromstring(self._archive.read(name)) for name in names]

    def title(self) -> str:
        for name in self._top.get("core-properties", []):
            if name in self._archive.namelist():
                return fromstring(self._archive.read(name)).findtext(".//{*}title") or ""
        return ""

    def _relations(self, part: str) -> dict[str, list[str]]:
        folder, name = posixpath.split(part)
        names: dict[str, list[str]] = {}
        file = posixpath.join(folder, "_rels", f"{name}.rels")
        if part and file not in self._archive.namelist():
            return names
        for relation in fromstring(self._archive.read(file)):
            if relation.get("TargetMode") != "External":
                kind = relation.get("Type", "").rpartition("/")[2]
                target = posixpath.join("/", folder, relation.get("Target", ""))
                names.setdefault(kind, []).append(posixpath.normpath(target).lstrip("/"))
        return names


class _Body:
    """Reads the blocks of the main part, with the styles and notes of others."""

    def __init__(self, package: _Package) -> None:
        self.skipped = Skipped()
        self._repeated = 0
        self._package = package
        self._styles = {
            _value(style, "styleId"): style
            for part in package.parts("styles")
            for style in part.iterfind("{*}style")
        }
        self._notes = {
            (kind, _value(note, "id")): note
            for kind in ("footnote", "endnote")
            for part in package.parts(f"{kind}s")
            for note in part.iterfind(f"{{*}}{kind}")
        }

    def blocks(self, parent: Element) -> Iterator[Block]:
        """The blocks below an element, whatever other elements they are in."""
        for *begun, child in self._joined(parent):
            lines = [*begun, child] if _name(child) == "p" else begun
            beside: list[Element] = []
            if text := one_line("".join("".join(self._text(line, beside)) for line in lines)):
                yield Block(text, self._level(lines[0]))
            for element in beside:
                yield from self.blocks(element)
            if _name(child) == "tbl":
                yield from filter(lambda block: block.text, map(Block, self._rows(child)))
            elif _name(child) != "p":
                yield from self.blocks(child)

    def _joined(self, parent: Element) -> Iterator[list[Element]]:
        """The children, each after the paragraphs before it whose ends are deleted."""
        begun: list[Element] = []
        for child in self._shown(parent):
            begun.append(child)
            mark = child.find("{*}pPr/{*}rPr") if _name(child) == "p" else None
            if mark is None or not {"del", "moveFrom"} & {*map(_name, mark)}:
                yield begun
                begun = []
        if begun:
            yield begun

    def _text(self, parent: Element, beside: list[Element]) -> Iterator[str]:
        """The text in a paragraph; its text boxes and notes are appended to `beside`."""
        for child in self._shown(parent):
            name = _name(child)
            if name == "t":
                yield child.text or ""
            elif name in _TEXTS:
                yield _TEXTS[name]
            elif name == "sym":
                yield _symbol(child)
            elif name == "oMath":
                yield self._formula(child)
            elif name == "ddList":
                entries = [_value(entry, "val") for entry in child.iterfind("{*}listEntry")]
                yield from entries[(number := int(_sign(child, "result", "0"))) : number + 1]
            elif name == "r" and _sign(child, "rPr/{*}vertAlign", "") == "superscript":
                yield raised("".join(self._text(child, beside)))
            elif name == "txbxContent":
                beside.append(child)
            elif name in {"footnoteReference", "endnoteReference"}:
                note = self._notes.get((name.removesuffix("Reference"), _value(child, "id")))
                if note is not None:
                    self._repeat(_all_text(note))
                    beside.append(note)
            else:
                yield from self._text(child, beside)

    def _rows(self, table: Element) -> Iterator[str]:
        """The texts of rows; a cell that is merged with the one above has the same text."""
        above: dict[int, str] = {}  # by the column in which a cell begins
        for row in self._inside(table, "tr"):
            cells, column = [], 0
            for cell in self._inside(row, "tc"):
                merge, span = cell.find("{*}tcPr/{*}vMerge"), cell.find("{*}tcPr/{*}gridSpan")
                text = one_line("\n".join(block.text for block in self.blocks(cell)))
                if merge is not None and _value(merge, "val") != "restart" and not text:
                    text = above.get(column, "")
                    self._repeat(text)
                above[column] = text
                cells.append(text)
                column += int(_value(span, "val") or 1) if span is not None else 1
            yield " | ".join(filter(None, cells))

    def _repeat(self, text: str) -> None:
        """Count a text that a small file may have in a document again and again."""
        self._repeated += len(text)
        if self._repeated > REPEATED:
            raise ValueError(f"notes and merged cells have more than {REPEATED:,} characters")

    def _inside(self, parent: Element, name: str) -> Iterator[Element]:
        """The nearest elements of a name below `parent`: a row may be in a content control."""
        for child in self._shown(parent):
            if _name(child) == name:
                yield child
            else:
                yield from self._inside(child, name)

    def _shown(self, parent: Element) -> Iterator[Element]:
        """The children that Word shows; what has other content than text is counted."""
        for child in parent:
            name = _name(child)
            if name in _PROPERTIES:
                continue
            if kind := _SKIPPED.get(name) or _hidden(child):
                self.skipped.add(kind, _all_text(child))
            elif name == "AlternateContent":  # the same for readers old and new
                forms = [form for form in child if _all_text(form)] or list(child)
                yield from forms[:1]
            else:
                yield child

    def _formula(self, parent: Element) -> str:
        """A formula in one line: `(a+b)/2`."""
        name = _name(parent)
        if name == "t":
            return parent.text or ""
        if name == "sym":
            return _symbol(parent)
        parts = [part for child in self._shown(parent) if (part := self._formula(child))]
        if name in _OPERATOR:
            sign = _sign(parent, "naryPr/{*}chr", _OPERATOR[name])
            return infix("_^ " if len(parts) == _LIMITS else " ", [sign, *parts])
        if name == "d":
            first, last = (
                _sign(parent, f"dPr/{{*}}{end}Chr", usual)
                for end, usual in (("beg", "("), ("end", ")"))
            )
            return f"{first}{', '.join(parts)}{last}"
        return infix(_FORMULAS[name], parts) if name in _FORMULAS else "".join(parts)

    def _level(self, paragraph: Element) -> int:
        """The level of a heading, by its outline or its style; 0 for other paragraphs."""
        outline = paragraph.find("{*}pPr/{*}outlineLvl")
        style = paragraph.find("{*}pPr/{*}pStyle")
        seen: set[str] = set()
        while outline is None and style is not None and (key := _value(style, "val")) not in seen:
            seen.add(key)
            definition = self._styles.get(key, style)
            named = definition.find("{*}name")
            name = _value(named, "val").lower() if named is not None else ""
            if match := _HEADING.fullmatch(name):
                return int(match[1])
            if name == "title":
                return 1
            outline, style = definition.find("{*}pPr/{*}outlineLvl"), definition.find("{*}basedOn")
        level = int(_value(outline, "val") or _BODY_LEVEL) if outline is not None else _BODY_LEVEL
        return level + 1 if level < _BODY_LEVEL else 0

    def skip_other_parts(self) -> None:
        """Count the parts that are not read."""
        for kind in ("header", "footer", "comments"):
            for part in self._package.parts(kind):
                for text in filter(None, map(_all_text, part if kind == "comments" else [part])):
                    self.skipped.add(kind.removesuffix("s"), text)


def _hidden(element: Element) -> str:
    """The kind of a run with hidden text, or of a deleted row, or ""."""
    name = _name(element)
    if name == "r":
        hidden = _sign(element, "rPr/{*}vanish", "false") not in _OFF
        return "hidden text" if hidden else ""
    if name == "sym" and not _symbol(element):
        return "symbol"
    mark = {"tr": "{*}trPr/{*}del", "tc": "{*}tcPr/{*}cellDel"}.get(name)
    return "tracked deletion" if mark and element.find(mark) is not None else ""


_GREEK = "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ", "αβχδεφγηιϕκλμνοπθρστυϖωξψζ"
_SIGNS = "a2′ a3≤ a5∞ ac← ae→ b0° b1± b2″ b3≥ b4× b6∂ b7• b8÷ b9≠ ba≡ bb≈ bc… ce∈ d1∇ d6√ d7⋅ e5∑"
_SYMBOL_FONT: dict[int, str] = {
    **dict(zip((*range(0x41, 0x5B), *range(0x61, 0x7B)), "".join(_GREEK), strict=True)),
    **{int(sign[:2], 16): sign[2] for sign in _SIGNS.split()},
}
_PRIVATE = 0xF000  # and the codes of a font of symbols


def _symbol(element: Element) -> str:
    """The character of a symbol; "" if only its font knows it."""
    written = _value(element, "char")
    code = int(written, 16) if re.fullmatch("[0-9A-Fa-f]{2,4}", written) else 0
    if _value(element, "font") == "Symbol":
        code = code - _PRIVATE if code > _PRIVATE else code
        return _SYMBOL_FONT.get(code, chr(code) if 0x20 < code < 0x7F else "")
    return chr(code) if chr(code).isprintable() else ""


def _sign(parent: Element, path: str, usual: str) -> str:
    """The value of a property of an element, or the usual one."""
    mark = parent.find(f"{{*}}{path}")
    return usual if mark is None else _value(mark, "val")


def _all_text(element: Element) -> str:
    return one_line("".join(t.text or "" for t in element.iter() if _name(t) in {"t", "delText"}))


def _name(element: Element) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _value(element: Element, name: str) -> str:
    """An attribute, whatever its namespace."""
    return next((text for key, text in element.items() if key.rpartition("}")[2] == name), "")
