/** A replacement for Vault's command line, with the commands that the guide uses. */
import { readFileSync } from 'node:fs';

const { VAULT_ADDR, VAULT_TOKEN } = process.env;
const [command, ...args] = process.argv.slice(2);

if (command === 'auth') await write(`sys/auth/${args[1]}`, { type: args[1] });
if (command === 'policy') {
  await write(`sys/policies/acl/${args[1]}`, { policy: readFileSync(args[2], 'utf8') });
}
if (command === 'secrets') {
  const [path, version] = ['path', 'version'].map((name) =>
    args.find((each) => each.startsWith(`-${name}=`)).slice(name.length + 2),
  );
  await write(`sys/mounts/${path}`, { type: args.at(-1), options: { version } });
}
if (command === 'write') {
  const [path, ...fields] = args;
  const given =
    fields[0] === '-' ? JSON.parse(readFileSync(0, 'utf8')) : fields.map((each) => each.split('='));
  await write(path, Array.isArray(given) ? Object.fromEntries(given) : given);
}

async function write(path, body) {
  const { ok, status } = await globalThis.fetch(`${VAULT_ADDR}/v1/${path}`, {
    method: 'PUT',
    headers: { 'X-Vault-Token': VAULT_TOKEN },
    body: JSON.stringify(body),
  });
  if (!ok) throw new Error(`${path} was answered with ${status}`);
}
