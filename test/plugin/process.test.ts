import { formsOf, sightings } from '../support/secret-forms';
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { types } from '../../src/plugin';
import { contentOf, contentType } from '../../src/plugin/server/content';
import { createCertificate } from '../../src/plugin/wire/certificate';
import { NULL_VALUE, valueCodec } from '../../src/plugin/wire/dynamic-value';
import { thing } from './fixture/thing';
import { codecOf, ProtocolClient } from './support/client';
import { ProviderPrograms, GREETING } from './support/process';

const things = valueCodec(contentType(contentOf(thing.schema)));
const NOTHING = Object.fromEntries(Object.keys(thing.schema.attributes).map((name) => [name, null]));

let programs: ProviderPrograms;
beforeAll(() => {
  programs = new ProviderPrograms();
});
afterAll(() => programs.dispose());

describe('a start', () => {
  test('a start by hand prints the purpose of the program', async () => {
    const { code, stdout, stderr } = await programs.start({}).ended;
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toBe(
      'This is the Terraform provider "fixture". Terraform starts it by itself, it does nothing on its own.\n' +
        'Run "terraform init" in a folder whose configuration requires the provider, then "terraform plan".\n',
    );
  });

  test('a start by an old Terraform prints an error in a line that Terraform shows', async () => {
    const { code, stdout } = await programs.greet({ PLUGIN_PROTOCOL_VERSIONS: '4,5' }).ended;
    expect(code).toBe(1);
    expect(stdout).toBe(
      'The provider could not start: Error: The provider "fixture" speaks version 6 of the plugin protocol, ' +
        'this Terraform only 4,5. Use Terraform 1.0 or later.\n',
    );
  });

  test('a start without a folder for the socket prints an error', async () => {
    const missing = join(programs.folder, 'missing');
    const { code, stdout } = await programs.greet({ PLUGIN_UNIX_SOCKET_DIR: missing }).ended;
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^The provider could not start: Error: the provider cannot listen on a Unix socket at [^|]*\/missing\/plugin\w+ \(Error: listen \w+: [^|]*\/missing\/plugin\w+\); set PLUGIN_UNIX_SOCKET_DIR to a folder that exists and can be written to\n$/,
    );
  });

  test('a start without a folder for temporary files prints an error with the variable', async () => {
    const missing = join(programs.folder, 'missing');
    const { code, stdout } = await programs.greet({ TMPDIR: missing }).ended;
    expect(code).toBe(1);
    expect(stdout).toMatch(/; set TMPDIR to a folder that exists and can be written to\n$/);
  });

  test('a start with an invalid certificate prints an error', async () => {
    const { stdout } = await programs.greet({ PLUGIN_CLIENT_CERT: 'nonsense' }).ended;
    expect(stdout).toContain('no certificate in PEM format was found');
  });
});

describe('the handshake', () => {
  test('the handshake has the path of a socket that only the user can open, and the certificate without padding', async () => {
    const socketFolder = join(programs.folder, 'sockets');
    mkdirSync(socketFolder);
    const fields = await programs.greet({ PLUGIN_UNIX_SOCKET_DIR: socketFolder }).handshake;
    expect(fields).toHaveLength(6);
    expect(fields.slice(0, 3)).toEqual(['1', '6', 'unix']);
    expect(fields[4]).toBe('grpc');
    expect(fields[5]).toMatch(/^[A-Za-z0-9+/]+$/);
    expect(dirname(fields[3]!)).toBe(socketFolder);
    expect(statSync(fields[3]!).mode & 0o777).toBe(0o700);
  });

  test('the handshake has a field for multiplexing if Terraform requests it', async () => {
    const fields = await programs.greet({ PLUGIN_MULTIPLEX_GRPC: 'true' }).handshake;
    expect(fields.slice(6)).toEqual(['false']);
  });

  test('the handshake has no certificate if Terraform disables TLS', async () => {
    const fields = await programs.start(GREETING).handshake;
    expect(fields[5]).toBe('');
    const client = await ProtocolClient.connect(fields[3]!);
    expect((await client.call('getMetadata', {})).resources).toHaveLength(3);
    client.close();
  });

  test('the handshake has a port if the path of a socket would be too long', async () => {
    const socketFolder = join(programs.folder, 'x'.repeat(100));
    mkdirSync(socketFolder);
    const fields = await programs.greet({
      PLUGIN_UNIX_SOCKET_DIR: socketFolder,
      PLUGIN_MIN_PORT: '20000',
      PLUGIN_MAX_PORT: '29999',
    }).handshake;
    expect(fields[2]).toBe('tcp');
    expect(fields[3]).toMatch(/^127\.0\.0\.1:2\d{4}$/);
    expect(readdirSync(socketFolder)).toEqual([]);
  });
});

describe('a connection', () => {
  test('a client without the certificate that Terraform announced is refused', async () => {
    const fields = await programs.greet().handshake;
    const connect = (as?: ReturnType<typeof createCertificate>) =>
      ProtocolClient.connect(fields[3]!, programs.tls(fields, as));
    const metadata = (client: ProtocolClient) => client.call('getMetadata', {}).finally(() => client.close());

    expect((await metadata(await connect())).resources).toHaveLength(3);
    await expect(connect(createCertificate()).then(metadata)).rejects.toThrow();
    const { ca } = programs.tls(fields);
    await expect(ProtocolClient.connect(fields[3]!, { ca: ca! }).then(metadata)).rejects.toThrow();
    await expect(ProtocolClient.connect(fields[3]!).then(metadata)).rejects.toThrow();
  });
});

/** Returns a provider to which a client has connected and sent the configuration. */
async function configured() {
  const { child, handshake, ended } = programs.greet();
  const fields = await handshake;
  const client = await ProtocolClient.connect(fields[3]!, programs.tls(fields));
  const config = codecOf({ secret: types.string, servers: types.string }).encode({
    secret: 's',
    servers: null,
  });
  await client.call('configureProvider', { terraformVersion: '1.11.4', config });
  programs.world.remove('shutdown');
  return { child, ended, client, socket: fields[3]! };
}

describe('the end of the process', () => {
  test("a shutdown by Terraform releases the provider's resources, and removes the socket", async () => {
    const { ended, client, socket } = await configured();
    client.callRaw('/plugin.GRPCController/Shutdown', Buffer.alloc(0)).catch(() => {});
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
    expect(programs.world.get('shutdown')).toEqual({ secret: 's' });
    expect(existsSync(socket)).toBe(false);
    client.close();
  });

  test('a lost connection to Terraform ends the process', async () => {
    const { ended, client, socket } = await configured();
    client.close();
    expect((await ended).code).toBe(0);
    expect(programs.world.get('shutdown')).toEqual({ secret: 's' });
    expect(existsSync(socket)).toBe(false);
  });

  test('SIGTERM ends the process, and SIGINT, which Ctrl-C sends, does not', async () => {
    const { child, ended, client, socket } = await configured();
    child.kill('SIGINT');
    expect((await client.call('getMetadata', {})).resources).toHaveLength(3);
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
    expect(programs.world.get('shutdown')).toEqual({ secret: 's' });
    expect(existsSync(socket)).toBe(false);
    client.close();
  });
});

test('a crash is reported in the form that Terraform shows, with its stack, without secrets and control characters', async () => {
  const secret = " canary pin/7\"34+5%41\n\n'end' \n";
  const { ended, client, socket } = await configured();
  const crashing = { ...NOTHING, name: 'alpha', secret, behavior: 'crash' };
  const applied = client.call('applyResourceChange', {
    typeName: 'fixture_thing',
    priorState: NULL_VALUE,
    plannedState: things.encode(crashing),
    config: things.encode(crashing),
  });
  await expect(applied).rejects.toThrow();
  const { code, stderr } = await ended;
  expect(code).toBe(2);
  expect(stderr).toMatch(/^panic: crashed with\s+\(hidden\)/);
  expect(stderr).toMatch(/\n\nError: crashed with\s+\(hidden\)[^]*\n {4}at /);
  expect(sightings(formsOf(secret), stderr)).toEqual([]);
  expect(stderr.split('\\u001b[2J\\u202e\n')).toHaveLength(3);
  expect(stderr).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  expect(existsSync(socket)).toBe(false);
});

test('the provider serves commands that are started by hand in reattach mode', async () => {
  const { child, ended, handshake } = programs.start({}, '--reattach');
  const printed = (await handshake).join('|');
  const [, json] = /TF_REATTACH_PROVIDERS='(.*)'/.exec(printed)!;
  const reattach = JSON.parse(json!) as Record<
    string,
    { Pid: number; Test: boolean; Addr: { String: string } }
  >;
  const { Pid, Test, Addr } = reattach['example.test/plugin/fixture']!;
  expect([Pid, Test]).toEqual([child.pid, true]);
  const client = await ProtocolClient.connect(Addr.String);
  expect((await client.call('getMetadata', {})).resources).toHaveLength(3);
  client.close();
  child.kill('SIGINT');
  expect((await ended).code).toBe(0);
  expect(existsSync(Addr.String)).toBe(false);
  expect(existsSync(dirname(Addr.String))).toBe(false);
});
