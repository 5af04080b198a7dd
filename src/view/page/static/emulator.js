import { at, element, showTable, watch } from './show.js';

/** The key in the tab's session storage, which is deleted when the tab is closed. */
const STORED = 'root-token';

/** The delay of writes to a delayed secondary, in seconds. */
const DELAY = 30;

/**
 * Adds the emulator's own parts to the status page: the form for the token, the buttons, and the
 * requests.
 */
function addParts() {
  const input = element('input');
  Object.assign(input, { type: 'password', autocomplete: 'off', required: true });
  const form = element(
    'form',
    '',
    element('label', '', 'Root token of this cluster', input),
    element('button', '', 'Show the clusters'),
  );
  Object.assign(form, { id: 'ask', hidden: true });
  document.querySelector('main').before(form);

  const controls = element('section');
  controls.id = 'controls';
  controls.setAttribute('aria-label', 'Controls');
  const refused = element('p', 'bad');
  Object.assign(refused, { id: 'refused', role: 'alert' });
  at('picture').after(controls, refused);

  const requests = element('section', '', element('h2', '', 'Latest requests'), element('table'));
  Object.assign(requests, { id: 'requests', hidden: true });
  document.querySelector('main').append(requests);
}

/** Returns the decoded fragment of the address; unchanged if it is not validly encoded. */
function fragment() {
  const given = location.hash.slice(1);
  try {
    return decodeURIComponent(given);
  } catch {
    return given;
  }
}

function takeToken() {
  if (location.hash.length < 2) return;
  sessionStorage.setItem(STORED, fragment());
  // The token is removed from the address, because people copy addresses.
  history.replaceState(null, '', location.pathname);
}

function askForToken(isMissing) {
  at('ask').hidden = !isMissing;
  document.querySelector('main').hidden = isMissing;
}

async function call(method, path, { cluster, body } = {}) {
  const query = cluster === undefined ? '' : `?cluster=${encodeURIComponent(cluster)}`;
  const token = sessionStorage.getItem(STORED) ?? '';
  if (token === '') {
    askForToken(true);
    throw new Error('the root token is required');
  }
  const answer = await fetch(`v1/${path}${query}`, {
    method,
    headers: { 'X-Vault-Token': token },
    ...(body && { body: JSON.stringify(body) }),
  });
  askForToken(answer.status === 403);
  if (answer.status === 204) return undefined;
  const result = await answer.json();
  if (!answer.ok) throw new Error(result.errors.join(', '));
  return result;
}

function button(label, ...calls) {
  const made = element('button', '', label);
  made.type = 'button';
  made.addEventListener('click', async () => {
    at('refused').textContent = '';
    try {
      for (const each of calls) await call(...each);
    } catch (error) {
      at('refused').textContent = `${label}: ${error.message}`;
    }
    await refresh();
  });
  return made;
}

function row(title, ...buttons) {
  const made = element('p', 'row', element('span', '', title), ...buttons);
  for (const each of buttons) each.setAttribute('aria-label', `${title}: ${each.textContent}`);
  return made;
}

function rowOfCluster({ name: cluster, sealed, mode, lag, faults }) {
  const post = (path, body) => ['POST', path, { cluster, body }];
  return row(
    cluster,
    sealed ? button('Unseal', post('unseal')) : button('Seal', post('seal')),
    button('Crash and restart', post('replication/crash')),
    faults.length > 0
      ? button('Clear faults', ...faults.map(({ id }) => ['DELETE', `faults/${id}`]))
      : button('Answer 429', post('faults', { status: 429, retry_after: 1 })),
    ...(lag !== undefined
      ? [button('End delay', post('replication/resume'))]
      : mode === 'secondary'
        ? [button(`Delay by ${DELAY} s`, post('replication/delay', { by: DELAY }))]
        : []),
  );
}

function rowOfPair(cluster, from, partitions) {
  const isCut = partitions.some((pair) => pair.includes(cluster) && pair.includes(from));
  const [label, path] = isCut ? ['Heal', 'heal'] : ['Partition', 'partition'];
  return row(
    `${cluster} and ${from}`,
    button(label, ['POST', `replication/${path}`, { cluster, body: { from } }]),
  );
}

function rowOfClock(frozen) {
  const advance = (label, by) => button(label, ['POST', 'clock/advance', { body: { by } }]);
  const run = frozen
    ? button('Resume', ['POST', 'clock/resume'])
    : button('Freeze', ['POST', 'clock/freeze']);
  return row('clock', advance('+1 minute', '1m'), advance('+1 hour', '1h'), advance('+1 day', '24h'), run);
}

let shown = '';
function showControls({ clusters, partitions, frozen }) {
  const state = { clusters: clusters.map((each) => ({ ...each, faults: each.faults.map(({ id }) => id) })) };
  const now = JSON.stringify([state, partitions, frozen]);
  // Existing buttons are kept, so that they can be pressed and keep the focus.
  if (now === shown) return;
  shown = now;
  const pairs = clusters.flatMap(({ name }, index) =>
    clusters.slice(index + 1).map((other) => rowOfPair(name, other.name, partitions)),
  );
  at('controls').replaceChildren(...clusters.map(rowOfCluster), ...pairs, rowOfClock(frozen));
}

function showRequests({ requests }) {
  showTable(
    'requests',
    ['Time', 'Cluster', 'Request', 'Namespace', 'Status', 'Duration'],
    requests.map(({ time, cluster, method, path, namespace, status, duration }) => [
      { text: new Date(time).toLocaleTimeString() },
      { text: cluster },
      { text: `${method} ${path}` },
      { text: namespace },
      { text: status === 0 ? 'no answer' : String(status), tone: status === 0 || status >= 400 ? 'bad' : '' },
      { text: `${Math.round(duration)} ms` },
    ]),
  );
}

addParts();
takeToken();
const refresh = watch(
  () => call('GET', 'page'),
  (state) => {
    showControls(state);
    showRequests(state);
  },
);

addEventListener('hashchange', () => {
  takeToken();
  void refresh();
});
at('ask').addEventListener('submit', (event) => {
  event.preventDefault();
  const input = at('ask').querySelector('input');
  sessionStorage.setItem(STORED, input.value);
  input.value = '';
  void refresh();
});
