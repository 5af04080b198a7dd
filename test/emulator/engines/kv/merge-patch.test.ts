import { mergePatch } from '../../../../src/emulator/engines/kv/data';

it.each([
  [{ a: 1 }, {}, { a: 1 }],
  [{ a: 1 }, { a: 2, b: 3 }, { a: 2, b: 3 }],
  [{ a: 1, b: 2 }, { a: null }, { b: 2 }],
  [{ a: { b: 1, c: 2 } }, { a: { c: null, d: [1] } }, { a: { b: 1, d: [1] } }],
  [{ a: [1, 2] }, { a: [3] }, { a: [3] }],
  [{ a: 1 }, { a: { b: null, c: 1 } }, { a: { c: 1 } }],
  [{}, { a: null }, {}],
])('the value %j patched with %j becomes %j', (target, patch, expected) =>
  expect(mergePatch(target, patch)).toEqual(expected),
);
