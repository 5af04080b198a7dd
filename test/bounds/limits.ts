/** The code that limits the sizes of inputs before the measured functions read them. */
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { linesOf } from '../../src/cli/policy/audit/lines';
import { changesInPlan } from '../../src/cli/plan/read-plan';
import { stacksIn } from '../../src/cli/stacks/stacks';
import { parseJson } from '../../src/client/answer/json';
import { SYSTEM_CLOCK } from '../../src/client/transport/clock';
import { Exchange, MAX_ANSWER } from '../../src/client/transport/exchange';
import { LONGEST_SNAPSHOT } from '../../src/emulator/auto-snapshots/archive';
import type { SnapshotConfig } from '../../src/emulator/auto-snapshots/store';
import { contentWithin, snapshotNames } from '../../src/emulator/auto-snapshots/targets/target';
import { MAX_REQUEST_ENTRIES } from '../../src/emulator/core/primitives/json';
import { readBody } from '../../src/emulator/http/body-reader';
import { readCall, readTarget } from '../../src/emulator/http/call-reader';
import { Effort } from '../../src/model/acl/effort';
import { encodeHeaders } from '../../src/plugin/wire/hpack';
import { Http2Connection, LARGEST_BODY } from '../../src/plugin/wire/http2';
import { readTextFile } from '../../src/policy/text-file';
import { LONGEST_NUMBER } from '../../src/text';
import { frame, PATH, PREFACE, SETTINGS } from '../plugin/wire/support/frames';
import { temporaryFolder } from '../support/temporary-folder';

export interface Limit {
  /** The largest size that is accepted. */
  readonly most: number;
  readonly unit: 'bytes' | 'characters' | 'entries' | 'steps';
  /**
   * Passes an input of the given size to the code with the limit.
   *
   * @throws the error of that code if it refuses the input
   */
  readonly take: (size: number) => unknown;
}

const MIB = 2 ** 20;
const folder = temporaryFolder('limits');

/** Returns a file of zeros, which takes no space on most disks. */
function fileOf(size: number, end = ''): string {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  truncateSync(file, size);
  writeFileSync(file, end, { flag: 'a' });
  return file;
}

async function* chunksOf<T>(count: number, chunk: (index: number) => T): AsyncIterable<T> {
  for (let index = 0; index < count; index++) yield await Promise.resolve(chunk(index));
}

async function takeLine(size: number, end: string): Promise<void> {
  for await (const lines of linesOf(fileOf(size, end))) {
    if (lines.includes('')) throw new Error('the line was cut');
  }
}

function takePlan(size: number): void {
  try {
    changesInPlan(fileOf(size));
  } catch (error) {
    if (!String(error).includes('is not a plan in JSON')) throw error;
  }
}

function takeStack(size: number): void {
  const stack = join(folder, 'stacks', 'it');
  mkdirSync(stack, { recursive: true });
  const file = join(stack, 'cdk.tf.json');
  writeFileSync(file, '');
  truncateSync(file, size);
  try {
    stacksIn(folder);
  } catch (error) {
    if (!String(error).includes('is not valid JSON')) throw error;
  }
}

async function takeAnswer(size: number): Promise<void> {
  const exchange = new Exchange({ clock: SYSTEM_CLOCK, timeout: Infinity });
  exchange.onResponseStart(undefined, 200, {});
  exchange.onResponseData(undefined, Buffer.alloc(size));
  exchange.onResponseEnd();
  const outcome = await exchange.outcome;
  if (outcome.kind === 'failure') throw new Error(outcome.reason);
}

async function takeBody(size: number): Promise<void> {
  const request = new IncomingMessage(new Socket());
  request.push(Buffer.alloc(size));
  request.push(null);
  const body = await new Promise((resolve) =>
    readBody(request, { isUpload: false, isNeeded: () => true }, resolve),
  );
  if (typeof body === 'string') throw new Error(body);
}

async function takeObject(size: number): Promise<void> {
  const [whole, rest] = [Math.floor(size / MIB), size % MIB];
  const chunk = Buffer.alloc(MIB);
  await contentWithin(chunksOf(whole + 1, (index) => (index < whole ? chunk : chunk.subarray(0, rest))));
}

function takeEntries(size: number): void {
  const url = '/v1/a';
  const request = { method: 'POST', url, ...readTarget(url)!, headers: {}, remoteAddress: '127.0.0.1' };
  readCall(request, `{"a":[${Array(size).fill('1').join(',')}]}`, { loadsSnapshots: true });
}

async function takeFrames(frames: readonly Buffer[]): Promise<void> {
  const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
  const connection = new Http2Connection(socket);
  const isRead = new Promise<void>((resolve, reject) => {
    connection.onStream = (stream) => (stream.onRequest = () => resolve());
    connection.on('close', () => reject(new Error('the connection was closed')));
  });
  socket.push(Buffer.concat([PREFACE, SETTINGS]));
  for (const each of frames) socket.push(each);
  await isRead;
}

const FRAME = 16_384;
const END_STREAM = 1;
const END_HEADERS = 4;

async function takeMessage(size: number): Promise<void> {
  const whole = Array<Buffer>(Math.ceil(size / FRAME) - 1).fill(frame(0, 0, 1, Buffer.alloc(FRAME)));
  const last = frame(0, END_STREAM, 1, Buffer.alloc(size - whole.length * FRAME));
  await takeFrames([frame(1, END_HEADERS, 1, PATH), ...whole, last]);
}

async function takeHeaders(size: number): Promise<void> {
  const path = Buffer.from(PATH, 'hex');
  const lengths = encodeHeaders([['x', 'a'.repeat(size)]]).length - size;
  const more = encodeHeaders([['x', 'a'.repeat(size - path.length - lengths)]]);
  const block = Buffer.concat([path, more]);
  const parts = Array.from({ length: Math.ceil(size / FRAME) }, (_, index) =>
    block.subarray(index * FRAME, (index + 1) * FRAME),
  );
  await takeFrames(
    parts.map((part, index) => {
      const flags = index === parts.length - 1 ? END_HEADERS : 0;
      return index === 0 ? frame(1, flags | END_STREAM, 1, part) : frame(9, flags, 1, part);
    }),
  );
}

/**
 * Starts a program with an environment variable of the given size, including the name and the final
 * zero byte, as Linux counts it.
 */
function takeVariable(size: number): void {
  const { error } = spawnSync(process.execPath, ['--version'], {
    env: { A: 'a'.repeat(size - 'A='.length - 1) },
  });
  if (error) throw error;
}

export const LIMITS = {
  'text file': { most: 32 * MIB, unit: 'bytes', take: (size) => readTextFile(fileOf(size)) },
  'plan file': { most: 256 * MIB, unit: 'bytes', take: takePlan },
  stack: { most: 256 * MIB, unit: 'bytes', take: takeStack },
  'line of an audit log': { most: 64 * MIB, unit: 'bytes', take: (size) => takeLine(size, '\n') },
  'last line of an audit log': { most: 64 * MIB, unit: 'bytes', take: (size) => takeLine(size, '') },
  'answer of a server': { most: MAX_ANSWER, unit: 'bytes', take: takeAnswer },
  'body of a request': { most: 32 * MIB, unit: 'bytes', take: takeBody },
  'list or object in a request': { most: MAX_REQUEST_ENTRIES, unit: 'entries', take: takeEntries },
  'message of Terraform': { most: LARGEST_BODY, unit: 'bytes', take: takeMessage },
  'headers of a call of Terraform': { most: 65_536, unit: 'bytes', take: takeHeaders },
  'snapshot in an object store': { most: LONGEST_SNAPSHOT, unit: 'bytes', take: takeObject },
  'listing of an object store': {
    most: 10_000,
    unit: 'entries',
    take: (size) => snapshotNames({ file_prefix: 'a' } as SnapshotConfig, chunksOf(size, String)),
  },
  'number in an answer': {
    most: LONGEST_NUMBER,
    unit: 'characters',
    take: (size) => parseJson('1'.repeat(size)),
  },
  'steps of an examination': {
    most: 5_000_000,
    unit: 'steps',
    take: (steps) => Effort.for([{ names: [], characters: 32 * MIB }]).spend(steps),
  },
  'variable of the environment': { most: 131_072, unit: 'bytes', take: takeVariable },
} as const satisfies Readonly<Record<string, Limit>>;
