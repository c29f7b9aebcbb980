"use strict";
// The theme of all pages: the system's, until the button chooses the other one.

function isDark() {
  const set = document.documentElement.dataset.theme;
  return set ? set === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function setTheme(dark) {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  document.getElementById("theme").textContent = dark ? "Light theme" : "Dark theme";
}

addEventListener("DOMContentLoaded", () => {
  setTheme(isDark());
  document.getElementById("theme").onclick = () => setTheme(!isDark());
});
