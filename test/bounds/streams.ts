import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { linesOf } from '../../src/cli/policy/audit/lines';
import { packSnapshot, readSnapshot } from '../../src/emulator/auto-snapshots/archive';
import { contentWithin, snapshotNames } from '../../src/emulator/auto-snapshots/targets/target';
import type { SnapshotConfig } from '../../src/emulator/auto-snapshots/store';
import { Journal, readJournal } from '../../src/emulator/data-folder/journal';
import { readBody } from '../../src/emulator/http/body-reader';
import { temporaryFolder } from '../support/temporary-folder';
import { asyncRow, type Bound, times } from './rows';

const folder = temporaryFolder('bounds');

const KEY = Buffer.alloc(32, 7).toString('base64');
const META = {
  Version: 1,
  ID: 'i',
  ClusterID: 'c',
  ClusterName: 'us',
  Created: '2026-01-01T00:00:00Z',
  Index: 1,
} as const;
const config = { file_prefix: 'vault' } as SnapshotConfig;

function logOf(size: number): string {
  const file = join(folder, `${size}.log`);
  writeFileSync(
    file,
    times(size, (index) => `{"a":${index}}\n`),
  );
  return file;
}

/** Returns a file with one line without an end, which is read in many chunks. */
function longLine(size: number): string {
  const file = join(folder, `${size}.line`);
  writeFileSync(file, Buffer.alloc(size * 2 ** 18, 'a'));
  return file;
}

async function readAll(file: string): Promise<number> {
  let count = 0;
  for await (const lines of linesOf(file)) count += lines.length;
  return count;
}

async function journalOf(size: number): Promise<string> {
  const file = join(folder, `${size}.journal`);
  const journal = await Journal.open(file, 0);
  for (let index = 0; index < size; index++) await journal.append([['kv', `k${index}`, index]]);
  await journal.close();
  return file;
}

/** Returns a journal whose lines are all damaged, except for the first one. */
async function tornJournal(size: number): Promise<string> {
  const file = await journalOf(1);
  writeFileSync(file, '00000000 []\n'.repeat(size), { flag: 'a' });
  return file;
}

function bodyOf(chunks: number): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  for (let chunk = 0; chunk < chunks; chunk++) request.push('{"a":1}');
  request.push(null);
  return request;
}

async function bodyRead(request: IncomingMessage): Promise<void> {
  readBody(request, { isUpload: false, isNeeded: () => true }, () => {});
  await once(request, 'end');
}

function each<T>(size: number, part: (index: number) => T): () => AsyncIterable<T> {
  return async function* () {
    for (let index = 0; index < size; index++) yield await Promise.resolve(part(index));
  };
}

export const STREAM_BOUNDS: readonly Bound[] = [
  asyncRow('audit log', 'linesOf', logOf, readAll),
  asyncRow('audit log', 'linesOf, of a line in many chunks', longLine, readAll, {
    sizes: [8, 32],
    size: 'last line of an audit log',
  }),
  asyncRow(
    'server',
    'readSnapshot',
    (size) =>
      packSnapshot(
        {
          meta: META,
          entries: Array.from({ length: size }, (_, index) => [`k${index}`, { a: index }] as const),
        },
        KEY,
      ),
    (archive) => readSnapshot(archive, KEY),
    { size: 'snapshot in an object store' },
  ),
  asyncRow('file', 'readJournal', journalOf, (file) => Promise.resolve(readJournal(file))),
  asyncRow('file', 'readJournal, of damaged lines', tornJournal, (file) =>
    Promise.resolve(readJournal(file)),
  ),
  asyncRow('request', 'readBody', bodyOf, bodyRead, { sizes: [256, 1_024] }),
  asyncRow(
    'server',
    'contentWithin',
    (size) => each(size, () => new Uint8Array(9)),
    (stream) => contentWithin(stream()),
    { size: 'snapshot in an object store' },
  ),
  asyncRow(
    'server',
    'snapshotNames',
    (size) => each(size, (index) => `vault-${index}.snap`),
    (listed) => snapshotNames(config, listed()),
    { size: 'listing of an object store' },
  ),
];
