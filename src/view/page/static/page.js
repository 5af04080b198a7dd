import { watch } from './show.js';

/** The name in the storage of the tab, which is gone when the tab is closed. */
const STORED = 'token';

function takeToken() {
  const given = new URLSearchParams(location.search).get('token');
  if (given === null) return;
  sessionStorage.setItem(STORED, given);
  // It must not stay in the address, which people copy.
  history.replaceState(null, '', location.pathname);
}

takeToken();
watch(async () => {
  const token = sessionStorage.getItem(STORED) ?? '';
  const answer = await fetch(`state.json?token=${encodeURIComponent(token)}`);
  if (answer.status === 403) throw new Error(await answer.text());
  if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
  return answer.json();
});
