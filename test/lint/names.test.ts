import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const SOURCES = join(__dirname, '../../src');
const FILES = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.includes('generated'))
  .map((file) => file.replaceAll('\\', '/'));

/** Types of the same name in two folders, with the reason why both keep it. */
const SHARED_TYPE_NAMES: Readonly<Record<string, string>> = {
  RequestOptions: 'users import one from the package’s client, the other from its policy',
};

/** Files that have the same role in each folder: the name says which content to expect. */
const NAMED_BY_ROLE = ['index.ts', 'messages.ts', 'errors.ts', 'command.ts'];

/** Folders with one file for each kind of object or topic, which their files are named after. */
const TABLES = [
  'cli/adopt/kinds/',
  'cli/verify/probes/',
  'client/groups/',
  'emulator/assume/',
  'model/audit-devices/',
  'model/auto-snapshots/',
  'model/policies/',
  'model/replication/',
];

const MOST_OF_A_NAME = 4;

function placesOf(names: (file: string) => readonly string[]): ReadonlyMap<string, readonly string[]> {
  const places = new Map<string, readonly string[]>();
  for (const file of FILES)
    for (const name of new Set(names(file))) places.set(name, [...(places.get(name) ?? []), file]);
  return places;
}

test('an exported type of the sources has a name that no other has', () => {
  const exported = /^export (?:abstract )?(?:interface|type|class|enum) (\w+)/gm;
  const places = placesOf((file) =>
    [...readFileSync(join(SOURCES, file), 'utf8').matchAll(exported)].map(([, name = '']) => name),
  );
  const shared = [...places].filter(([name, files]) => files.length > 1 && !(name in SHARED_TYPE_NAMES));
  expect(shared).toEqual([]);
  expect(Object.keys(SHARED_TYPE_NAMES).filter((name) => (places.get(name) ?? []).length < 2)).toEqual([]);
});

test(`a name of a file is used at most ${MOST_OF_A_NAME} times outside of tables`, () => {
  const places = placesOf((file) =>
    NAMED_BY_ROLE.includes(basename(file)) || TABLES.some((folder) => file.startsWith(folder))
      ? []
      : [basename(file)],
  );
  expect([...places].filter(([, files]) => files.length > MOST_OF_A_NAME)).toEqual([]);
});
