"use strict";
const at = (id) => document.getElementById(id);
let about, running = null;

async function start() {
  about = await call("about");
  options("first", about.pipelines.map((name) => [name, name]));
  options("second", [["nothing", ""], ...about.pipelines.map((name) => [name, name])]);
  at("compare").hidden = about.pipelines.length < 2;
  options("lang", [["detect", ""], ...Object.entries(about.languages)
    .map(([code, name]) => [name, code]).sort((a, b) => a[0].localeCompare(b[0]))]);
  at("corpus").options[0].textContent = `the server's (${about.passages.toLocaleString("en")} passages)`;
  at("question").maxLength = about.limits.question;
  at("examples").replaceChildren(...about.examples.map(example));
  at("suggested").hidden = !about.examples.length;
  at("ask").onsubmit = ask;
  at("upload").onsubmit = upload;
  at("corpus").onchange = () => {
    at("suggested").hidden = !about.examples.length || at("corpus").value !== "";
  };
  await ready();
  document.documentElement.dataset.ready = "yes";
}

function options(id, rows) {
  at(id).replaceChildren(...rows.map(([text, value]) => element("option", text, { value })));
}

function example({ lang, text }) {
  const button = inLanguage("button", text, lang, about, { type: "button" });
  button.onclick = () => {
    at("question").value = text;
    at("lang").value = lang;
    at("ask").requestSubmit();
    at("lang").value = "";
  };
  return group("li", [button]);
}

async function call(path, request) {
  const response = await fetch(path, request);
  const value = await response.json();
  if (!response.ok) throw new Error(value.error.message);
  return value;
}

async function ready() {
  for (;;) {
    const response = await fetch("about");
    const { ready } = await response.json();
    if (ready) break;
    status("Weights and indexes are being loaded.");
    await new Promise((done) => setTimeout(done, 1000));
  }
  status("");
}

function status(text, isError = false) {
  at("status").textContent = text;
  at("status").classList.toggle("error", isError);
}

async function ask(event) {
  event.preventDefault();
  running?.abort();
  const own = running = new AbortController();
  const names = [at("first").value, at("second").value].filter((name, i, all) =>
    name && all.indexOf(name) === i);
  const question = at("question").value, lang = at("lang").value || null;
  at("results").replaceChildren();
  at("results").setAttribute("aria-busy", "true");
  status("Answering");
  try {
    const found = await Promise.all(names.map((pipeline) =>
      streamed({ question, lang, pipeline, corpus: at("corpus").value || null }, own.signal)));
    at("results").replaceChildren(...found.map((one, i) => result(one, names[i])));
    const name = about.languages[found[0].lang] || found[0].lang;
    status(`Answered in ${found.map((one) => `${Math.round(one.milliseconds)} ms`).join(" and ")}. ` +
      `The question is in ${name}.`);
  } catch (error) {
    if (error.name !== "AbortError") status(error.message, true);
  } finally {
    if (running === own) at("results").removeAttribute("aria-busy");
  }
}

async function streamed(body, signal) {
  const response = await fetch("ask", { method: "POST", signal, body: JSON.stringify(body),
    headers: { "Content-Type": "application/json", Accept: "application/x-ndjson" } });
  if (!response.ok) throw new Error((await response.json()).error.message);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = "";;) {
    const { done, value } = await reader.read();
    const lines = (text += value || "").split("\n");
    text = lines.pop();
    for (const line of lines) {
      const { event, ...rest } = JSON.parse(line);
      if (event === "answer") return rest;
      if (event === "error") throw new Error(rest.error.message);
      status(`Answering: ${rest.stage} took ${Math.round(rest.milliseconds)} ms`);
    }
    if (done) throw new Error("The server ended the answer early.");
  }
}

function result(found, pipeline) {
  return group("section", [element("h2", pipeline), ...answerElements(found, about),
    ...evidenceElements(found, about), roadElement(found, about)],
  { class: "result", "aria-label": `Answer of ${pipeline}` });
}

async function upload(event) {
  event.preventDefault();
  const file = at("file").files[0], text = at("text").value;
  if (!file && !text.trim()) return uploaded("Choose a file or paste text.", true);
  const body = file || text, lines = file && /\.(jsonl|ndjson)$/i.test(file.name);
  if ((file ? file.size : new Blob([text]).size) > about.limits.upload)
    return uploaded(`At most ${about.limits.upload.toLocaleString("en")} bytes.`, true);
  uploaded("Indexing");
  try {
    const headers = { "Content-Type": lines ? "application/jsonl" : "text/plain" };
    const made = await call("corpora", { method: "POST", body, headers });
    const count = `${made.passages.toLocaleString("en")} passage${made.passages === 1 ? "" : "s"}`;
    at("corpus").append(element("option", `${file ? file.name : "pasted text"} (${count})`,
      { value: made.corpus }));
    at("corpus").value = made.corpus;
    at("corpus").onchange();
    uploaded(`Indexed ${count}. Questions now search them.`);
    at("question").focus();
  } catch (error) {
    uploaded(error.message, true);
  }
}

function uploaded(text, isError = false) {
  at("uploaded").textContent = text;
  at("uploaded").classList.toggle("error", isError);
}

addEventListener("DOMContentLoaded", () => start().catch((error) => status(error.message, true)));
