"use strict";
const at = (id) => document.getElementById(id);

function element(tag, text, attributes = {}) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

function fill(id, options) {
  at(id).replaceChildren(...options.map(([text, value]) => element("option", text, { value })));
}

function isDark() {
  const set = document.documentElement.dataset.theme;
  return set ? set === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function theme(dark) {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  at("theme").textContent = dark ? "Light theme" : "Dark theme";
}

function themeButton() {
  at("theme").onclick = () => theme(!isDark());
  theme(isDark());
}
