/**
 * The page of the board. It shows what the server sends as HTML, escaped there, and asks for it again after each
 * change. A click runs a command; what the command asks or refuses is shown in its own words.
 */

const main = document.querySelector("main");
const live = document.querySelector("#live");
const told = document.querySelector("#told");
const dialog = document.querySelector("dialog");
const notifyButton = document.querySelector("#notify");

// The key is in this tab alone: no cookie holds it, and the address is without its code again.
const given = document.querySelector("meta[name=agentx-key]");
if (given) sessionStorage.setItem("agentx-key", given.content);
given?.remove();
history.replaceState(null, "", location.pathname + (location.hash || "#inbox"));
const key = sessionStorage.getItem("agentx-key");

/** Asks the server, with the key of the page once it was let in. */
function request(path, options = {}) {
  const headers = { authorization: `Bearer ${key}`, ...options.headers };
  return fetch(path, { ...options, headers });
}

// Views

const route = () => location.hash.slice(1) || "inbox";
const viewName = () => route().split("?", 1)[0];

/** Pages that belong to an entry of the menu. */
const BELOW = { issue: "issues", thread: "threads", observation: "memory" };
let shown = "";
let turn = 0;

/** Shows the view of the address, anew or as it has changed. */
async function show() {
  const [path, own] = [route(), ++turn];
  let response;
  try {
    response = await request(`/view/${path}`);
  } catch {
    return lost();
  }
  if (response.status === 401) return shutOut();
  const text = await response.text();
  if (own !== turn) return; // a later one is on its way
  const fresh = document.createElement("main");
  if (response.ok) {
    fresh.append(...new DOMParser().parseFromString(text, "text/html").body.childNodes);
  } else fresh.append(element("h1", text), element("p", "Choose a view above."));
  tell(fresh);
  const isOther = viewName() !== shown.split("?", 1)[0];
  const hasMoved = path !== shown;
  const isInPlace = !isOther && document.activeElement?.closest("form, .more");
  if (isOther) main.replaceChildren(...fresh.childNodes);
  else morph(main, fresh);
  shown = path;
  entitle();
  for (const link of document.querySelectorAll("nav a")) {
    if (link.dataset.view === (BELOW[viewName()] ?? viewName())) {
      link.setAttribute("aria-current", "page");
    } else link.removeAttribute("aria-current");
  }
  if (!hasMoved) return;
  showPlace();
  if (!isInPlace) scrollTo(0, 0);
  if (document.activeElement === document.body) main.focus({ preventScroll: true });
}

/** On a narrow screen the menu scrolls. */
function showPlace() {
  const link = document.querySelector("nav [aria-current]");
  link?.scrollIntoView({ block: "nearest", inline: "center" });
}

function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/** Makes one element like another, and keeps equal parts with their focus, typed text and unfolded state. */
function morph(old, fresh) {
  const mine = new Map([...old.children].map((child) => [idOf(child), child]));
  let at = old.firstChild;
  for (const next of [...fresh.childNodes]) {
    const same = idOf(next) ? mine.get(idOf(next)) : isLike(at, next) ? at : undefined;
    if (same === undefined) {
      old.insertBefore(next, at);
      continue;
    }
    if (same !== at) old.insertBefore(same, at);
    else at = at.nextSibling;
    if (isDirty(same) || same === document.activeElement && same.dataset.move) continue;
    if (next.nodeType !== Node.ELEMENT_NODE) {
      if (same.data !== next.data) same.data = next.data;
      continue;
    }
    for (const { name } of [...same.attributes]) {
      if (!next.hasAttribute(name) && !keeps(same, name)) same.removeAttribute(name);
    }
    for (const { name, value } of next.attributes) {
      if (same.getAttribute(name) !== value && !keeps(same, name)) same.setAttribute(name, value);
    }
    morph(same, next);
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

function isLike(old, fresh) {
  return old?.nodeType === fresh.nodeType && old.nodeName === fresh.nodeName && !idOf(old);
}

/** The property of a form is its field of that name, if it has one. */
function idOf(node) {
  return node.getAttribute?.("id");
}

/** A form keeps the text that somebody types, and the version that they have read. */
function isDirty(node) {
  return node.nodeName === "FORM" && !node.dataset.view &&
    [...node.elements].some(({ type, value, defaultValue = value }) =>
      type !== "checkbox" && value !== defaultValue
    );
}

/** An element that a person has unfolded stays so. */
function keeps({ nodeName }, name) {
  return nodeName === "DETAILS" && name === "open";
}

// Times

const UNITS = [["d", 86_400], ["h", 3_600], ["m", 60], ["s", 1]];

function lasting(seconds) {
  const [unit, size] = UNITS.find(([, size]) => seconds >= size) ?? ["s", 1];
  return `${Math.floor(seconds / size)}${unit}`;
}

/** Writes ages, the time left, and overdue days. */
function tell(root) {
  for (const time of root.querySelectorAll("time[data-due]")) {
    if (time.dateTime >= new Date().toLocaleDateString("sv")) continue; // as the person's calendar has it
    time.textContent = `overdue since ${time.dateTime}`;
    time.className = "late";
  }
  for (const time of root.querySelectorAll("time[data-age], time[data-until]")) {
    const seconds = (Date.now() - Date.parse(time.dateTime)) / 1_000;
    time.title = time.dateTime.replace("T", " ").slice(0, 16) + " UTC";
    if ("age" in time.dataset) time.textContent = `${lasting(Math.max(0, seconds))} ago`;
    else {
      const left = Math.max(0, -seconds);
      time.textContent = left === 0
        ? "time is over"
        : `default in ${Math.floor(left / 60)}:${String(Math.floor(left % 60)).padStart(2, "0")}`;
    }
  }
}
setInterval(() => tell(main), 1_000);

// Changes

let waiting;

/** Follows the changes for as long as the server is there. */
async function follow() {
  try {
    const response = await request("/changes");
    if (response.status === 401) return shutOut();
    live.textContent = "live";
    live.className = "ok";
    for await (const line of linesOf(response)) {
      if ("asks" in line) showAsking(line.asks);
      else changed(line);
    }
  } catch {
    // it ended
  }
  lost();
  setTimeout(follow, 2_000);
}

/** The lines of JSON that a response has, as they come. */
async function* linesOf(response) {
  let text = "";
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    const lines = text.split("\n");
    text = lines.pop();
    for (const line of lines) yield JSON.parse(line);
  }
}

/** The title names the view and the repository, and counts what waits. */
function entitle() {
  const count = waiting > 0 ? `(${waiting}) ` : "";
  const view = main.querySelector("h1")?.firstChild.textContent.trim();
  const names = [view, document.querySelector("#repository").textContent, "agentx"];
  document.title = count + names.filter(Boolean).join(" - ");
}

function changed({ waiting: now, repository }) {
  const count = document.querySelector(".count");
  count.textContent = now;
  count.hidden = now === 0;
  document.querySelector("#repository").textContent = repository;
  drawIcon(now);
  if (waiting !== undefined && now > waiting && Notification.permission === "granted") {
    new Notification(repository, { body: `${now} things wait for you`, tag: "agentx" });
  }
  waiting = now;
  entitle();
  if (document.hidden) isOld = true;
  else show();
}

/** What nobody looks at is not read again until somebody does. */
let isOld = false;

document.addEventListener("visibilitychange", () => {
  if (document.hidden || !isOld) return;
  isOld = false;
  show();
});

function drawIcon(count) {
  const text = count === 0 ? "" : count > 9 ? "9+" : count;
  const icon =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8"
 fill="${
      count === 0 ? "#6b7280" : "#b45309"
    }"/><text x="16" y="23" font-size="19" font-family="sans-serif"
 font-weight="bold" text-anchor="middle" fill="#fff">${text || "a"}</text></svg>`;
  document.querySelector("link[rel=icon]").href = `data:image/svg+xml,${encodeURIComponent(icon)}`;
}

function lost() {
  live.textContent = "The board has ended. Start it again with: agentx board";
  live.className = "lost";
}

// Being let in

let isEntering = false;

/** Without a key, or with that of an earlier board, the tab asks for one. */
async function shutOut() {
  if (isEntering) return;
  isEntering = true;
  live.textContent = "";
  for (;;) {
    await seen();
    const response = await post("/enter", {}).catch(() => undefined);
    if (response === undefined) {
      lost();
      await pauseFor(2_000);
    } else if (response.ok) {
      const key = await keyFrom(response).catch(() => null); // the board ended
      if (key === null) return askAgain();
      sessionStorage.setItem("agentx-key", key);
      return location.reload();
    } else {
      explain(
        "Another tab asks to be let in",
        "This one asks as soon as that one is let in or refused.",
      );
      await pauseFor(1_000);
    }
  }
}

/** Shows the characters of this tab until somebody decides. */
async function keyFrom(response) {
  for await (const { code, key } of linesOf(response)) {
    if (key !== undefined) return key;
    live.textContent = "";
    explain(
      "Does your terminal show the same?",
      "If it does, press Enter there, where agentx board runs. A tab of this board that is " +
        "already in can let this one in, too.",
    );
    main.insertBefore(element("p", code, { class: "code" }), main.lastChild);
  }
  return null;
}

function askAgain() {
  explain("This tab was not let in", "It was refused, or nobody answered within a minute.");
  const button = element("button", "Ask again", { type: "button", class: "primary" });
  button.addEventListener("click", () => location.reload());
  main.append(button);
}

function explain(title, text) {
  main.replaceChildren(element("h1", title), element("p", text));
}

/** A tab in the background asks for nothing. */
function seen() {
  if (!document.hidden) return Promise.resolve();
  return new Promise((resolve) => {
    document.addEventListener("visibilitychange", resolve, { once: true });
  });
}

function pauseFor(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Another tab asks: its characters, or null after the decision. */
function showAsking(code) {
  const asks = document.querySelector("#asks");
  asks.replaceChildren();
  if (code === null) return;
  asks.append(element("p", `Another tab asks to be let in. Does it show ${code}?`));
  for (const [text, isLetIn] of [["Let it in", true], ["Refuse", false]]) {
    const button = element("button", text, { type: "button" });
    button.addEventListener("click", () => post("/admit", { code, isLetIn }).catch(lost));
    asks.append(button);
  }
}

// Actions

function say(text, kind = "done") {
  const message = element("p", text, { class: kind });
  told.replaceChildren(message);
  setTimeout(() => message.remove(), kind === "done" ? 6_000 : 20_000);
}

/** Runs a command, and answers its questions. */
async function act(command, input) {
  let reply = await run({ command, input });
  while (reply.ask) {
    const line = await ask(reply.ask.text);
    reply = await run({ id: reply.ask.id, line });
  }
  if (!reply.error) say([reply.result, reply.said].filter(Boolean).join("\n"));
  return reply;
}

function post(path, body) {
  const headers = { "content-type": "application/json" };
  return request(path, { method: "POST", headers, body: JSON.stringify(body) });
}

async function run(body) {
  try {
    const response = await post("/do", body);
    if (response.ok) return await response.json();
    return { error: { message: await response.text() } };
  } catch {
    lost();
    return { error: { message: "The board has ended: nothing is known of what became of this" } };
  }
}

/** @returns a person's answer; nothing if they close the question */
function ask(text, takesLine = true) {
  const { line } = dialog.querySelector("form").elements;
  dialog.querySelector("pre").textContent = text;
  line.value = "";
  line.closest("label").hidden = !takesLine;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      const isAnswered = dialog.returnValue === "ok";
      resolve(takesLine ? isAnswered ? line.value : "" : isAnswered);
    }, { once: true });
  });
}

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (form.method === "dialog") return;
  event.preventDefault();
  if (form.dataset.view) return filter(form);
  if (form.dataset.confirm && !await ask(form.dataset.confirm, false)) return;
  const input = {};
  for (const [name, value] of new FormData(form, event.submitter)) {
    if (value !== "") input[name] = name in input ? `${input[name]},${value}` : value;
  }
  form.setAttribute("aria-busy", "true");
  for (const button of form.querySelectorAll("button")) button.disabled = true;
  const { error } = await act(form.dataset.do, input);
  form.removeAttribute("aria-busy");
  for (const button of form.querySelectorAll("button")) button.disabled = false;
  form.querySelector(".refused")?.remove();
  if (error && !("now" in form.dataset)) refuse(form, error);
  else {
    if (error) say(error.message, "failed");
    form.reset();
    show();
  }
});

document.addEventListener("toggle", ({ target }) => {
  if (target.matches(".new[open]")) target.querySelector("[name=title]")?.focus();
}, true);

document.addEventListener("reset", ({ target }) => {
  target.querySelector(".refused")?.remove();
  target.closest("details.new")?.removeAttribute("open");
});

function refuse(form, { code, message }) {
  const text = element("div", message, { class: "refused", role: "alert" });
  const { seen } = form.elements;
  if (code === "NOT_READY" && seen) {
    text.textContent = `${message.split("\n", 1)[0]}. The page shows it as it is now.`;
    const button = element("button", "Save mine over it");
    button.addEventListener("click", () => seen.remove());
    text.append(document.createElement("br"), button);
  }
  if (code === "UNTRUSTED" && form.dataset.do !== "trust") {
    const button = element("button", "Show what would run", { type: "button" });
    button.addEventListener(
      "click",
      () => act("trust", {}).then(({ error }) => error && say(error.message, "failed")),
    );
    text.append(document.createElement("br"), button);
  }
  form.append(text);
}

async function move(number, status) {
  const { error } = await act("issue edit", { issue: number, status });
  if (error) say(error.message, "failed");
  await show();
}

document.addEventListener("change", ({ target }) => {
  if (target.form?.matches("[data-now]")) target.form.requestSubmit();
  if (!target.dataset.move) return;
  move(target.dataset.move, target.value).then(() => {
    target.value = target.closest("[data-status]")?.dataset.status ?? "";
  });
});

/** The menu of a card has only its own column until it is used. */
for (const event of ["focusin", "pointerdown"]) {
  document.addEventListener(event, ({ target }) => {
    if (!target.dataset?.move || target.length > 1) return;
    const chosen = target.value;
    const columns = [...main.querySelectorAll(".column")].map(({ dataset }) => dataset.status);
    target.replaceChildren(...columns.map((status) => new Option(status)));
    target.value = chosen;
  });
}

// Filters

let pause;

document.addEventListener("input", ({ target }) => {
  const form = target.closest("form[data-view]");
  if (!form) return;
  clearTimeout(pause);
  pause = setTimeout(() => filter(form), 150);
});

function filter(form) {
  const fields = [...new FormData(form)].filter(([, value]) => value !== "");
  const query = new URLSearchParams(fields).toString();
  history.replaceState(null, "", `#${form.dataset.view}${query && `?${query}`}`);
  show();
}

// Cards that are dragged

let dragged;

document.addEventListener("dragstart", (event) => {
  dragged = event.target.closest?.("[data-number]")?.dataset.number;
  event.dataTransfer.setData("text/plain", `#${dragged}`);
});

document.addEventListener("dragover", (event) => {
  const column = event.target.closest?.("[data-status]");
  for (const each of document.querySelectorAll(".over")) each.classList.remove("over");
  if (!column || !dragged) return;
  column.classList.add("over");
  event.preventDefault();
});

document.addEventListener("drop", (event) => {
  const column = event.target.closest?.("[data-status]");
  if (!column || !dragged) return;
  event.preventDefault();
  move(dragged, column.dataset.status);
});

document.addEventListener("dragend", () => {
  dragged = undefined;
  for (const each of document.querySelectorAll(".over")) each.classList.remove("over");
});

// Keys

document.addEventListener("keydown", (event) => {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || dialog.open) return;
  if (target.closest("input, textarea, select")) {
    if (key === "Escape") target.blur();
    return;
  }
  const items = [...main.querySelectorAll("[data-item]")];
  const at = items.indexOf(target.closest("[data-item]"));
  if (key === "j" || key === "k") {
    const next =
      items[Math.min(items.length - 1, Math.max(0, at + (key === "j" ? 1 : at < 0 ? 1 : -1)))];
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
  } else if (key === "/") main.querySelector("input[type=search]")?.focus();
  else if (key === "c" && main.querySelector("#new-issue")) {
    main.querySelector("#new-issue").open = true;
  } else if (key === "Enter" && target === items[at]) target.querySelector("a")?.click();
  else if (at >= 0) {
    const button = items[at].querySelector(`button[data-key="${CSS.escape(key)}"]`);
    if (!button) return;
    button.click();
  } else return;
  event.preventDefault();
});

document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});

if ("Notification" in globalThis && Notification.permission === "default" && key) {
  notifyButton.hidden = false;
  notifyButton.addEventListener("click", async () => {
    await Notification.requestPermission();
    notifyButton.hidden = true;
  });
}

addEventListener("hashchange", show);
addEventListener("resize", showPlace);

if (key === null) shutOut();
else {
  show();
  follow();
}
