// The page shows what the control address says, and does what it can do. It loads nothing from
// elsewhere, and every text of a program is shown as text.
"use strict";

const find = (selector, within = document) => within.querySelector(selector);
const SHOWN = { orders: 50, requests: 200 };
const STEPS = { create: "Create Order", status: "Get Status", return: "The return to the shop" };
const STATES = {
  Pending: ["Waiting for the customer", "wait"],
  Completed: ["Paid", "good"],
  Failed: ["Payment failed", "bad"],
  Cancelled: ["Cancelled", "bad"],
};
const BUTTONS = { pay: "Pay", fail: "Let it fail", cancel: "Cancel", refund: "Refund" };
const DONE = { pay: "is paid", fail: "has failed", cancel: "is cancelled", refund: "is refunded" };

let about, secret, resets, effects = {};
let shown = { orders: new Map(), requests: new Map(), count: 0, last: 0 };

// The secret is never a part of the address that the browser remembers or sends.
if (location.hash.length > 20) {
  sessionStorage.setItem("secret", location.hash.slice(1));
  history.replaceState(null, "", location.pathname);
}
secret = sessionStorage.getItem("secret") || "";

function make(tag, properties, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

function say(problem, news) {
  find("#problem").textContent = problem;
  find("#problem").hidden = !problem;
  if (news) find("#news").textContent = news;
}

async function send(path, given = {}) {
  const headers = secret ? { Authorization: `Bearer ${secret}`, ...given.headers } : given.headers;
  const response = await fetch(path, { cache: "no-store", ...given, headers });
  if (response.status === 401 && path.startsWith("/sandbox")) ask_for_secret();
  return response;
}

async function ask(path, method = "GET", body) {
  const response = await send(`/sandbox${path}`, {
    method,
    body: body && JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

// Does what a button says, and shows what went wrong.
async function act(work, news) {
  try {
    await work();
    say("", news);
  } catch (error) {
    say(error instanceof TypeError ? "The sandbox does not answer. Is it still running?" : error.message);
  }
}

const locked = () => document.body.className === "locked";

function ask_for_secret() {
  document.body.className = "locked";
  find("#live").textContent = "Locked";
  if (secret) say("The secret is wrong.");
  secret = "";
  find("#secret-text").focus();
}

find("#secret").addEventListener("submit", (event) => {
  event.preventDefault();
  secret = find("#secret-text").value.trim().replace(/^.*#/, "");
  sessionStorage.setItem("secret", secret);
  begin();
});

// The orders

function order_card(order) {
  const card = find("#order").content.firstElementChild.cloneNode(true);
  const [words, tone] = order.refunded ? ["Refunded", ""] : STATES[order.state];
  find("h3", card).textContent = order.orderId;
  find(".badge", card).textContent = words;
  find(".badge", card).className = `badge ${tone}`;
  find(".amount", card).textContent = `${order.amount} ${order.currencyCode}`;
  const facts = [clock(order.createdAt)];
  if (order.createRequests > 1) facts.push(`sent ${order.createRequests} times`);
  const last = order.transactions[order.transactions.length - 1];
  if (last) facts.push(last.transactionId);
  find(".facts", card).textContent = facts.join(" · ");
  const open = order.state === "Pending" || order.state === "Failed";
  const names = open ? ["pay", "fail", "cancel"] : [];
  if (order.state === "Completed" && !order.refunded) names.push("refund");
  for (const name of names) {
    const button = make("button", { type: "button", className: name }, BUTTONS[name]);
    button.setAttribute("aria-label", `${BUTTONS[name]}: ${order.orderId}`);
    button.addEventListener("click", () =>
      act(
        () => ask("/orders", "POST", { orderId: order.orderId, action: name }).then(update),
        `Order ${order.orderId} ${DONE[name]}.`
      )
    );
    find(".buttons", card).append(button);
  }
  find(".buttons", card).hidden = names.length === 0;
  find("a", card).href = new URL(order.checkoutUrl).pathname;
  find("a", card).setAttribute("aria-label", `Checkout page: ${order.orderId}`);
  return card;
}

function show_orders(orders) {
  const list = find("#orders .list");
  find("#orders .empty").hidden = orders.length > 0;
  shown.count = orders.length;
  show_more("orders", orders.length);
  for (const order of orders.slice(-SHOWN.orders)) {
    const text = JSON.stringify(order);
    const before = shown.orders.get(order.orderId);
    if (before && before.text === text) continue;
    const card = order_card(order);
    if (before) {
      const focused = before.card.contains(document.activeElement);
      before.card.replaceWith(card);
      if (focused) (find("button", card) || card).focus();
    } else {
      list.prepend(card);
      find("#filter").append(make("option", { value: order.orderId }, order.orderId));
      if (shown.ready) find("#news").textContent = `New order ${order.orderId}`;
    }
    shown.orders.set(order.orderId, { text, card });
    while (list.children.length > SHOWN.orders) list.lastElementChild.remove();
  }
}

// The requests

function request_card(request) {
  const card = find("#request").content.firstElementChild.cloneNode(true);
  const [words, tone] = sentence(request);
  find("b", card).textContent = request.orderId || "";
  find(".step", card).textContent = STEPS[request.step] || "not read";
  find(".time", card).textContent = clock(request.at);
  find(".words", card).textContent = words;
  find(".words", card).className = `words ${tone}`;
  const named = request.headers["user-agent"] || request.headers["User-Agent"] || "a program";
  const program = named.startsWith("Mozilla/") ? "a browser" : named;
  const fault = request.fault ? ` · fault ${request.fault}` : "";
  find(".facts", card).textContent = `${program} at ${request.from}${fault}`;
  const [sent, received] = card.querySelectorAll("pre");
  sent.textContent = request.head + request.body;
  const nothing = { cut: "Nothing: the connection was cut.", held: "Nothing, in silence." };
  const { head, body, ended } = request.response;
  const after = { half: "\n… the connection was cut here", held: "\n… silence after this" };
  received.textContent = head ? head + body + (after[ended] || "") : nothing[ended];
  card.dataset.order = request.orderId || "";
  card.hidden = hidden(card);
  return card;
}

// What happened, in plain words.
function sentence(request) {
  const { status, body, ended } = request.response;
  let answer = {};
  try {
    answer = JSON.parse(body) || {};
  } catch {}
  const lost = {
    cut: "the connection was cut before the answer",
    half: "the connection was cut in the middle of the answer",
    held: status ? "half of the answer came, then silence" : "no answer came",
  }[ended];
  const code = status && status !== 200 ? ` (HTTP ${status})` : "";
  const message = answer.responseMessage || `an answer that is not the service's${code}`;
  if (request.step === "unread") return ["The request was not read, and no answer came", "bad"];
  if (request.step === "create") {
    const order = request.created ? "The order was kept" : "No order was kept";
    if (lost) return [`${order}, and ${lost}`, "bad"];
    const unharmed = !request.fault || request.fault.startsWith("slow=");
    if (request.created && answer.data && answer.data.url && status === 200 && unharmed)
      return ["The order was created", ""];
    if (request.created) return [`${order}, and the answer was: ${message}${code}`, "bad"];
    return [`${order}. The answer was: ${message}${code}`, "bad"];
  }
  if (lost) return [`No status: ${lost}`, "bad"];
  const data = answer.data || {};
  if (status === 200 && data.transactionStatus) {
    const facts = [data.transactionStatus, data.amount, data.refundStatus, data.refundType];
    return [`The status is ${facts.filter(Boolean).join(", ")}`, ""];
  }
  return [`No status. The answer was: ${message}${code}`, "bad"];
}

function show_requests(requests) {
  const list = find("#requests .list");
  for (const request of requests.slice(-SHOWN.requests)) list.prepend(request_card(request));
  while (list.children.length > SHOWN.requests) list.lastElementChild.remove();
  if (requests.length) shown.last = requests[requests.length - 1].number;
  find("#requests .empty").hidden = shown.last > 0;
  show_more("requests", shown.last);
}

const hidden = (card) => find("#filter").value !== "" && find("#filter").value !== card.dataset.order;

find("#filter").addEventListener("change", () => {
  for (const card of find("#requests .list").children) card.hidden = hidden(card);
});

function show_more(what, count) {
  const more = find(`#${what} .more`);
  more.hidden = count <= SHOWN[what];
  more.textContent = `The last ${SHOWN[what]} of ${count}. All are at /sandbox/${what}.`;
}

// As the log shows it, in UTC.
const clock = (timestamp) => `${timestamp.slice(11, 19)} UTC`;

// The faults

function offer_faults(faults) {
  for (const step of Object.keys(STEPS)) {
    const group = make("optgroup", { label: STEPS[step] });
    for (const { name, effect } of faults.filter((fault) => fault.step === step)) {
      effects[`${step}:${name}`] = effect;
      group.append(make("option", { value: `${step}:${name}` }, name));
    }
    find("#fault").append(group);
  }
  find("#fault").value = "create:drop-after-commit";
  explain_fault();
}

function explain_fault() {
  const chosen = find("#fault").value;
  find("#effect").textContent = `The sandbox ${effects[chosen]}.`;
  find("#value").hidden = !chosen.includes("=");
  find("#value-text").required = chosen.includes("=");
  find("#value label").textContent = chosen.endsWith("=MS") ? "Milliseconds" : "FIELD=VALUE";
  find("#value-text").value = "";
  find("#value-text").placeholder = chosen.endsWith("=MS") ? "2000" : "refundStatus=Pending";
}

find("#fault").addEventListener("change", explain_fault);

find("#faults form").addEventListener("submit", (event) => {
  event.preventDefault();
  const [step, name] = find("#fault").value.split(":");
  const value = find("#value-text").value.trim();
  const fault = { "slow=MS": `slow=${value}`, "FIELD=VALUE": value }[name] || name;
  const rule = `${step}:${find("#which").value}:${fault}`;
  act(() => ask("/faults", "POST", { rule }).then(update), `The fault ${rule} was added.`);
});

function show_rules(rules) {
  const list = find("#faults .list");
  const text = JSON.stringify(rules);
  if (list.dataset.text === text) return;
  list.dataset.text = text;
  const focused = list.contains(document.activeElement);
  list.replaceChildren(
    ...rules.map(({ rule, used }) => {
      const lift = make("button", { type: "button", className: "small" }, "Lift");
      lift.setAttribute("aria-label", `Lift ${rule}`);
      lift.addEventListener("click", () =>
        act(
          () => ask(`/faults/${encodeURIComponent(rule)}`, "DELETE").then(update),
          `The fault ${rule} was lifted.`
        )
      );
      const times = ["not used yet", "used once"][used] || `used ${used} times`;
      const [step, , name] = rule.split(":");
      const effect = effects[`${step}:${name}`] || "";
      const small = make("small", {}, [effect, times].filter(Boolean).join(" · "));
      const words = make("span", {}, make("code", {}, rule), small);
      return make("li", { className: "card row" }, words, lift);
    })
  );
  if (focused) (find("button", list) || find("#fault")).focus();
  find("#lift").hidden = rules.length < 2;
}

find("#lift").addEventListener("click", () =>
  act(() => ask("/faults", "DELETE").then(update), "No fault is left.")
);

// The settings

const settings = {};

async function read_settings() {
  const text = await (await send("/settings.txt")).text();
  for (const part of text.split(/^== /m).slice(1)) {
    const [, name, lines] = part.match(/^(.*)\n([^]*)$/);
    settings[name] = lines.trimEnd();
    find("#language").append(make("option", {}, name));
  }
}

function show_settings() {
  const needless = (line) =>
    (/ca\.pem/.test(line) && !about.authority) ||
    (/allow_?insecure/i.test(line) && !about.insecure);
  const names = { BASE_URL: about.baseUrl };
  for (const [name, value] of Object.entries(about.credentials))
    names[name.replace(/[A-Z]/g, "_$&").toUpperCase()] = value;
  find("#settings pre").textContent = settings[find("#language").value]
    .split("\n")
    .filter((line) => !needless(line))
    .join("\n")
    .replace(/[A-Z]+_[A-Z]+/g, (name) => names[name] || name);
}

find("#language").addEventListener("change", show_settings);

async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Over http, a browser has no clipboard; the text is selected to be copied with the keyboard.
    getSelection().selectAllChildren(button.parentElement.querySelector("pre, code"));
    if (!document.execCommand("copy")) return say("Press Ctrl-C to copy the selected text.");
  }
  const before = button.textContent;
  button.textContent = "Copied";
  say("", "Copied");
  setTimeout(() => (button.textContent = before), 1500);
}

for (const part of ["#settings", "#address"]) {
  const button = find(`${part} button`);
  const text = () => find(`${part} pre, ${part} code`).textContent;
  button.addEventListener("click", () => copy(text(), button));
}

// The rest

find("#reset").addEventListener("click", () => {
  if (confirm("Forget all orders, requests and faults?"))
    act(() => ask("/reset", "POST").then(update), "The sandbox has forgotten everything.");
});

find("#sample").addEventListener("click", () => act(create_sample));

// The same request as that of a till.
async function create_sample() {
  const id = `SAMPLE-${shown.count + 1}`;
  const response = await send("/api/v1/Gateway/CreateOrder", {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "ACCESS-TOKEN": about.credentials.accessToken,
    },
    body: JSON.stringify({
      amount: "249.50", merchantTxnId: `T-${id}`, orderId: id, payMode: "all", merchantId: "M-1",
      productInfo: "Two coffees", customerName: "Asha Rao", customerMobile: "9000000001",
      customerEmail: "asha@example.com", currencyCode: "INR",
      [about.returnUrlField]: `${location.origin}/shop/return`,
    }),
  });
  if (!response.ok) throw new Error((await response.json()).responseMessage);
}

function forget() {
  for (const list of document.querySelectorAll("#orders .list, #requests .list")) list.replaceChildren();
  find("#filter").replaceChildren(find("#filter").firstElementChild);
  shown = { orders: new Map(), requests: new Map(), count: 0, last: 0 };
}

// One update at a time; what comes during one leads to another one.
let updating;
async function update() {
  if (updating) return (updating.again = true);
  updating = {};
  try {
    const [orders, requests, rules] = await Promise.all([
      ask("/orders"), ask(`/requests?after=${shown.last}`), ask("/faults"),
    ]);
    show_orders(orders.orders);
    show_requests(requests.requests);
    show_rules(rules.rules);
    shown.ready = true;
  } finally {
    const { again } = updating;
    updating = undefined;
    if (again) await update();
  }
}

function show_live(live) {
  const words = live ? "Live" : "The sandbox does not answer";
  if (find("#live").textContent !== words) find("#live").textContent = words;
  find("#live").className = live ? "good" : "bad";
}

// Server-sent events, read without EventSource, which cannot send the secret.
async function follow() {
  const response = await send("/sandbox/events");
  if (!response.ok) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ""; ; ) {
    const { value, done } = await reader.read();
    if (done) return;
    const events = (text + value).split("\n\n");
    text = events.pop();
    const data = events.map((event) => event.match(/^data: (\d+)$/)).filter(Boolean).pop();
    if (!data) continue;
    if (resets !== data[1]) forget();
    resets = data[1];
    await update();
    show_live(true);
  }
}

async function begin() {
  try {
    about = await ask("");
  } catch (error) {
    return locked() ? undefined : setTimeout(begin, 1000);
  }
  document.body.className = "open";
  say("");
  find("#address code").textContent = about.baseUrl;
  find("#trust").textContent = about.authority
    ? `ca.pem is the certificate of this sandbox's authority: get it with curl -ko ca.pem ${about.baseUrl}/ca.pem. Its SHA-256 is ${about.authority}`
    : "";
  if (!find("#fault").length) {
    offer_faults(about.faults);
    await read_settings();
  }
  show_settings();
  for (;;) {
    resets = undefined;
    await follow().catch(() => undefined);
    show_live(false);
    if (locked()) return;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

begin();
