/**
 * The executables for Linux, on systems with musl or without a C library, and on arm64 under
 * emulation.
 */
import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROVIDER_ADDRESS, PROVIDER_VERSION } from '../../src/provider';
import { startEmulator } from '../../src/emulator';
import { buildExecutable, executableIfAvailable, warnNotTried } from '../support/executable';
import { findProgram } from '../support/programs';
import {
  ENVIRONMENT_IN_ROOT,
  makeRootFolder,
  MUSL_LOADER,
  ROOT_FOLDER_NEEDS,
  rootFolderParts,
} from '../support/root-folder';
import { temporaryFolder } from '../support/temporary-folder';
import { platform, Workspace } from '../support/terraform';
import { aclPolicy, providerBlock, Stack, startStack } from '../provider/support';

const HOST = 'vault.example.test';
/**
 * The address of the name server. Its port is always 53, so that two runs at once need different
 * addresses.
 */
const NAME_SERVER = `127.53.${(process.pid >> 8) & 255}.${process.pid & 255}`;
const NAME = `terraform-provider-vaultadmin_v${PROVIDER_VERSION}`;
const folder = temporaryFolder('on-linux');

const parts = rootFolderParts(folder);
const one = parts && executableIfAvailable();
const ifPrepared = one === undefined ? describe.skip : describe;
if (one === undefined) {
  warnNotTried('the executable for Linux where there is no glibc', ROOT_FOLDER_NEEDS);
}

ifPrepared('the executable on Linux', () => {
  let names: { close(): void };
  beforeAll(async () => (names = await startNameServer()));
  afterAll(() => names.close());

  test.each<[what: string, loaders: readonly string[]]>([
    ['musl alone', [MUSL_LOADER]],
    [
      'musl, and another file in the place of the loader of glibc',
      [MUSL_LOADER, 'lib64/ld-linux-x86-64.so.2'],
    ],
    ['no C library', []],
  ])(
    'the executable plans and applies on a system with %s, with a CA file and names from a name server',
    async (_, loaders) => {
      await using stack = await startStackInRoot(loaders);
      stack.resources(aclPolicy({ name: 'ops' }));
      await stack.workspace.init();
      const { planned, requests } = await stack.must('apply');
      expect(planned).toEqual({ 'vaultadmin_acl_policy.it': 'create' });
      expect(requests).toContain('POST sys/policies/acl/ops');
      expect((await stack.must('plan')).planned).toEqual({});
    },
  );

  test('the executable does not start on a system with only musl', async () => {
    await using stack = await startStackInRoot([MUSL_LOADER]);
    const { stderr } = spawnSync('chroot', [stack.workspace.home, join('/', placed(), 'program')], {
      encoding: 'utf8',
    });
    expect(stderr).toContain('No such file or directory');
  });
});

const emulated = findProgram('qemu-aarch64-static') ?? findProgram('qemu-aarch64');
const ifEmulated = one === undefined || emulated === undefined ? test.skip : test;
if (emulated === undefined)
  warnNotTried('the executable for Linux on arm64', 'Install qemu-user-static to have it emulated.');

ifEmulated('on an emulated arm64, the program plans and applies with the glibc beside it', async () => {
  buildExecutable([folder], ['linux_arm64']);
  const built = join(folder, 'linux_arm64');
  writeFileSync(
    join(built, NAME),
    `#!/bin/sh\nexec ${emulated} "\${0%/*}/glibc/ld-linux-aarch64.so.1" --library-path "\${0%/*}/glibc" "\${0%/*}/program" "$@"\n`,
  );
  await using stack = await startStack({ executable: true, providerFolder: built });
  stack.resources(aclPolicy({ name: 'ops' }));
  expect((await stack.must('apply')).planned).toEqual({ 'vaultadmin_acl_policy.it': 'create' });
  expect((await stack.must('plan')).planned).toEqual({});
});

/**
 * Starts clusters, and prepares a folder in which commands see only the provider and a shell: no
 * other program, no library.
 */
async function startStackInRoot(loaders: readonly string[]): Promise<Stack> {
  const emulator = await startEmulator({ clusters: { us: 0 }, tls: true, allowedHosts: [HOST] });
  const workspace = new Workspace({
    binary: parts!.terraform,
    env: { ...ENVIRONMENT_IN_ROOT, SSL_CERT_FILE: '', SSL_CERT_DIR: '' },
  });
  const root = workspace.home;
  makeRootFolder(parts!, root, loaders);
  writeFileSync(join(root, 'etc', 'resolv.conf'), `nameserver ${NAME_SERVER}\n`);
  const { address, rootToken, caCertFile } = emulator.clusters.us;
  copyFileSync(caCertFile!, join(root, 'etc', 'ca.pem'));
  const close = async () => {
    await workspace.dispose();
    await emulator.close();
  };
  const stack = new Stack(emulator, workspace, close);
  const at = address.replace('127.0.0.1', HOST);
  stack.configure(
    providerBlock(`us = { address = "${at}", token = "${rootToken}", ca_cert_file = "/etc/ca.pem" }`),
  );
  workspace.place({ address: PROVIDER_ADDRESS, version: PROVIDER_VERSION, path: one! });
  return stack;
}

function placed(): string {
  return join('stack', 'terraform.d', 'plugins', PROVIDER_ADDRESS, PROVIDER_VERSION, platform());
}

/** Answers every query for an IPv4 address with the address of this machine. */
async function startNameServer(): Promise<{ close(): void }> {
  const socket = createSocket('udp4');
  socket.on('message', (question, { address, port }) => {
    const end = question.indexOf(0, 12) + 5;
    const isForAddress = question.readUInt16BE(end - 4) === 1;
    const header = Buffer.from([
      question[0]!,
      question[1]!,
      0x81,
      0x80,
      0,
      1,
      0,
      isForAddress ? 1 : 0,
      0,
      0,
      0,
      0,
    ]);
    const found = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1]);
    const answer = [header, question.subarray(12, end), ...(isForAddress ? [found] : [])];
    socket.send(Buffer.concat(answer), port, address);
  });
  socket.bind(53, NAME_SERVER);
  await once(socket, 'listening');
  return socket;
}
