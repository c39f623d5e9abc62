"use strict";
// The interactive part of the report: filters, plots, the table of tasks, the details of a task.
const data = JSON.parse(document.getElementById("data").textContent);
const [TASK, CONFIGURATION, CATEGORY, CPU, WALL, MEMORY, VERDICT, REASON, LOG, VALIDATION, EXIT, SIGNAL, HOST, STATISTICS] =
  Array(14).keys();
const PAGE = 50, LEAST = 0.01;
const get = (id) => document.getElementById(id);
const byTask = data.tasks.map(() => []);
for (const run of data.runs) byTask[run[TASK]][run[CONFIGURATION]] = run;
const kind = (run) => data.categories[run[CATEGORY]][1];
const categoryName = (run) => data.categories[run[CATEGORY]][0];
const solves = (run) => run && (kind(run) === "correct" || ["proof", "alarm"].includes(categoryName(run)));
const megabytes = (run) => run[MEMORY] / 1048576;
const value = (run, column) => (column === MEMORY ? megabytes(run) : run[column]);
const seconds = (time) => (time >= 100 ? time.toFixed(0) : time >= 1 ? time.toPrecision(3) : time.toFixed(3));

// An element with attributes and children; texts are never parsed as HTML.
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// The selection: indices of tasks and of configurations.
let chosen = [], shown = [], page = 0;

function fill(select, values, all) {
  if (all !== undefined) select.append(make("option", { value: "" }, all));
  values.forEach(([value, text]) => select.append(make("option", { value }, text)));
}

function setUp() {
  const sets = [...new Set(data.tasks.map((task) => task[1]))].sort();
  fill(get("set"), sets.map((name) => [name, name]), "all");
  const used = [...new Set(data.runs.map((run) => run[CATEGORY]))].sort((a, b) => a - b);
  fill(get("category"), used.map((place) => [place, data.categories[place][0]]), "anything");
  data.configurations.forEach((name, place) => {
    const box = make("input", { type: "checkbox", value: place });
    box.checked = true;
    get("shown").append(make("label", {}, box, " " + name));
  });
  const names = data.configurations.map((name, place) => [place, name]);
  fill(get("first"), names);
  fill(get("second"), names);
  get("second").value = Math.min(1, names.length - 1);
  get("filters").addEventListener("input", () => { page = 0; update(); });
  get("filters").addEventListener("submit", (event) => event.preventDefault());
  for (const id of ["first", "second", "quantity"]) get(id).addEventListener("change", scatter);
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") location.hash = ""; });
  window.addEventListener("hashchange", detail);
}

function update() {
  const [set, label, category] = ["set", "label", "category"].map((id) => get(id).value);
  const text = get("text").value.toLowerCase(), differ = get("differ").checked;
  shown = [...get("shown").querySelectorAll("input:checked")].map((box) => Number(box.value));
  chosen = [];
  data.tasks.forEach((task, place) => {
    if (set && task[1] !== set) return;
    if (label && (task[2] ?? "none") !== label) return;
    if (text && !task[0].toLowerCase().includes(text)) return;
    const runs = shown.map((own) => byTask[place][own]).filter(Boolean);
    if (!runs.length) return;
    if (category && !runs.some((run) => run[CATEGORY] === Number(category))) return;
    if (differ && new Set(runs.map((run) => run[CATEGORY])).size < 2) return;
    chosen.push(place);
  });
  get("count").textContent = `${chosen.length} of ${data.tasks.length} tasks`;
  quantile();
  scatter();
  table();
}

const layout = (x, y) => ({
  margin: { l: 60, r: 10, t: 10, b: 50 }, xaxis: x, yaxis: y, hovermode: "closest",
  legend: { orientation: "h", y: -0.18 },
});
const settings = { responsive: true, displaylogo: false };

// The n-th fastest correct result of each configuration, by CPU time.
function quantile() {
  const traces = shown.map((own) => {
    const runs = chosen.map((place) => byTask[place][own]).filter(solves);
    runs.sort((a, b) => a[CPU] - b[CPU]);
    return {
      x: runs.map((_, place) => place + 1), y: runs.map((run) => Math.max(run[CPU], LEAST)),
      text: runs.map((run) => data.tasks[run[TASK]][0]), customdata: runs.map((run) => run[TASK]),
      name: data.configurations[own], mode: "lines+markers", marker: { size: 4 }, line: { shape: "hv" },
      hovertemplate: "%{text}<br>%{y:.3f} s",
    };
  });
  draw("quantile", traces, layout({ title: { text: "n-th fastest correct result" }, rangemode: "tozero" },
    { title: { text: "CPU time (s)" }, type: "log" }));
}

// Both configurations on each task. A run without a verdict is at the margin.
function scatter() {
  const [first, second, column] = ["first", "second", "quantity"].map((id) => Number(get(id).value));
  const least = column === MEMORY ? 1 : LEAST;
  const points = chosen.map((place) => [byTask[place][first], byTask[place][second]]).filter(([a, b]) => a && b);
  const most = points.reduce((most, [a, b]) => Math.max(most, value(a, column), value(b, column)), least);
  const margin = most * 2;
  const at = (run) => (solves(run) ? Math.max(value(run, column), least) : margin);
  const groups = new Map();
  for (const [a, b] of points) {
    const name = solves(a) && solves(b) ? "both solve" : solves(a) ? "only first" : solves(b) ? "only second" : null;
    if (!name) continue;
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push([a, b]);
  }
  const traces = [...groups].sort().map(([name, points]) => ({
    x: points.map(([a]) => at(a)), y: points.map(([, b]) => at(b)), name, mode: "markers",
    text: points.map(([a, b]) => `${data.tasks[a[TASK]][0]}<br>${categoryName(a)} / ${categoryName(b)}`),
    customdata: points.map(([a]) => a[TASK]), hovertemplate: "%{text}<br>%{x:.3f} / %{y:.3f}",
    marker: { size: 7, opacity: 0.7 },
  }));
  const range = [Math.log10(least * 0.8), Math.log10(margin * 1.4)];
  const axis = (own) => ({ title: { text: data.configurations[own] }, type: "log", range });
  const line = (x0, y0, x1, y1, dash) =>
    ({ type: "line", x0, y0, x1, y1, layer: "below", line: { color: "#9aa4af", width: 1, dash } });
  const shapes = [line(least, least, margin, margin, "solid"), line(least, least * 10, margin / 10, margin, "dot"),
    line(least * 10, least, margin, margin / 10, "dot"), line(least, margin, margin, margin, "dash"),
    line(margin, least, margin, margin, "dash")];
  draw("scatter", traces, { ...layout(axis(first), axis(second)), shapes });
}

const drawn = new Set();
function draw(id, traces, layout) {
  // Small plots are drawn as SVG, which every browser can; WebGL is fast for large ones.
  const isLarge = traces.reduce((sum, trace) => sum + trace.x.length, 0) > 3000;
  for (const trace of traces) trace.type = isLarge ? "scattergl" : "scatter";
  Plotly.react(id, traces, layout, settings);
  if (!drawn.has(id)) {
    drawn.add(id);
    get(id).on("plotly_click", (event) => show(event.points[0].customdata));
  }
}

function table() {
  const head = get("tasks").tHead, body = get("tasks").tBodies[0];
  head.replaceChildren(make("tr", {}, make("th", {}, "task"), make("th", {}, "label"),
    ...shown.map((own) => make("th", {}, data.configurations[own]))));
  const rows = chosen.slice(page * PAGE, (page + 1) * PAGE).map((place) => {
    const [name, , label] = data.tasks[place];
    const cells = shown.map((own) => {
      const run = byTask[place][own];
      if (!run) return make("td", {}, "");
      return make("td", { class: kind(run), title: run[REASON] }, categoryName(run) + " ",
        make("span", {}, seconds(run[CPU]) + " s"));
    });
    const row = make("tr", {}, make("th", {}, name), make("td", {}, label ?? ""), ...cells);
    row.addEventListener("click", () => show(place));
    return row;
  });
  body.replaceChildren(...rows);
  const pages = Math.ceil(chosen.length / PAGE);
  const turn = (text, to) => {
    const button = make("button", { type: "button" }, text);
    button.disabled = to < 0 || to >= pages;
    button.addEventListener("click", () => { page = to; table(); });
    return button;
  };
  get("pages").replaceChildren(...(pages > 1
    ? [turn("first", page ? 0 : -1), turn("previous", page - 1), `page ${page + 1} of ${pages} `,
      turn("next", page + 1), turn("last", page < pages - 1 ? pages - 1 : -1)]
    : []));
}

function show(place) {
  location.hash = "#" + encodeURIComponent(data.tasks[place][0]);
}

// All runs of the task in the address, side by side.
function detail() {
  const name = decodeURIComponent(location.hash.slice(1));
  const place = data.tasks.findIndex((task) => task[0] === name);
  const section = get("detail");
  section.hidden = place < 0;
  if (place < 0) return;
  const [, set, label, path] = data.tasks[place];
  const close = make("button", { type: "button" }, "close");
  close.addEventListener("click", () => { location.hash = ""; });
  const runs = byTask[place].filter(Boolean);
  const row = (title, cell) => make("tr", {}, make("th", {}, title), ...runs.map((run) => make("td", {}, cell(run))));
  const rows = [
    row("result", (run) => make("span", { class: kind(run) }, categoryName(run))),
    row("answer", (run) => run[VERDICT]),
    row("reason", (run) => run[REASON]),
    row("certificate", (run) => run[VALIDATION] ?? ""),
    row("CPU time (s)", (run) => seconds(run[CPU])),
    row("wall time (s)", (run) => seconds(run[WALL])),
    row("memory (MB)", (run) => megabytes(run).toFixed(1)),
    row("exit", (run) => (run[SIGNAL] === null ? String(run[EXIT]) : `signal ${run[SIGNAL]}`)),
    row("machine", (run) => run[HOST]),
    row("log", (run) => make("a", { href: run[LOG] }, run[LOG])),
  ];
  const values = runs.map((run) => new Map(run[STATISTICS]));
  const names = [...new Set(values.flatMap((own) => [...own.keys()]))];
  names.sort((a, b) => data.statistics[a].localeCompare(data.statistics[b]));
  for (const own of names) {
    rows.push(make("tr", {}, make("th", {}, data.statistics[own]),
      ...values.map((value) => make("td", {}, value.has(own) ? String(value.get(own)) : ""))));
  }
  section.replaceChildren(close, make("h3", {}, name), make("p", {}, `set ${set}, label ${label ?? "none"}: `,
    make("a", { href: path }, path)),
    make("div", { class: "scroll" }, make("table", {},
      make("thead", {}, make("tr", {}, make("th", {}, ""),
        ...runs.map((run) => make("th", {}, data.configurations[run[CONFIGURATION]])))),
      make("tbody", {}, ...rows))));
}

setUp();
update();
detail();
