import { SYSTEM_CLOCK } from '../../../src/client/transport/clock';
import { Exchange } from '../../../src/client/transport/exchange';

const exchange = () => new Exchange({ clock: SYSTEM_CLOCK, timeout: Infinity });

test.each([
  ['no piece', [], ''],
  ['one piece', ['abc'], 'abc'],
  ['pieces that divide a character', [Buffer.from('ü').subarray(0, 1), Buffer.from('ü').subarray(1)], 'ü'],
  ['empty pieces', ['', 'a', '', 'b', ''], 'ab'],
  ['pieces of growing length', ['a', 'bb', 'c'.repeat(100), 'd'], `abb${'c'.repeat(100)}d`],
])('an answer in %s is read completely', async (_, pieces, body) => {
  const received = exchange();
  received.onResponseStart(undefined, 200, {});
  for (const piece of pieces) received.onResponseData(undefined, Buffer.from(piece));
  received.onResponseEnd();
  expect(await received.outcome).toEqual({ kind: 'answer', status: 200, headers: {}, body });
});

test('an answer in two million parts of one byte needs little memory', async () => {
  const source = Buffer.alloc(1024, 'x');
  const received = exchange();
  const before = process.memoryUsage().heapUsed;
  for (let count = 0; count < 2_000_000; count++) {
    received.onResponseData(undefined, source.subarray(count % 1024, (count % 1024) + 1));
  }
  // If all parts were kept, they would take some 200 MB.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(100_000_000);
  received.onResponseEnd();
  expect(await received.outcome).toMatchObject({ kind: 'answer', body: 'x'.repeat(2_000_000) });
});
