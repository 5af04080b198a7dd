import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder';
import { vaultAdminAlone } from './support/cli';

/**
 * Control sequences that clear the screen, move the cursor, print a line and reverse the direction
 * of text.
 */
const POISON = '\u001b[2J\r\u001b[K\n! FAKE\n\u009b2J\u202e\u2028';
const INVISIBLE = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const POLICY = `# ${'\u001b[2J\u202e'}\npath "a${'\u202e'}" {\n  capabilities = ["read"]\n}\n`;

let folder: string;
beforeAll(() => {
  folder = temporaryFolder('hostile');
  const write = (path: string, text: string) => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const name = `x${POISON}`;
  write(`good/${name}.hcl`, POLICY);
  write(`broken/${name}.hcl`, `path "a${'\u202e'}" {\n  capabilities = ["${'\u001b[2J'}\\n! FAKE"]\n}\n`);
  write(
    `sentinel/${name}.sentinel`,
    `print("\\n! FAKE", "\\x1b[2J")\nmain = rule { request.path is "\\n! FAKE" }\n`,
  );
  write(`sentinel/test/${name}/a${POISON}.hcl`, 'test {\n  rules = {\n    main = true\n  }\n}\n');
  write(`torn/${name}.sentinel`, `main = rule { "${'\u001b[2J\u202e'}\n`);
  const stack = `stacks/${name}/cdk.tf.json`;
  const resource = {
    vaultadmin_acl_policy: { [name]: { name, namespace: name, policy: POLICY } },
    vaultadmin_rgp_policy: { [name]: { name, policy: `main = ${POISON}` } },
  };
  write(
    `cdktf.out/${stack}`,
    JSON.stringify({
      resource,
      provider: { vaultadmin: [{ clusters: { [name]: { address: name, token: name } } }] },
    }),
  );
  write(
    'cdktf.out/manifest.json',
    JSON.stringify({
      version: name,
      stacks: {
        [name]: {
          name,
          constructPath: name,
          workingDirectory: `stacks/${name}`,
          synthesizedStackPath: stack,
        },
      },
    }),
  );
  write('request.json', JSON.stringify({ request: { path: POISON } }));
});

const AT = {
  VAULT_ADDR: `http://127.0.0.1:1/${POISON}`,
  VAULT_TOKEN: `hvs.${POISON}`,
  VAULT_NAMESPACE: POISON,
  VAULT_CACERT: POISON,
};

test.each<[args: readonly string[], env?: Readonly<Record<string, string>>]>([
  [['policy', 'lint', 'good', 'broken', 'cdktf.out']],
  [['policy', 'list', 'good']],
  [['policy', 'list', 'broken']],
  [['policy', 'list', 'cdktf.out']],
  [['policy', 'diff', 'good', 'cdktf.out']],
  [['policy', 'why', 'read', `a${POISON}`, 'good']],
  [['policy', 'list', 'good', '--policy', POISON]],
  [['policy', 'list', POISON]],
  [['policy', 'check', 'good', 'broken', 'sentinel', 'torn']],
  [['policy', 'check', '--stacks', 'cdktf.out']],
  [['policy', 'test', '--verbose', 'sentinel']],
  [['policy', 'test', 'torn']],
  [['policy', 'fmt', '--check', 'good', 'sentinel']],
  [['policy', 'fmt', '--check', 'broken']],
  [['policy', 'fmt', '--check', 'torn']],
  [['policy', 'eval', `sentinel/x${POISON}.sentinel`, '--request', 'request.json']],
  [['doctor', '--stacks', 'cdktf.out']],
  [['status', '--stacks', 'cdktf.out']],
  [['status'], AT],
  [['status'], { VAULT_ADDR: 'http://127.0.0.1:1', VAULT_TOKEN: POISON }],
  [['status'], { VAULT_ADDR: 'http://127.0.0.1:1', VAULT_NAMESPACE: POISON, VAULT_MAX_RETRIES: '0' }],
  [['status'], { VAULT_ADDR: 'http://127.0.0.1:1', VAULT_CLIENT_TIMEOUT: POISON }],
  [['status', '--cluster', POISON], { [`VAULTADMIN_${'US'}_ADDR`]: POISON }],
  [
    ['adopt', '--output', `out${POISON}`, '--namespace', POISON],
    { VAULT_ADDR: 'http://127.0.0.1:1', VAULT_MAX_RETRIES: '0' },
  ],
  [[`unknown${POISON}`]],
  [['status', `--unknown${POISON}`]],
])('%p prints no control characters and no lines of a file', async (args, env = {}) => {
  const { stdout, stderr } = await vaultAdminAlone(args, env, folder);
  const lines = `${stdout}\n${stderr}`.split('\n');
  expect(lines.filter((line) => INVISIBLE.test(line))).toEqual([]);
  expect(lines.filter((line) => line.startsWith('! FAKE'))).toEqual([]);
});
