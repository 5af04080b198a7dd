import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BOUNDED_OTHERWISE, WITHIN } from './complete';
import { ROWS } from './table';

const ROOT = join(__dirname, '../..');
/**
 * Matches exported functions that read foreign texts: functions whose name begins with a word such
 * as `parse`, generators, and functions with a stream as a parameter.
 */
const READERS = [
  /^export (?:async )?function\*? ((?:parse|read|decode|match|scan|compile|split|unpack|unescape|tokenize)\w*)/gm,
  /^export async function\* ?(\w+)/gm,
  /^export (?:async )?function (\w+)(?:<[^(]*>)?\([^)]*(?:AsyncIterable<|: Readable\b)/gm,
];

/**
 * Calls of a parser or of a reader of files. A function that contains such a call reads foreign
 * texts, whatever its name is.
 */
const CALLS_READER =
  /\b(?:JSON\.parse|parse(?:Foreign|Exact)?Json|parseJsonBody|parseHcl|read(?:Text|Plain)File|readFileInPlace|readFile(?:Sync)?|readStandardInput|X509Certificate|gunzipSync)\(/;
const DECLARATION =
  /^(?=(?:export |declare |async |abstract )*(?:function|class|const|let|interface|type)\b)/m;
const NAME = /^(export )?(?:async |abstract )*(?:function\*? ?|class |const |let )(\w+)/;

const TEXTS = ['src', 'constructs'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.includes('generated'))
    .map((file) => readFileSync(join(ROOT, folder, file), 'utf8')),
);
const inSources = [
  ...new Set(
    TEXTS.flatMap((text) => [
      ...READERS.flatMap((reader) => Array.from(text.matchAll(reader), ([, name]) => name!)),
      ...readersIn(text),
    ]),
  ),
];

/**
 * Returns the exported declarations of a file that call a reader, directly or through other
 * functions of the file.
 */
function readersIn(text: string): readonly string[] {
  const all = text.split(DECLARATION).flatMap((code) => {
    const [, isExported, name] = NAME.exec(code) ?? [];
    return name === undefined ? [] : [{ name, code, isExported: isExported !== undefined }];
  });
  const reading = new Set(all.filter(({ code }) => CALLS_READER.test(code)));
  for (let before = -1; before < reading.size;) {
    before = reading.size;
    const calls = [...reading].map(({ name }) => `${name}(`);
    for (const each of all) if (calls.some((call) => each.code.includes(call))) reading.add(each);
  }
  return [...reading].filter(({ isExported }) => isExported).map(({ name }) => name);
}

const inTable = new Set(ROWS.map(({ name }) => /^[\w.]+/.exec(name)![0]));
const others = [...Object.values(WITHIN), ...Object.values(BOUNDED_OTHERWISE)].flat();

test('each exported function that reads foreign texts has a row, or a reason to have none', () => {
  const known = new Set([...inTable, ...others]);
  expect(inSources.filter((name) => !known.has(name))).toEqual([]);
});

test('each function listed without a row exists and is listed once, and each function that measures others has a row', () => {
  expect(others.filter((name) => !inSources.includes(name) || inTable.has(name))).toEqual([]);
  expect(others.filter((name, index) => others.indexOf(name) !== index)).toEqual([]);
  expect(Object.keys(WITHIN).filter((name) => !inTable.has(name))).toEqual([]);
});
