/**
 * Writes docs/reference/control-api.md from the calls of the emulator's control API. Another file
 * may be named as the argument.
 */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { targetArgument } from './npm-run.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const load = createRequire(import.meta.url);
const { CONTROL_CALLS, OUT_OF_SCOPE } = load(
  join(root, 'lib', 'src', 'emulator', 'control', 'control-calls.js'),
);
const { STORED_SETTINGS } = load(join(root, 'lib', 'src', 'emulator', 'stored-settings', 'declarations.js'));
const target = targetArgument(join(root, 'docs', 'reference', 'control-api.md'));

writeFileSync(
  target,
  `# The emulator's control API

Every emulated cluster answers below \`/emulator/v1/\`, beside the server's own \`/v1/\`. The API requires the root token that the cluster
started with, in the header \`X-Vault-Token\`. Bodies are JSON. Faults, requests, lags and crashes are those of the cluster that is asked,
or of the one that the query names: \`?cluster=eu\`. The clock and the assumptions are those of all. In tests, \`startEmulator()\` returns
the same as methods: \`faults\`, \`clock\`, \`requests\`, \`replication\`, \`keyStores\`, \`assumed\`. The guide [The emulator](../guides/emulator.md) has examples.

\`GET /emulator/v1/\` returns the same list.

${Object.entries(CONTROL_CALLS)
  .map(([route, call]) => section(route, call))
  .join('\n')}
## Stored without effect

The emulator stores these settings of the server and shows them again, so that a whole configuration can be applied. They have no effect.

| Path | What |
|---|---|
${STORED_SETTINGS.map(
  ({ mount = 'sys', path, what, enterpriseOnly }) =>
    `| \`${mount}/${path}\` | ${what}${enterpriseOnly ? ' (Enterprise)' : ''} |`,
).join('\n')}

With \`--stored-mounts\` (\`storedMounts\`), secrets engines and auth methods that the emulator does not implement do the same with whatever is
written below their mounts.

## Out of scope

The emulator answers 404 at these paths of the server:

| Path | Why |
|---|---|
${OUT_OF_SCOPE.map(({ path, reason }) => `| \`${path}\` | ${reason} |`).join('\n')}
`,
);

function section(route, { doc, body, query }) {
  const [method, path] = route.split(' ');
  return `## ${method} /emulator/v1/${path}${path.endsWith('/') ? '…' : ''}\n\n${doc}\n${table('Body', body)}${table('Query', query)}`;
}

function table(title, fields) {
  if (fields === undefined) return '';
  const rows = Object.entries(fields).map(([name, doc]) => `| \`${name}\` | ${doc} |`);
  return `\n| ${title} | |\n|---|---|\n${rows.join('\n')}\n`;
}
