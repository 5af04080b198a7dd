import { watch } from './show.js';

watch(async () => {
  const answer = await fetch('state.json');
  if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
  return answer.json();
});
