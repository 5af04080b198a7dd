/**
 * Writes docs/emulator-assumptions.md, with the behavior of the emulator that Vault's public
 * sources leave open, from the list that its code uses. Another file may be named as the argument.
 */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { targetArgument } from './npm-run.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { ASSUMPTIONS_BY_TOPIC } = createRequire(import.meta.url)(
  join(root, 'lib', 'src', 'emulator', 'assume', 'index.js'),
);
const target = targetArgument(join(root, 'docs', 'emulator-assumptions.md'));

const topics = Object.entries(ASSUMPTIONS_BY_TOPIC).map(
  ([topic, assumptions]) =>
    `## ${topic}\n\n${Object.entries(assumptions)
      .map(([name, assumption]) => section(name, assumption))
      .join('\n')}`,
);
writeFileSync(
  target,
  `# What the emulator assumes

Vault's public sources leave some behavior open. This page lists what the emulator does there; a real server may behave
differently. Each entry has a name and alternatives. The emulator follows the first alternative, unless it is told otherwise:

\`\`\`sh
npx cdktf-vault-admin emulator --assume lastRemoteWal=zero --assume interruption=long
\`\`\`

In tests, \`startEmulator({ assume: { lastRemoteWal: 'zero' } })\` does the same. While the emulator runs,
\`POST /emulator/v1/assumptions\` with \`{"lastRemoteWal": "zero"}\` changes it, and \`GET\` shows what is followed.

\`npx cdktf-vault-admin verify\` compares a real server with this list, and the emulator can follow what it found: see
[What was checked against a real server](guides/real-servers.md).

The page is generated from \`src/emulator/assume\`, which the emulator's code takes these choices from.

${topics.join('\n')}

## Known limits

- **Sentinel.** RGPs and EGPs decide on requests. Open, and decided here: an RGP that denies keeps the EGPs from being asked; all
  policies of a kind are asked, and each that denies is named. An EGP governs requests in its namespace and in those below; its
  paths count with the names of the namespaces below, and without. Failures that do not deny leave no warning in the response: \`GET /emulator/v1/policy-failures\` lists the latest.
  A text that uses what came with a Sentinel later than the server's version is refused with 400; which Sentinel a server has
  is taken from the dates of both changelogs. There are no control groups, and the import \`http\` is not enabled.
- **MFA.** TOTP methods (\`sys/mfa/method/totp\`) exist for RGPs and EGPs, as \`mfa.methods\`. The passcodes of a request are checked, and
  used up, when the first policy that mentions \`mfa\` is evaluated. There is no QR code (\`barcode\`), and no other type of method. \`mfa_methods\` in ACL policies has no effect, and logins require no MFA.
- **Paths filters.** With \`allow\`, a secondary gets a listed namespace with everything in it, and the parents of whatever is
  listed without their other mounts. \`sys\`, \`identity\`, \`cubbyhole\` and \`auth/token\` come with their namespace. A secondary
  with a filter has the \`merkle_root\` of its primary when it is in sync. Dynamic filters list full paths of mounts and
  namespaces; the response is 404 for an unknown id, and on a secondary for every id but its own.
- **Managed keys.** Every HSM library, slot, token, Key Vault and key ring exists and is empty. Any PIN and any credentials work,
  until some are filled in through the control API. Generating, replacing and storing keys is only possible there, and respects
  \`allow_generate_key\`, \`allow_store_key\` and \`allow_replace_key\`. An existing key must have the configured size or curve; with
  Google Cloud KMS, its algorithm fixes hash and padding of a test signature. Reads show secrets as \`redacted\`.
- **Snapshots.** An update keeps the fields that it leaves out; an empty text clears one. A write may change the storage type,
  which drops the fields of the old one. Before the first attempt, the status has only \`next_snapshot_start\`; after a failed
  one, \`last_snapshot_url\` is that of the last snapshot that was written.
- **Root tokens.** \`sys/generate-root\` takes a one-time password, or makes one; \`pgp_key\` is refused with 400.
- **JWT logins.** The emulator connects to no key server and no OIDC provider: such configurations are stored, and logins with them
  are refused with 400.
- **Clouds.** Snapshots are written to a cloud only if the configuration names an endpoint; otherwise they are recorded,
  \`GET /emulator/v1/snapshots\` lists them, and the status has a warning. Credentials come from the configuration or from the
  emulator's environment (\`AWS_ACCESS_KEY_ID\` and its companions, \`GOOGLE_APPLICATION_CREDENTIALS\`); other identities make the
  attempt fail. If the clock is moved over many intervals, the last \`retain\` attempts are made. Keys of Google Cloud KMS that name
  no project and region are in \`emulator\` and \`global\`.
- **Audit.** \`file\` devices write only inside the folder given with \`auditFolder\` (\`--audit-folder\`), as \`json\`; \`syslog\` and
  \`socket\` write nothing. The options \`filter\`, \`exclude\` and \`fallback\` are stored and have no effect, with a warning.
  Entries have no headers, remote ports, client certificates, client ids or granting policies. A forwarded request is
  logged by the secondary that received it.
`,
);

function section(name, { open, alternatives }) {
  const items = Object.entries(alternatives).map(
    ([alternative, { says }]) => `- \`${alternative}\`: ${says}`,
  );
  return `### ${name}\n\n${open}\n\n${items.join('\n')}\n`;
}
