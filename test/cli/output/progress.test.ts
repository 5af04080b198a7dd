import { Progress } from '../../../src/cli/output/progress';

const CLEAR = '\r\u001b[K';

/** The text that is written to a stream with these properties. */
function written(facts: { isTTY: boolean; columns: number }, use: (progress: Progress) => void): string {
  let text = '';
  use(new Progress({ ...facts, write: (chunk: string | Uint8Array) => (text += String(chunk)) !== '' }));
  return text;
}

test('progress is one line on a terminal, which is removed in the end', () => {
  const text = written({ isTTY: true, columns: 80 }, (progress) => {
    progress.say('reading us');
    progress.end();
  });
  expect(text).toBe(`${CLEAR}reading us${CLEAR}`);
});

test('does not change faster than it can be read', () => {
  const text = written({ isTTY: true, columns: 80 }, (progress) => {
    progress.say('reading: 1 of 9');
    progress.say('reading: 2 of 9');
  });
  expect(text).toBe(`${CLEAR}reading: 1 of 9`);
});

test('fits into a narrow terminal', () => {
  const text = written({ isTTY: true, columns: 8 }, (progress) => progress.say('reading us'));
  expect(text).toBe(`${CLEAR}reading`);
});

test('progress is not written if the stream is not a terminal', () => {
  const text = written({ isTTY: false, columns: 80 }, (progress) => {
    progress.say('reading us');
    progress.end();
  });
  expect(text).toBe('');
});
