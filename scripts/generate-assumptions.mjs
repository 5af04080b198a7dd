/**
 * Writes docs/emulator-assumptions.md: what the emulator does where Vault's public sources are silent, from the list
 * that its code takes those choices from. Another file may be named as the argument.
 */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { ASSUMPTIONS } = createRequire(import.meta.url)(
  join(root, 'lib', 'src', 'emulator', 'assumptions.js'),
);
const target = process.argv[2] ?? join(root, 'docs', 'emulator-assumptions.md');

const rows = Object.values(ASSUMPTIONS).map(({ what, choice }) => `| ${cell(what)} | ${cell(choice)} |`);
writeFileSync(
  target,
  `# What the emulator assumes

Vault's public sources leave some behavior open. This page lists what the emulator does there; a real server may behave
differently. The table is generated from \`src/emulator/assumptions.ts\`, which the emulator's code takes these choices from.

| Open | What the emulator does |
|---|---|
${rows.join('\n')}

## Known limits

- **Sentinel.** RGPs and EGPs decide on requests. Open, and decided here: an RGP that denies keeps the EGPs from being asked; all
  policies of a kind are asked, and each that denies is named. An EGP governs requests in its namespace and in those below; its
  paths count with the names of the namespaces below, and without. A list is governed by paths that match with the slash at its
  end. Failures that do not deny leave no warning in the response: \`GET /emulator/v1/policy-failures\` lists the latest.
  There are no MFA methods and no control groups, and the import \`http\` is not enabled.
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
- **Audit.** Entries have no headers, remote ports, client certificates, client ids or granting policies. A forwarded request is
  logged by the secondary that received it.
`,
);

function cell(text) {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
