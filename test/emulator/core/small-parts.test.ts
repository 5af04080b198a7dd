import { serverFlavour } from '../../../src/emulator/core/flavour';
import { randomText } from '../../../src/emulator/core/primitives/identifiers';
import { parseJson, stringifyJson } from '../../../src/emulator/core/primitives/json';
import { MemoryStorage } from '../../../src/emulator/core/stores/storage';
import { calculateTtl } from '../../../src/emulator/core/stores/ttl';

describe('storage', () => {
  it('lists folders, and clears what is below one', () => {
    let changes = 0;
    const storage = new MemoryStorage(() => (changes += 1));
    for (const key of ['b', 'a/x', 'a/y/z', 'ab']) storage.put(key, { key });
    expect(storage.list('')).toEqual(['a/', 'ab', 'b']);
    expect(storage.list('a/')).toEqual(['x', 'y/']);
    expect(storage.keys('a/')).toEqual(['x', 'y/z']);
    const view = storage.view('a/');
    expect([view.get('x'), view.list('y/'), view.view('y/').get('z')]).toEqual([
      { key: 'a/x' },
      ['z'],
      { key: 'a/y/z' },
    ]);
    view.put('w', 1);
    view.delete('nothing');
    expect(changes).toBe(5);
    storage.clear('a/');
    expect(storage.keys('')).toEqual(['ab', 'b']);
  });

  it('is taken over from a snapshot', () => {
    const storage = new MemoryStorage();
    storage.put('a', 'b');
    const copy = new MemoryStorage(() => {
      throw new Error('loading is no change');
    });
    copy.load(storage.entries());
    expect(copy.get('a')).toBe('b');
  });
});

describe('JSON', () => {
  it('keeps integers that numbers would round', () => {
    const text =
      '{"slot":2305843009213693953,"small":1,"float":0.12345678901234567,"text":"1234567890123456789"}';
    expect(parseJson(text)).toEqual({
      slot: 2305843009213693953n,
      small: 1,
      float: 0.12345678901234566,
      text: '1234567890123456789',
    });
    expect(stringifyJson(parseJson('{"a":[2305843009213693953,1]}'))).toBe('{"a":[2305843009213693953,1]}');
    expect(stringifyJson({ a: undefined, b: null })).toBe('{"b":null}');
  });

  it('is refused where it is none', () => {
    expect(() => parseJson('{')).toThrow(SyntaxError);
    expect(() => parseJson('{"a": 1234567890123456789')).toThrow(SyntaxError);
  });
});

describe('server versions', () => {
  it.each([
    ['1.21.0+ent', '1.21.0+ent', true],
    ['1.13', '1.13.0', false],
    ['1.17.2', '1.17.2', false],
    ['2.0.1+ent.hsm', '2.0.1+ent.hsm', true],
  ])('%s is %s, enterprise %p', (text, version, enterprise) => {
    expect(serverFlavour(text)).toMatchObject({ version, enterprise, dialect: 'vault' });
  });

  it('compare', () => {
    const server = serverFlavour('1.16.3+ent');
    const asked: [number, number][] = [
      [1, 16],
      [1, 9],
      [1, 17],
      [2, 0],
    ];
    expect(asked.map((version) => server.atLeast(...version))).toEqual([true, true, false, false]);
    expect(serverFlavour('2.0.0').atLeast(1, 99)).toBe(true);
  });
});

describe('TTLs', () => {
  const mount = { default: 3600, max: 7200 };

  it.each([
    ['the default', {}, 0, 3600, []],
    ['what is asked for', { ttl: 60 }, 0, 60, []],
    ['an increment first', { ttl: 60, increment: 120 }, 0, 120, []],
    [
      "the mount's maximum",
      { ttl: 9000 },
      0,
      7200,
      ['TTL of "2h30m" exceeded the effective max_ttl of "2h"; TTL value is capped accordingly'],
    ],
    [
      'what is left of the maximum',
      { ttl: 3600, explicitMaxTtl: 4000 },
      1000,
      3000,
      ['TTL of "1h" exceeded the effective max_ttl of "50m"; TTL value is capped accordingly'],
    ],
    ['a period, however old', { period: 600 }, 100_000, 600, []],
    [
      'a period up to the maximum',
      { period: 9000 },
      0,
      7200,
      ['period of "2h30m" exceeded the effective max_ttl of "2h"; period value is capped accordingly'],
    ],
    ['nothing past the maximum', { maxTtl: 100 }, 100, undefined, []],
  ])('are %s', (_, request, age, ttl, warnings) => {
    expect(calculateTtl(request, mount, age)).toEqual({ ttl, warnings });
  });
});

it('makes random text of letters and digits', () => {
  expect(randomText(100)).toMatch(/^[0-9A-Za-z]{100}$/);
  expect(randomText(24)).not.toBe(randomText(24));
});
