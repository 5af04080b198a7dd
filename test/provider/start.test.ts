/** What Terraform waits for, several times in each of its commands: what a start of the executable reads. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { providerPackage } from '../../constructs/placement/provider-package';
import { createCertificate } from '../../src/plugin/wire/certificate';
import { PROVIDER_VERSION } from '../../src/provider';

const EXECUTABLE = `terraform-provider-vaultadmin_v${PROVIDER_VERSION}`;
/** Modules of Node that nothing needs before the handshake. */
const NOT_YET = ['http2', 'tls', 'zlib', 'worker_threads', 'fs/promises'].map(
  (name) => `NativeModule ${name}`,
);
/** In bytes. What is not needed here is in files of its own, which scripts/bundle-provider.mjs names. */
const MOST_SOURCES = 55_000;

/** Read by Node before the executable: notes what is loaded when the first line, the handshake, is written. */
const NOTE_AT_HANDSHAKE = `
const fs = require('node:fs');
const { writeSync } = fs;
fs.writeSync = (...args) => {
  fs.writeFileSync(process.env.NOTE, JSON.stringify([Object.keys(require.cache), process.moduleLoadList]));
  fs.writeSync = writeSync;
  return writeSync(...args);
};
`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'start-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('before the handshake, the executable reads nothing but that', async () => {
  const { files, builtIn } = await loadedAtHandshake();
  expect(files.map((file) => basename(file))).toEqual([EXECUTABLE, 'handshake.js']);
  const sources = files.map((file) => statSync(file).size).reduce((sum, size) => sum + size, 0);
  expect(sources).toBeLessThan(MOST_SOURCES);
  expect(builtIn.filter((name) => NOT_YET.includes(name))).toEqual([]);
});

/** Starts the provider as Terraform does. */
async function loadedAtHandshake(): Promise<{ files: readonly string[]; builtIn: readonly string[] }> {
  const hook = join(folder, 'hook.cjs');
  const note = join(folder, 'note.json');
  writeFileSync(hook, NOTE_AT_HANDSHAKE);
  const child = spawn(join(providerPackage().folder, EXECUTABLE), {
    env: {
      PATH: process.env.PATH,
      NODE_OPTIONS: `--require ${hook}`,
      NOTE: note,
      TF_PLUGIN_MAGIC_COOKIE: 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2',
      PLUGIN_PROTOCOL_VERSIONS: '6',
      PLUGIN_UNIX_SOCKET_DIR: folder,
      PLUGIN_CLIENT_CERT: createCertificate().pem,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  child.kill('SIGKILL');
  await ended;
  const [files, builtIn] = JSON.parse(readFileSync(note, 'utf8')) as [string[], string[]];
  return { files: files.filter((file) => file !== hook), builtIn };
}
