/**
 * The files that the executable reads when it starts. Terraform waits for them several times in
 * each of its commands.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { providerPackage } from '../../constructs/placement/provider-package';
import { allOf } from '../../src/plugin/author/provider';
import { complete } from '../../src/plugin/server/content';
import { shapeOf } from '../../src/plugin/server/shape';
import { served } from '../../src/plugin/served';
import { createCertificate } from '../../src/plugin/wire/certificate';
import { PROVIDER, PROVIDER_VERSION } from '../../src/provider';
import { KNOWN_CALLS } from '../../src/provider/start-provider';
import { ProtocolClient } from '../plugin/support/client';
import { GREETING } from '../plugin/support/process';
import { temporaryFolder } from '../support/temporary-folder';

const EXECUTABLE = `terraform-provider-vaultadmin_v${PROVIDER_VERSION}`;
/** Modules of Node that no code needs before the handshake. */
const NOT_YET = ['http2', 'tls', 'zlib', 'worker_threads', 'fs/promises'].map(
  (name) => `NativeModule ${name}`,
);
/**
 * The largest size of the main file, in bytes. Other files contain the code that a start does not
 * need; scripts/bundle-provider.mjs lists them.
 */
const MOST_SOURCES = 64_000;

/**
 * Code that runs before the executable. It records which files and modules are loaded until the
 * handshake, which is the first line, is written.
 */
const NOTE_AT_HANDSHAKE = `
const fs = require('node:fs');
const { readFileSync, writeSync } = fs;
const read = [];
fs.readFileSync = (file, ...args) => {
  read.push(String(file));
  return readFileSync(file, ...args);
};
fs.writeSync = (...args) => {
  fs.writeFileSync(process.env.NOTE, JSON.stringify([read, process.moduleLoadList]));
  fs.writeSync = writeSync;
  return writeSync(...args);
};
`;

let folder: string;
beforeAll(() => {
  folder = temporaryFolder('start');
});

test('before the handshake, the executable reads only the expected files and modules', async () => {
  const { files, builtIn } = await loadedAtHandshake();
  expect(files.map((file) => basename(file))).toEqual([EXECUTABLE, 'handshake.js']);
  const sources = files.map((file) => statSync(file).size).reduce((sum, size) => sum + size, 0);
  expect(sources).toBeLessThan(MOST_SOURCES);
  expect(builtIn.filter((name) => NOT_YET.includes(name))).toEqual([]);
});

test('the provider loads no module that only few calls need', () => {
  const provider = JSON.stringify(join(providerPackage().folder, 'provider.js'));
  const loadedFor = (code: string) =>
    execFileSync(
      process.execPath,
      ['-e', `${code}; console.log(process.moduleLoadList.join('\\n')); process.exit()`],
      { encoding: 'utf8', env: { ...GREETING, PLUGIN_UNIX_SOCKET_DIR: folder } },
    ).split('\n');
  const before = loadedFor('0');
  // TLS is loaded with the first connection.
  const rarelyNeeded = [
    ...NOT_YET.filter((name) => name !== 'NativeModule tls'),
    'NativeModule timers/promises',
  ];
  const added = loadedFor(`require(${provider})`).filter((name) => !before.includes(name));
  expect(added).toContain('NativeModule crypto');
  expect(added.filter((name) => rarelyNeeded.includes(name))).toEqual([]);
});

test('the schemas are returned as defined, without loading the provider', async () => {
  const copy = mkdtempSync(join(folder, 'without-'));
  cpSync(providerPackage().folder, copy, { recursive: true });
  rmSync(join(copy, 'provider.js'));
  await withExecutable(copy, {}, async (client) => {
    const { unary } = served(PROVIDER);
    for (const call of KNOWN_CALLS) {
      expect((await client.callRaw(call, NO_ARGUMENTS)).equals(await unary.get(call)!(NO_ARGUMENTS))).toBe(
        true,
      );
    }
    await expect(client.callRaw(pathOf('GetFunctions'), NO_ARGUMENTS)).rejects.toThrow(
      'the stream was closed',
    );
  });
});

test('the process stores no compiled code, and changes no setting of V8', async () => {
  const home = mkdtempSync(join(folder, 'home-'));
  const hook = join(home, 'flags-hook.cjs');
  writeFileSync(
    hook,
    "require('node:v8').setFlagsFromString = (flag) => require('node:fs').writeFileSync(__filename + flag, '');",
  );
  const environment = { HOME: home, XDG_CACHE_HOME: home, TMPDIR: home, NODE_OPTIONS: `--require ${hook}` };
  await withExecutable(providerPackage().folder, environment, async (client, ended) => {
    await client.callRaw(pathOf('GetFunctions'), NO_ARGUMENTS);
    // The process ends before it answers.
    await client.callRaw('/plugin.GRPCController/Shutdown', NO_ARGUMENTS).catch(() => {});
    await ended;
  });
  expect(readdirSync(home)).toEqual([basename(hook)]);
});

/**
 * Code that records the files whose code is compiled, and whether V8 had compiled their code
 * before.
 */
const NOTE_CODE = `
const fs = require('node:fs');
const Module = require('node:module');
const vm = require('node:vm');
const note = (text) => fs.appendFileSync(process.env.NOTE, text + '\\n');
const { _compile } = Module.prototype;
Module.prototype._compile = function (code, file, ...others) {
  note(file);
  return _compile.call(this, code, file, ...others);
};
const { Script } = vm;
vm.Script = class extends Script {
  constructor(code, options) {
    if (options && options.cachedData) note('code that was compiled before');
    super(code, options);
  }
};
`;
/**
 * The files in which the tests plant foreign code: the provider's own, and those of packages that
 * it could load.
 */
const PLANTED = [
  ...['handshake.js', 'provider.js', 'index.js', 'node_modules/undici/index.js'],
  ...['node_modules/@grpc/grpc-js/index.js', '.cache/terraform-provider-vaultadmin/provider.js'],
];

test.each<[what: string, start: (planted: string) => { folder: string; env: NodeJS.ProcessEnv }]>([
  [
    'in the folders of the user and for temporary files',
    (planted) => ({
      folder: providerPackage().folder,
      env: { HOME: planted, TMPDIR: planted, XDG_CACHE_HOME: join(planted, '.cache') },
    }),
  ],
  [
    'in folders that NODE_PATH and NODE_COMPILE_CACHE name',
    (planted) => ({
      folder: providerPackage().folder,
      env: { NODE_PATH: join(planted, 'node_modules'), NODE_COMPILE_CACHE: join(planted, '.cache') },
    }),
  ],
  [
    'beside a link to the executable',
    (planted) => {
      symlinkSync(join(providerPackage().folder, EXECUTABLE), join(planted, EXECUTABLE));
      return { folder: planted, env: {} };
    },
  ],
])('the provider compiles only the files of its folder, whatever is planted %s', async (_what, start) => {
  const planted = mkdtempSync(join(folder, 'planted-'));
  for (const file of PLANTED) {
    mkdirSync(dirname(join(planted, file)), { recursive: true });
    writeFileSync(join(planted, file), 'process.exit(7);');
  }
  const hook = join(folder, 'code-hook.cjs');
  const note = join(planted, 'note');
  writeFileSync(hook, NOTE_CODE);
  const { folder: started, env } = start(planted);
  const environment = { ...env, NODE_OPTIONS: `--require ${hook}`, NOTE: note };
  await withExecutable(started, environment, async (client) => {
    await client.callRaw(pathOf('GetFunctions'), NO_ARGUMENTS);
  });
  const compiled = readFileSync(note, 'utf8').trim().split('\n');
  expect(compiled.map((file) => basename(file))).toContain('provider.js');
  expect([...new Set(compiled.map((file) => dirname(file)))]).toEqual([
    realpathSync(providerPackage().folder),
  ]);
});

/** Returns the files that the provider compiles to check a resource, in their order. */
async function compiledFor(resource: string): Promise<readonly string[]> {
  const hook = join(folder, 'code-hook.cjs');
  const note = join(mkdtempSync(join(folder, 'note-')), 'note');
  writeFileSync(hook, NOTE_CODE);
  await withExecutable(
    providerPackage().folder,
    { NODE_OPTIONS: `--require ${hook}`, NOTE: note },
    async (client) => {
      const typeName = `vaultadmin_${resource}`;
      const { content, codec } = shapeOf(
        allOf(PROVIDER, 'resources').find(({ name }) => name === resource)!.schema,
      );
      const config = codec.encode(complete(content, {}));
      await client.call('validateResourceConfig', { typeName, config, clientCapabilities: undefined });
    },
  );
  return readFileSync(note, 'utf8')
    .trim()
    .split('\n')
    .map((file) => basename(file));
}

test.each([
  ['acl_policy', []],
  ['audit_device', ['objects.js', 'cluster.js']],
  ['perf_replication_set', ['replication.js', 'objects.js', 'cluster.js']],
])('the check of a %s compiles only the files that it needs', async (resource, further) => {
  expect(await compiledFor(resource)).toEqual([EXECUTABLE, 'handshake.js', 'provider.js', ...further]);
});

const NO_ARGUMENTS = new Uint8Array(0);
const pathOf = (call: string) => `/tfplugin6.Provider/${call}`;

/** Starts the executable of a folder, and kills it in the end. */
async function withExecutable(
  provider: string,
  environment: NodeJS.ProcessEnv,
  run: (client: ProtocolClient, ended: Promise<unknown>) => Promise<void>,
): Promise<void> {
  const env = { PATH: process.env.PATH, PLUGIN_UNIX_SOCKET_DIR: folder, ...environment, ...GREETING };
  const child = spawn(join(provider, EXECUTABLE), { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'close');
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    await run(await ProtocolClient.connect(line.toString().split('|')[3]!), ended);
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
}

/** Starts the provider as Terraform does, and returns what it has loaded at the handshake. */
async function loadedAtHandshake(): Promise<{ files: readonly string[]; builtIn: readonly string[] }> {
  const hook = join(folder, 'hook.cjs');
  const note = join(folder, 'note.json');
  writeFileSync(hook, NOTE_AT_HANDSHAKE);
  const child = spawn(join(providerPackage().folder, EXECUTABLE), {
    env: {
      PATH: process.env.PATH,
      NODE_OPTIONS: `--require ${hook}`,
      NOTE: note,
      ...GREETING,
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
  const { folder: provided } = providerPackage();
  return { files: files.filter((file) => dirname(file) === provided), builtIn };
}
