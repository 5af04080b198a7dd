import { VaultError } from '../../../src/client';
import { Values } from './values';

test.each<[string, () => object]>([
  ['records', () => ({ a: 1, b: { c: [true, null, 'd', Infinity] } })],
  ['maps', () => new Map([['a', { b: new Set(['c']) }]])],
  ['records with and without a property that has no value', () => ({ a: 1, b: undefined })],
  ['errors of one kind', () => new VaultError({ code: 'timeout', message: 'no answer' })],
])('equal %s are one object', (_what, make) => {
  const values = new Values();
  expect(values.one({ it: make() })).toBe(values.one({ it: make() }));
});

test.each<[string, object, object]>([
  ['a number and its text', [1], ['1']],
  ['two texts and one with a comma', ['a', 'b'], ['a,1:b']],
  ['a list and a set', ['a'], new Set(['a'])],
  ['a record and a map', { a: 1 }, new Map([['a', 1]])],
  ['two orders of keys', { a: 1, b: 2 }, { b: 2, a: 1 }],
  [
    'two errors',
    new VaultError({ code: 'timeout', message: 'no' }),
    new VaultError({ code: 'denied', message: 'no' }),
  ],
])('%s are different objects', (_what, one, other) => {
  const values = new Values();
  expect(values.one([one])).not.toBe(values.one([other]));
});

test('a value that is kept is equal to the given one, and cannot be changed', () => {
  const given = { a: [1, { b: 'c' }], d: new Map([['e', new Set(['f'])]]) };
  const kept = new Values().one(given);
  expect(kept).toEqual(given);
  expect(() => kept.a.push(2)).toThrow(TypeError);
  given.a.push(2);
  expect(kept.a).toEqual([1, { b: 'c' }]);
});

test('parts that are equal are one object', () => {
  const { a, b } = new Values().one({ a: { c: 1 }, b: { c: 1 } });
  expect(a).toBe(b);
});

test('names that servers invented are numbered by their first use, also in keys and within texts', () => {
  const values = new Values();
  const value = { set: '§s7', keys: ['§k!', '§k3'], text: 'of §s7 with §k3', '§i9': '§s2' };
  expect(values.numbered(value)).toEqual({
    set: '§s0',
    keys: ['§k0', '§k1'],
    text: 'of §s0 with §k1',
    '§i0': '§s1',
  });
  expect(values.numbered({ to: '§s4', from: ['§s1'] })).toBe(values.numbered({ to: '§s0', from: ['§s1'] }));
  expect(values.numbered({ to: '§s4', from: ['§s4'] })).not.toBe(
    values.numbered({ to: '§s4', from: ['§s1'] }),
  );
});
