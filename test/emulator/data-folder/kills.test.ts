import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder';
import { Api } from '../support/api';

/** The number of rounds; `npm run kills` sets another one. */
const ROUNDS = Number(process.env.KILLS_ROUNDS ?? 4);
const WRITERS = 8;
/** The maximum number of acknowledged writes before the kill. */
const LONGEST_LIFE = 400;
/**
 * The maximum time between the last of these writes and the kill, in milliseconds. The kill can be
 * at any stage of the next write.
 */
const LONGEST_WAIT = 5;
const MAIN = join(__dirname, '../../../lib/src/cli/main.js');

let folder: string;
let child: ChildProcess | undefined;
beforeEach(() => (folder = temporaryFolder('kills')));
afterEach(() => child?.kill('SIGKILL'));

async function start(): Promise<Api> {
  child = spawn(process.execPath, [MAIN, 'emulator', '--json', '--root-token', 'root', '--data', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close').then(([code]) => {
    throw new Error(`the emulator ended with ${code}, before it listened`);
  });
  const [line] = (await Promise.race([once(child.stdout!, 'data'), ended])) as [Buffer];
  ended.catch(() => {});
  const { clusters } = JSON.parse(line.toString()) as { clusters: { default: { address: string } } };
  return new Api(clusters.default.address);
}

async function kill(): Promise<void> {
  const ended = once(child!, 'close');
  child!.kill('SIGKILL');
  await ended;
}

/** The acknowledged writes of one writer. */
interface Written {
  readonly name: string;
  acknowledged: number;
}

/** Writes until the server has ended, to a new key and to one key that stays the same in turns. */
async function writeOn(api: Api, written: Written, onAnswer: () => void): Promise<void> {
  for (let count = 1; ; count += 1) {
    for (const key of [count, 'latest']) {
      const answer = await api.put(`kv/${written.name}/${key}`, { count }).catch(() => undefined);
      if (answer === undefined) return;
      expect(answer.status).toBe(204);
      onAnswer();
    }
    written.acknowledged = count;
  }
}

/** Starts the writers, and kills the server once it has acknowledged some writes. */
async function writeAndKill(api: Api, round: number): Promise<readonly Written[]> {
  const all = Array.from({ length: WRITERS }, (_, index) => ({ name: `${round}-${index}`, acknowledged: 0 }));
  let left = Math.ceil(Math.random() * LONGEST_LIFE);
  const killed = new Promise<void>((resolve) => {
    const onAnswer = () => {
      left -= 1;
      if (left === 0) setTimeout(() => void kill().then(resolve), Math.random() * LONGEST_WAIT);
    };
    for (const written of all) void writeOn(api, written, onAnswer);
  });
  await killed;
  return all;
}

async function lostOf(api: Api, { name, acknowledged }: Written): Promise<readonly string[]> {
  if (acknowledged === 0) return [];
  const { keys } = (await api.list(`kv/${name}`)).body.data as { keys: string[] };
  const present = new Set(keys);
  const expected = Array.from({ length: acknowledged }, (_, index) => String(index + 1));
  const { count } = (await api.get(`kv/${name}/latest`)).body.data as { count: number };
  return [
    ...expected.filter((key) => !present.has(key)).map((key) => `${name}/${key}`),
    ...(count < acknowledged ? [`${name}/latest is ${count}, not ${acknowledged}`] : []),
  ];
}

test(
  `acknowledged writes exist after each of ${ROUNDS} kills`,
  async () => {
    await (await start()).put('sys/mounts/kv', { type: 'kv' });
    await kill();
    let total = 0;
    for (let round = 1; round <= ROUNDS; round += 1) {
      const all = await writeAndKill(await start(), round);
      const after = await start();
      for (const written of all) {
        total += written.acknowledged;
        expect(await lostOf(after, written)).toEqual([]);
      }
      await kill();
    }
    expect(total).toBeGreaterThan(0);
  },
  60_000 + ROUNDS * 5_000,
);
