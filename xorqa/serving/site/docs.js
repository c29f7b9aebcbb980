"use strict";
// Renders openapi.json: each route with its request, its responses and a form to try it.

async function start() {
  const api = await (await fetch("openapi.json")).json();
  const main = document.getElementById("api");
  main.append(group("p", withCode(api.info.description)));
  for (const [path, methods] of Object.entries(api.paths))
    for (const [method, route] of Object.entries(methods)) main.append(routeElement(api, path, method, route));
  document.documentElement.dataset.ready = "yes";
}

function routeElement(api, path, method, route) {
  const parts = [element("h2", `${method.toUpperCase()} ${path}`), group("p", withCode(route.description || ""))];
  const schema = route.requestBody?.content["application/json"]?.schema;
  if (schema) parts.push(schemaTable(api, "Request", schema), tryForm(path, resolve(api, schema)));
  const answer = route.responses?.["200"]?.content?.["application/json"]?.schema;
  for (const one of answer?.anyOf || (answer ? [answer] : [])) {
    if (resolve(api, one).properties) parts.push(schemaTable(api, `Response ${one.title || ""}`, one));
  }
  const errors = Object.keys(route.responses || {}).filter((status) => status !== "200");
  if (errors.length) parts.push(element("p", `Errors: ${errors.join(", ")}`, { class: "note" }));
  return group("section", parts, { class: "result" });
}

const resolve = (api, schema) =>
  (schema.$ref ? api.components.schemas[schema.$ref.split("/").pop()] : schema);

function schemaTable(api, caption, given) {
  const schema = resolve(api, given), required = schema.required || [];
  const rows = Object.entries(schema.properties || {}).map(([name, field]) =>
    [required.includes(name) ? `${name} (required)` : name, typeName(field), field.description || ""]);
  return table(`${caption} ${schema.title || ""}`.trim(), [["field"], ["type"], [""]], rows);
}

function typeName(field) {
  if (field.$ref) return field.$ref.split("/").pop();
  if (field.anyOf) return field.anyOf.map(typeName).join(" or ");
  if (field.enum) return field.enum.join(" or ");
  return field.type === "array" ? `list of ${typeName(field.items)}` : field.type || "any";
}

function tryForm(path, schema) {
  const name = schema.properties.question ? "question" : Object.keys(schema.properties)[0];
  const id = `try-${path.slice(1)}`, example = { [name]: name === "question" ? "Where is Helsinki?" : [] };
  const text = element("textarea", JSON.stringify(example), { id, rows: 2, cols: 60 });
  const out = element("pre", "", { hidden: "", tabindex: "0", "aria-label": "Response" });
  const form = group("form", [element("label", "Try: ", { for: id }), text,
    element("button", "Send", { type: "submit" }), out]);
  form.onsubmit = async (event) => {
    event.preventDefault();
    const headers = { "Content-Type": "application/json" };
    const response = await fetch(path.slice(1), { method: "POST", headers, body: text.value });
    out.hidden = false;
    out.textContent = `${response.status}\n${JSON.stringify(await response.json(), null, 2)}`;
  };
  return form;
}

addEventListener("DOMContentLoaded", start);
