import uPlot from './uplot.js';

/** Seconds between two loads. The server reads the clusters at its own pace. */
const PAUSE = 2;

/**
 * The minimum range of the diagram in seconds. For a single point, the library would show years or
 * milliseconds.
 */
const SHORTEST = 60;

/** Colors of lines that differ in brightness as well, legible on light and dark pages. */
const COLORS = ['#0969da', '#bf8700', '#1a7f37', '#8250df', '#cf222e', '#57606a'];

export const at = (id) => document.getElementById(id);

export function element(name, className, ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

function showVerdict({ problems, failures }) {
  const lines = [
    ...problems.map(({ cluster, text }) => element('p', 'bad', `! ${cluster ? `${cluster}: ` : ''}${text}`)),
    ...failures.map(({ cluster, subject, message }) =>
      element('p', 'doubtful', `? ${cluster}: ${subject}: ${message}`),
    ),
  ];
  at('verdict').replaceChildren(...(lines.length > 0 ? lines : [element('p', 'good', 'all is well')]));
  const wrong = problems.length + failures.length;
  document.title = `${wrong > 0 ? `(${wrong}) ` : ''}${document.querySelector('h1').textContent}`;
}

let drawn = '';
function showPicture({ pictures }) {
  const now = JSON.stringify(pictures);
  if (now === drawn) return;
  drawn = now;
  const shapes = Object.entries(pictures).map(([shape, svg]) => {
    const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
    return element('div', shape, document.importNode(parsed, true));
  });
  at('picture').replaceChildren(...shapes);
}

let plot;
let plotted = '';
function showDistances({ distances: { times, clusters } }) {
  at('lag').hidden = clusters.length === 0;
  if (clusters.length === 0) return;
  const style = getComputedStyle(document.documentElement);
  const [text, border] = ['--faint', '--border'].map((name) => style.getPropertyValue(name).trim());
  const width = at('plot').clientWidth;
  const key = JSON.stringify([clusters.map(({ name }) => name), text, width]);
  const data = [times.map((time) => time / 1000), ...clusters.map(({ behind }) => behind)];
  if (key === plotted) return plot.setData(data);
  plotted = key;
  plot?.destroy();
  const axis = { stroke: text, grid: { stroke: border, width: 1 }, ticks: { stroke: border, width: 1 } };
  plot = new uPlot(
    {
      width,
      height: 200,
      scales: {
        x: { range: (_, min, max) => [Math.min(min, max - SHORTEST), max] },
        y: { range: (_, __, max) => [0, Math.max(5, max * 1.1)] },
      },
      axes: [axis, { ...axis, size: 60 }],
      series: [
        {},
        ...clusters.map(({ name }, index) => ({
          label: name,
          stroke: COLORS[index % COLORS.length],
          width: 2,
          points: { show: times.length < 3 },
        })),
      ],
    },
    data,
    at('plot'),
  );
}

export function showTable(id, titles, rows) {
  at(id).hidden = rows.length === 0;
  const head = element('tr', '', ...titles.map((title) => element('th', '', title)));
  const body = rows.map((cells) =>
    element('tr', '', ...cells.map(({ text, tone }) => element('td', tone ?? '', text))),
  );
  at(id)
    .querySelector('table')
    .replaceChildren(head, ...body);
}

function ago(time, now) {
  const seconds = Math.max(0, Math.round((now - time) / 1000));
  const [count, unit] =
    seconds < 120
      ? [seconds, 'second']
      : seconds < 7200
        ? [Math.round(seconds / 60), 'minute']
        : seconds < 172_800
          ? [Math.round(seconds / 3600), 'hour']
          : [Math.round(seconds / 86_400), 'day'];
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`;
}

function keyResult({ testedAt, error }, now) {
  if (testedAt === undefined) return { text: 'not tested', tone: 'faint' };
  const when = ago(testedAt, now);
  return error === undefined
    ? { text: `signs, tested ${when}`, tone: 'good' }
    : { text: `does not sign, tested ${when}: ${error}`, tone: 'bad' };
}

function lastSnapshot({ bytes, url }) {
  const sizes =
    bytes === undefined ? [] : [bytes < 1000 ? `${bytes} bytes` : `${Math.round(bytes / 1000)} kB`];
  return url ? [...sizes, url] : sizes;
}

const SNAPSHOT_TONES = { ok: 'good', waiting: 'faint', failing: 'bad', overdue: 'bad' };

function showObjects({ keys, snapshots, time }) {
  showTable(
    'keys',
    ['Cluster', 'Key', 'Last test'],
    keys.map((key) => [{ text: key.cluster }, { text: key.name }, keyResult(key, time)]),
  );
  showTable(
    'snapshots',
    ['Cluster', 'Configuration', 'State', 'Last snapshot'],
    snapshots.map(({ cluster, name, state, lastAt, ...last }) => [
      { text: cluster },
      { text: name },
      { text: state, tone: SNAPSHOT_TONES[state] },
      { text: lastAt === undefined ? 'none yet' : [ago(lastAt, time), ...lastSnapshot(last)].join(', ') },
    ]),
  );
}

/**
 * Shows a state repeatedly. @param load returns the state. @param more shows further parts of it.
 */
export function watch(load, more = () => {}) {
  const refresh = async () => {
    try {
      const state = await load();
      if (state.time === undefined) return;
      showVerdict(state);
      showPicture(state);
      showDistances(state);
      showObjects(state);
      more(state);
      at('read').textContent = `read at ${new Date(state.time).toLocaleTimeString()}`;
      at('read').className = '';
    } catch (error) {
      at('read').textContent = `not updated: ${error.message}`;
      at('read').className = 'stale';
    }
  };
  const run = async () => {
    await refresh();
    setTimeout(run, PAUSE * 1000);
  };
  void run();
  return refresh;
}
