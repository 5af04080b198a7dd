import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const SOURCES = join(__dirname, '../../src');
const FILES = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.includes('generated'))
  .map((file) => file.replaceAll('\\', '/'));

/** By name of a type in two folders, the reason why both types keep the name. */
const SHARED_TYPE_NAMES: Readonly<Record<string, string>> = {
  RequestOptions: 'users import one from the package’s client, the other from its policy',
};

/** Names of files that have the same role in each folder. */
const NAMED_BY_ROLE = ['index.ts', 'messages.ts', 'errors.ts', 'command.ts'];

/** Folders whose files are named after kinds of objects or topics, with one file for each. */
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

test('no two exported types of the sources have the same name', () => {
  const exported = /^export (?:abstract )?(?:interface|type|class|enum) (\w+)/gm;
  const places = placesOf((file) =>
    [...readFileSync(join(SOURCES, file), 'utf8').matchAll(exported)].map(([, name = '']) => name),
  );
  const shared = [...places].filter(([name, files]) => files.length > 1 && !(name in SHARED_TYPE_NAMES));
  expect(shared).toEqual([]);
  expect(Object.keys(SHARED_TYPE_NAMES).filter((name) => (places.get(name) ?? []).length < 2)).toEqual([]);
});

test(`a file name is used at most ${MOST_OF_A_NAME} times, except for names of a role and in folders of kinds`, () => {
  const places = placesOf((file) =>
    NAMED_BY_ROLE.includes(basename(file)) || TABLES.some((folder) => file.startsWith(folder))
      ? []
      : [basename(file)],
  );
  expect([...places].filter(([, files]) => files.length > MOST_OF_A_NAME)).toEqual([]);
});
