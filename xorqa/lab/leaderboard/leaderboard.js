"use strict";
const FIELDS = { parameters: "parameters", pretraining: "pre-training",
  monolingual_data: "amount, monolingual", parallel_data: "amount, parallel", fine_tuning: "fine-tuning",
  fine_tuning_data: "amount, fine-tuning",
  seen_languages: "languages seen", developed_on: "developed on", black_box: "black-box services", hardware: "hardware",
  paper: "paper", date: "date", notes: "notes" };
const SIZES = ["100 billion tokens or more", "10 to 100 billion tokens", "1 to 10 billion tokens",
  "under 1 billion tokens", "not in mC4"];
const GAPS = { to_english: "to English", to_human: "to people" };
let site, board, sorted = null;

function start() {
  site = JSON.parse(at("data").textContent);
  fill("task", site.boards.map(({ title, name }) => [title, name]));
  const wanted = decodeURIComponent(location.hash.slice(1));
  if (site.boards.some(({ name }) => name === wanted)) at("task").value = wanted;
  at("task").onchange = choose;
  for (const id of ["by", "metric", "scorer"]) at(id).onchange = draw;
  at("rank").onchange = () => { sorted = null; draw(); };
  for (const id of ["search", "kind", "questions", "year", "parameters", "open"]) at(id).oninput = draw;
  themeButton();
  choose();
  document.documentElement.dataset.ready = "yes";
}

function choose() {
  board = site.boards.find(({ name }) => name === at("task").value);
  if (!board) return draw();
  history.replaceState(null, "", `#${board.name}`);
  fill("metric", board.metrics.map(({ name, label }) => [label, name]));
  fill("scorer", board.scorers.map((scorer) => [scorer, scorer]));
  fill("rank", [["mean", ""], ...board.languages.map((lang) => [site.languages[lang].name, lang])]);
  const groups = [...new Set(board.rows.map((row) => row.questions))];
  fill("questions", [["all", ""], ...groups.map((group) => [group, group])]);
  const years = [...new Set(board.rows.map(year).filter(Boolean))].sort();
  fill("year", [["all", ""], ...years.map((name) => [name, name])]);
  sorted = null;
  draw();
}

const year = (row) => (row.metadata.date || "").slice(0, 4);
const score = (row, scorer, key, metric) => row.values[scorer]?.[key]?.[metric] ?? null;
const shown = (value) => (value === null ? "–" : value.toFixed(1));

function columns() {
  const metric = at("metric").value, scorer = at("scorer").value;
  const names = board.metrics.flatMap(({ name, label }) => board.scorers.map((by) => ({
    key: `${name} ${by}`, title: label, note: by, class: "score",
    value: (row) => score(row, by, "mean", name) })));
  const test = { key: "test", title: "against the row above", value: (row) => row.test?.difference ?? null,
    cell: testCell };
  const languages = groups().map(([title, langs]) => ({
    key: `group ${title}`, title, class: at("by").value === "language" ? "" : "group", note: langs.length > 1 || title !== langs[0] ? langs.join(" ") : "",
    value: (row) => mean(langs.map((lang) => score(row, scorer, lang, metric))) }));
  return [
    { key: "rank", title: "rank", value: rank, cell: (row) => [`${rank(row) ?? "–"}`], up: true },
    { key: "model", title: "model", class: "text model", value: (row) => row.metadata.model.toLowerCase(),
      cell: modelCell, up: true, head: true },
    { key: "questions", title: "questions", class: "text", value: (row) => row.questions, up: true,
      cell: (row) => [row.questions, ...(count(row) ? [element("small", `n ${count(row)}`)] : [])] },
    ...names, ...gaps(), ...(board.rows.some((row) => row.test) ? [test] : []), ...languages];
}

const rank = (row) => (at("rank").value ? row.ranks[at("rank").value] : row.rank || null) ?? null;

function gaps() {
  return Object.entries(GAPS).filter(([name]) => board.rows.some((row) => row[name] !== null))
    .map(([name, title]) => ({ key: name, title, note: "gap", class: "score", up: true, value: (row) => row[name] }));
}

const count = (row) => row.n[at("scorer").value] ?? Object.values(row.n)[0];

function groups() {
  const by = at("by").value;
  if (by === "language") return board.languages.map((lang) => [lang, [lang]]);
  const found = Object.create(null);
  for (const lang of board.languages) (found[site.languages[lang][by]] ||= []).push(lang);
  const order = (title) => (SIZES.includes(title) ? SIZES.indexOf(title) : SIZES.length);
  return Object.entries(found).sort(([a], [b]) => order(a) - order(b) || a.localeCompare(b));
}

function mean(values) {
  const present = values.filter((value) => value !== null);
  return present.length ? present.reduce((sum, value) => sum + value, 0) / present.length : null;
}

function modelCell(row) {
  const { metadata } = row, cells = [element("strong", metadata.model, { dir: "auto" })];
  if (row.published) cells.push(element("span", "published", { class: "published" }));
  if (row.diagnosis) cells.push(" ", element("a", "diagnosis", { href: row.diagnosis,
    "aria-label": `Diagnosis of ${metadata.model}` }));
  if (row.pairs) cells.push(" ", element("a", "pairs", { href: row.pairs,
    "aria-label": `${metadata.model} compared with other systems` }));
  const made = element("details"), list = element("dl");
  made.append(element("summary", "about", { "aria-label": `About ${metadata.model}` }), list);
  for (const [name, label] of Object.entries(FIELDS)) {
    const text = described(name, metadata[name]);
    if (text) list.append(element("dt", label), element("dd", text, { dir: "auto" }));
  }
  if (row.table) list.append(element("dt", "source"), element("dd", row.table));
  if (row.notes) list.append(element("dt", "about the values"), element("dd", row.notes));
  if (metadata.link) {
    const link = element("dd");
    link.append(element("a", metadata.link, { href: metadata.link, rel: "noreferrer" }));
    list.append(element("dt", "link"), link);
  }
  return [...cells, made];
}

function described(name, value) {
  if (value === null || value === undefined || value === "") return "";
  if (name === "parameters") return millions(value);
  return Array.isArray(value) ? value.join(", ") || "none" : `${value}`;
}

const millions = (value) => `${(value / 1e6).toLocaleString("en", { maximumFractionDigits: 1 })} M`;

function testCell(row) {
  if (!row.test) return [element("small", row.untested)];
  const { above, difference, p_corrected: p, significant, scorer } = row.test;
  const sign = difference > 0 ? "+" : difference < 0 ? "−" : "", star = significant ? "*" : "";
  return [`${sign}${Math.abs(difference).toFixed(1)}${star}`, element("small", `p ${p.toPrecision(2)}, ${scorer}`),
    element("small", `against ${above}`)];
}

function matches(row) {
  const { metadata } = row, limit = at("parameters").value, kind = at("kind").value;
  const text = [row.system, row.table, row.questions, ...Object.values(metadata).flat()].join(" ").toLowerCase();
  return text.includes(at("search").value.trim().toLowerCase())
    && (kind === "all" || (kind === "published") === row.published)
    && (!at("questions").value || row.questions === at("questions").value)
    && (!at("year").value || year(row) === at("year").value)
    && (limit === "" || (metadata.parameters !== null && metadata.parameters < 1e6 * Number(limit)))
    && (!at("open").checked || metadata.black_box?.length === 0);
}

function inOrder(rows, all) {
  const column = sorted && all.find(({ key }) => key === sorted.key);
  if (!column) return at("rank").value ? byLanguage(rows) : rows;
  const sign = sorted.up ? 1 : -1;
  return rows.map((row) => [row, column.value(row)]).sort(([, a], [, b]) => {
    if (a === null || b === null) return (a === null) - (b === null);
    return sign * (a > b ? 1 : a < b ? -1 : 0);
  }).map(([row]) => row);
}

function byLanguage(rows) {
  const places = [...new Set(rows.map(({ data }) => data))];
  return rows.filter((row) => rank(row) !== null)
    .sort((a, b) => places.indexOf(a.data) - places.indexOf(b.data) || rank(a) - rank(b));
}

function draw() {
  if (!board) { at("status").textContent = "No system is ranked."; return; }
  const all = columns(), rows = board.rows.filter(matches), head = element("tr");
  head.append(...all.map(header));
  const body = inOrder(rows, all).map((row) => {
    const line = element("tr");
    line.append(...all.map((column) => cell(column, row)));
    return line;
  });
  const tables = [element("caption", `${board.title}, in percent; ${board.lower_is_better ? "lower" : "higher"} is better`,
    { id: "caption" }), element("thead"), element("tbody")];
  tables[1].append(head); tables[2].append(...body);
  at("board").replaceChildren(...tables);
  at("status").textContent = `${rows.length} of ${board.rows.length} rows`;
  at("about").textContent = about();
}

function header(column) {
  const made = element("th", undefined, { scope: "col", ...(column.class ? { class: column.class } : {}) });
  const button = element("button", column.title, { type: "button" });
  const name = site.languages[column.title]?.name || column.note;
  if (column.key.startsWith("group") && site.languages[column.title]) button.title = name;
  if (sorted?.key === column.key) made.setAttribute("aria-sort", sorted.up ? "ascending" : "descending");
  button.onclick = () => {
    const first = Boolean(column.up || board.lower_is_better);
    sorted = { key: column.key, up: sorted?.key === column.key ? !sorted.up : first };
    draw();
    const place = columns().findIndex(({ key }) => key === column.key);
    at("board").tHead.rows[0].cells[place].querySelector("button").focus();
  };
  made.append(button);
  if (column.note) made.append(element("small", column.note));
  return made;
}

function cell(column, row) {
  const made = element(column.head ? "th" : "td", undefined,
    { ...(column.class ? { class: column.class } : {}), ...(column.head ? { scope: "row" } : {}) });
  made.append(...(column.cell ? column.cell(row) : [shown(column.value(row))]));
  return made;
}

function about() {
  const { correction, samples, confidence } = site.settings, parts = [];
  if (board.rows.some((row) => row.test)) {
    parts.push(`Against the row above: the difference of the first metric over the same questions, p by `
      + `approximate randomisation (${samples} samples), corrected (${correction}) over the tests of a `
      + `ranking; * p of at most ${(1 - confidence).toFixed(2)}.`);
  }
  if (gaps().length) {
    parts.push("Gaps of the first metric: to English, from the mean of the other languages; to people, "
      + "over the same questions. Positive: English, or people, are better.");
  }
  if (at("rank").value) parts.push("Ranked by one language, among rows over the same questions.");
  if (at("by").value === "family") parts.push("Means over the languages of a family.");
  if (at("by").value === "size") parts.push("Means over languages by their tokens in mC4 (mT5's pre-training data).");
  parts.push("Rows of unknown size or unknown services are hidden by these two filters.");
  return parts.join(" ");
}

addEventListener("DOMContentLoaded", start);
