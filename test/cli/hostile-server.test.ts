import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProxy, type Json, type Proxy } from '../support/proxy';
import { formsOf, sightings } from '../support/secret-forms';
import { temporaryFolder } from '../support/temporary-folder';
import { vaultAdminAlone } from './support/cli';
import { startPair, type Pair } from './support/pair';

const TOKEN = `hvs.canary/Tok+en"7%41'<==>&`;
const FORMS = formsOf(TOKEN);
/**
 * Control sequences that clear the screen, set a title, move the cursor, print lines, reverse the
 * direction of text, and end a text.
 */
const POISON =
  '\t\u001b[2J\u001b]0;x\u0007\r\u001b[K\n! FAKE\n\u009b2J\u202e\u200b\ufeff\u3164\ufe0f\u0000\u2028! FAKE\u001b[32m';
const INVISIBLE = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** Members of answers that stay unchanged, because commands need them to read the rest. */
const KEPT = ['mode', 'type', 'storage_type', 'enforcement_level', 'mechanism', 'interval', 'version'];

/** The position of a value: the answer, and the name within it. */
interface AnswerPosition {
  /** The number of the server. Servers repeat different forms of the token at the same position. */
  readonly server: number;
  readonly path: string;
  readonly name?: string;
}

/** Returns the form of the token for a position. It does not depend on the order of requests. */
function formAt({ server, path, name = '' }: AnswerPosition): string {
  const sum = [...path, ...name].reduce(
    (before, letter) => (before * 31 + letter.codePointAt(0)!) % 1_000_003,
    0,
  );
  return FORMS[(sum + server) % FORMS.length]!;
}

function poisoned(value: unknown, place: AnswerPosition): unknown {
  const { name = '' } = place;
  if (KEPT.includes(name)) return value;
  if (name === 'policy' && typeof value === 'string')
    return `${value}# \u001b[2J\u202e\u2028 ${formAt(place).replace(/\s/g, '')}\n`;
  if (name === 'keys' && Array.isArray(value)) return value.map((key) => `${key}${POISON}`);
  if (typeof value === 'string') return `${value}${POISON}${formAt(place)}`;
  if (Array.isArray(value)) return value.map((each) => poisoned(each, { ...place, name: '' }));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, each]) => [member, poisoned(each, { ...place, name: member })]),
  );
}

let pair: Pair;
let proxies: readonly Proxy[] = [];
let folder: string;
let env: Record<string, string>;

beforeAll(async () => {
  folder = temporaryFolder('hostile');
  pair = await startPair({ rootToken: TOKEN });
  const { us } = pair;
  await us.post('sys/policies/acl/ops', { policy: 'path "a" { capabilities = ["read"] }\n' });
  await us.post('sys/policies/egp/hours', {
    policy: 'main = rule { true }\n',
    enforcement_level: 'advisory',
    paths: ['a/*'],
  });
  await us.post('sys/managed-keys/pkcs11/signing', {
    library: 'hsm',
    slot: '0',
    key_label: 'signing',
    mechanism: '0x0001',
    key_bits: 2048,
    pin: '1234',
  });
  await us.post('sys/storage/raft/snapshot-auto/config/nightly', {
    interval: '24h',
    storage_type: 'google-gcs',
    path_prefix: 'nightly',
    google_gcs_bucket: 'backups',
  });
  const alterAt = (server: number) => (answer: Json, path: string) => ({
    ...(poisoned(answer, { server, path }) as Json),
    warnings: FORMS.map((form) => POISON + form),
  });
  const restore = (path: string) => path.replaceAll(encodeURIComponent(POISON), '');
  // The server refuses the writes whose texts cannot be restored, and repeats the token in its
  // refusals.
  const refuse = (_method: string, path: string) =>
    path.includes('audit') ? FORMS.map((form) => POISON + form) : undefined;
  proxies = await Promise.all([
    startProxy({ target: pair.us.address, alter: alterAt(0), restore, refuse }),
    startProxy({ target: pair.eu.address, alter: alterAt(1), restore }),
  ]);
  env = {
    VAULTADMIN_US_ADDR: proxies[0]!.address,
    VAULTADMIN_EU_ADDR: proxies[1]!.address,
    VAULTADMIN_US_TOKEN: TOKEN,
    VAULTADMIN_EU_TOKEN: TOKEN,
    VAULT_MAX_RETRIES: '0',
  };
});
afterAll(async () => {
  await Promise.all(proxies.map((proxy) => proxy.close()));
  await pair.emulator.close();
});

const ADOPT_JSON = ['adopt', '--output', 'json', '--json'];
/** The output of `adopt` with --json. */
let adopted = '';
const COMMANDS = [
  ['status', '--test-keys'],
  ['status', '--json'],
  ['doctor'],
  ['doctor', '--json'],
  ['adopt', '--output', 'text'],
  ADOPT_JSON,
  ['policy', 'list', '--cluster', 'us'],
  ['policy', 'lint', '--cluster', 'us'],
  ['policy', 'upgrade', '--cluster', 'us', '--from', '1.18', '--to', '2.1'],
  ['policy', 'why', 'read', 'a', '--cluster', 'us'],
];

test('no command prints control characters, lines of a server, or a form of the token', async () => {
  const shown = await Promise.all(
    COMMANDS.map(async (args) => {
      const { stdout, stderr } = await vaultAdminAlone(args, env, folder);
      if (args === ADOPT_JSON) adopted = stdout;
      return { args: args.join(' '), text: `${stdout}\n${stderr}` };
    }),
  );
  for (const { args, text } of shown) {
    const invisible = text.split('\n').find((line) => INVISIBLE.test(line));
    expect({ args, invisible }).toEqual({ args, invisible: undefined });
    const drawn = text.split('\n').find((line) => /^\s*! FAKE/.test(line));
    expect({ args, drawn }).toEqual({ args, drawn: undefined });
    expect({ args, seen: sightings(FORMS, text) }).toEqual({ args, seen: [] });
  }
});

test('an adopted app contains invisible characters only in the texts of policies', () => {
  const files = readdirSync(join(folder, 'text'), { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((each) => /\.(ts|json|md)$/.test(each))) {
    expect({ file, invisible: INVISIBLE.test(readFileSync(join(folder, 'text', file), 'utf8')) }).toEqual({
      file,
      invisible: false,
    });
  }
});

test('an adopted app contains no form of the token, and the command names the places where one was', () => {
  const files = readdirSync(join(folder, 'json'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.\w+$/.test(file))
    .map((file) => ({ file, text: readFileSync(join(folder, 'json', file), 'utf8') }));
  expect(files.flatMap(({ text }) => sightings(FORMS, text))).toEqual([]);
  const hidden = files.filter(({ text }) => text.includes('(hidden)')).map(({ file }) => file);
  expect(hidden).toContain('replication/replication-sets.ts');
  const { left_out: leftOut } = JSON.parse(adopted) as {
    left_out: { cluster: string; subject: string; text: string }[];
  };
  expect(
    leftOut
      .filter(({ text }) => text.startsWith('contained a token'))
      .map(({ cluster, subject, text }) => `${cluster}/${subject} ${text}`)
      .sort(),
  ).toEqual(
    hidden
      .map((file) => `${file} contained a token or password of this command, which was replaced by (hidden)`)
      .sort(),
  );
});
