import { watch } from './show.js';

/** The key in the tab's session storage, which is deleted when the tab is closed. */
const STORED = 'token';

function takeToken() {
  const given = new URLSearchParams(location.search).get('token');
  if (given === null) return;
  sessionStorage.setItem(STORED, given);
  // The token is removed from the address, because people copy addresses.
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
