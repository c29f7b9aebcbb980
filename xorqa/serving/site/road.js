"use strict";
// An answer as HTML elements. All texts are written as text, never as HTML.

function element(tag, text, attributes = {}) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

function group(tag, children, attributes = {}) {
  const made = element(tag, undefined, attributes);
  made.append(...children);
  return made;
}

const MADE = {
  span: "a span of the passage",
  copied: "a span of the passage, not localised",
  translated: "translated from the passage",
  transliterated: "transliterated from the passage",
  title: "the title of the article in this language",
  name: "a name, written as in the passage",
};
const made = (method) => MADE[method] ||
  (method.startsWith("rule:") ? `localised by the rule for ${method.slice(5)}` : method);
// A text in which `code` is marked as in Markdown.
const withCode = (text) => text.split("`").map((part, i) => (i % 2 ? element("code", part) : part));
const percent = (value) => `${Math.round(100 * value)}%`;
const direction = (lang, about) => (about.right_to_left.includes(lang) ? "rtl" : "ltr");
const inLanguage = (tag, text, lang, about, attributes = {}) =>
  element(tag, text, { lang, dir: direction(lang, about), ...attributes });

function answerElements(found, about) {
  const { answer, lang, trace } = found;
  if (!answer) {
    const best = trace.answers[0];
    const reason = best ? `The best candidate has a confidence of ${percent(best.confidence ?? 0)}.`
      : "The passages have no candidate.";
    return [element("p", "Not found in these documents", { class: "answer missing" }),
      element("p", reason, { class: "note" })];
  }
  const calibrated = trace.answers.find((each) => each.text === answer.text)?.calibrated;
  const parts = [inLanguage("p", answer.text, answer.lang, about, { class: "answer" })];
  if (answer.confidence !== null) {
    const meter = element("meter", undefined, { min: 0, max: 1, value: answer.confidence,
      "aria-label": "confidence" });
    parts.push(group("p", ["Confidence ", meter,
      ` ${percent(answer.confidence)}${calibrated ? "" : " (not calibrated)"}`], { class: "note" }));
  }
  const how = [`How it was made: ${made(answer.made)}`];
  if (answer.original) how.push(": ", element("bdi", answer.original));
  parts.push(group("p", how, { class: "note" }));
  if (answer.lang !== lang) parts.push(element("p",
    `The answer is in ${about.languages[answer.lang] || answer.lang}.`, { class: "note" }));
  return parts;
}

function marked(text, start, end) {
  if (start === null) return [text];
  const characters = Array.from(text);  // offsets count code points
  return [characters.slice(0, start).join(""), element("mark", characters.slice(start, end).join("")),
    characters.slice(end).join("")];
}

function passageElement(row, lang, about) {
  const body = group("p", marked(row.text, row.start, row.end), { lang, dir: direction(lang, about) });
  return group("div", [
    element("p", row.title, { lang, dir: direction(lang, about), class: "dim" }),
    body, group("p", ["[", element("bdi", row.docid), "]"], { class: "dim" })], { class: "passage" });
}

function evidenceElements(found, about) {
  const langs = Object.fromEntries(found.trace.candidates.map((row) => [row.docid, row.lang]));
  for (const route of found.trace.routes) for (const hit of route.hits) langs[hit.docid] ??= hit.lang;
  const passages = found.evidence.map((row) => passageElement(row, langs[row.docid] || "", about));
  if (!passages.length) return [];
  const shown = [element("h3", "Evidence"), passages[0]];
  if (passages.length > 1) shown.push(group("details",
    [element("summary", `${passages.length - 1} more`), ...passages.slice(1)]));
  return shown;
}

function table(caption, heads, rows, chosen = -1) {
  const head = group("tr", heads.map(([name, number]) =>
    element("th", name, { scope: "col", ...(number ? { class: "number" } : {}) })));
  const body = rows.map((cells, at) => group("tr", cells.map((cell, column) =>
    group("td", [cell], heads[column][1] ? { class: "number" } : { dir: "auto" })),
  at === chosen ? { class: "chosen" } : {}));
  return group("div", [group("table", [element("caption", caption), group("thead", [head]),
    group("tbody", body)])], { class: "wide", tabindex: "0", role: "group", "aria-label": caption });
}

const hits = (caption, rows) => table(caption, [["rank", true], ["passage"], ["language"],
  ["score", true]], rows.map((hit, at) =>
  [`${at + 1}`, hit.title || hit.docid, hit.lang, hit.score.toFixed(3)]));

function routeElements(route, question, about) {
  const { text, lang } = route.query, name = about.languages[lang] || lang;
  const translated = text !== question;
  return [element("h3", `Route ${route.route}`),
    group("p", [translated ? `Translated into ${name}: ` : "Searched with the question as asked: ",
      element("bdi", text)]),
    ...route.parts.map((part) => hits(`Hits of ${part.retriever}`, part.hits)),
    hits(route.parts.length ? "Hits, fused" : "Hits", route.hits)];
}

function roadElement(found, about) {
  const { trace, answer } = found;
  const candidates = trace.candidates.map((row) => [row.text, row.docid, row.route,
    percent(Math.exp(row.passage_score)), percent(Math.exp(row.span_score))]);
  const answers = trace.answers.map((row) => [row.text, made(row.made), row.route || "",
    row.confidence === null ? "" : percent(row.confidence)]);
  const chosen = answer ? trace.answers.findIndex((row) => row.text === answer.text) : -1;
  const times = Object.entries(trace.milliseconds).map(([stage, ms]) =>
    element("li", `${stage} ${ms.toFixed(0)} ms`));
  return group("details", [element("summary", "Stage by stage"),
    ...trace.routes.flatMap((route) => routeElements(route, trace.question, about)),
    element("h3", "Reading"),
    table("Candidates of the reader", [["span"], ["docid"], ["route"], ["passage answers", true],
      ["span in passage", true]], candidates),
    element("h3", "Answering"),
    table(answer ? "Answers after localisation; the chosen one is in bold"
      : "Answers after localisation; none is probable enough",
    [["answer"], ["how it was made"], ["route"], ["confidence", true]], answers, chosen),
    element("h3", "Time"), group("ul", times, { class: "stages" })], { class: "road" });
}
