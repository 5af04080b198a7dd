import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BOUNDED_OTHERWISE, WITHIN } from './complete';
import { ROWS } from './table';

const ROOT = join(__dirname, '../..');
/** Functions with such names, generators, and those that receive streams read what others wrote. */
const READERS = [
  /^export (?:async )?function\*? ((?:parse|read|decode|match|scan|compile|split|unpack|unescape|tokenize)\w*)/gm,
  /^export async function\* ?(\w+)/gm,
  /^export (?:async )?function (\w+)(?:<[^(]*>)?\([^)]*(?:AsyncIterable<|: Readable\b)/gm,
];

const inSources = ['src', 'constructs'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.includes('generated'))
    .map((file) => readFileSync(join(ROOT, folder, file), 'utf8'))
    .flatMap((text) => READERS.flatMap((reader) => Array.from(text.matchAll(reader), ([, name]) => name!))),
);
const inTable = new Set(ROWS.map(({ name }) => /^[\w.]+/.exec(name)![0]));
const others = [...Object.values(WITHIN), ...Object.values(BOUNDED_OTHERWISE)].flat();

test('each exported function that reads foreign texts by its name has a row, or a reason to have none', () => {
  const known = new Set([...inTable, ...others]);
  expect(inSources.filter((name) => !known.has(name))).toEqual([]);
});

test('functions without a row exist, are listed once, and are part of functions with rows', () => {
  expect(others.filter((name) => !inSources.includes(name) || inTable.has(name))).toEqual([]);
  expect(others.filter((name, index) => others.indexOf(name) !== index)).toEqual([]);
  expect(Object.keys(WITHIN).filter((name) => !inTable.has(name))).toEqual([]);
});
