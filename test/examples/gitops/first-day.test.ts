import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEmulator } from '../../../src/emulator';
import { vaultAdmin } from '../../cli/support/cli';
import { Api } from '../../emulator/support/api';
import { temporaryFolder } from '../../support/temporary-folder';
import { startIdentityProvider } from './support/identities';
import { EXAMPLE } from './support/pipelines';
import { toolsOf } from './support/runner';
import { shell } from './support/shell';
import { startStateStore } from './support/state-stores';

const APP = join(__dirname, '..', '..', '..', 'lib', 'examples', 'gitops', 'main.js');
const ROOT = 'hvs.canary-root-token';

test('init and the first apply turn two new servers into the environment dev, whose root tokens are revoked', async () => {
  const folder = temporaryFolder('first-day');
  const emulator = await startEmulator({
    clusters: { us: 0, eu: 0 },
    rootToken: ROOT,
    uninitialized: 'shamir',
  });
  const store = await startStateStore('http', 'canary-state-secret');
  const identities = startIdentityProvider();
  const addresses = { us: emulator.clusters.us.address, eu: emulator.clusters.eu.address };
  const outputs: string[] = [];
  const run = async (script: string, env: Readonly<Record<string, string>> = {}) => {
    const { code, output } = await shell(script, folder, { PATH: tools, HOME: folder, ...env });
    outputs.push(output);
    if (code !== 0) throw new Error(output);
    return output;
  };
  cpSync(EXAMPLE, folder, { recursive: true });
  const tools = toolsOf(folder);
  try {
    const setup = JSON.parse(readFileSync(join(folder, 'first-day.json'), 'utf8')) as {
      auth: { write: Record<string, object> };
    };
    setup.auth.write.config = { jwt_validation_pubkeys: [identities.publicKey] };
    writeFileSync(join(folder, 'first-day.json'), JSON.stringify(setup));
    for (const [name, address] of Object.entries(addresses)) {
      const args = ['init', '--cluster', name, '--show-keys', '--setup', 'first-day.json'];
      const variable = `VAULTADMIN_${name.toUpperCase()}_ADDR`;
      const { code, stdout, stderr } = await vaultAdmin(args, { [variable]: address }, folder);
      outputs.push(stdout, stderr);
      expect({ code, end: stdout.trimEnd().split('\n').at(-1) }).toEqual({
        code: 0,
        end: `${name}: its root token is revoked`,
      });
    }

    const environments = { dev: { primary: 'us', ...addresses } };
    const estate = { state: store.place(store.address), environments };
    writeFileSync(join(folder, 'estate.json'), JSON.stringify(estate));
    await run(`node ${APP} && mkdir synthesized && mv cdktf.out synthesized`);
    const identity = await identities.issue({ repository: 'example/estate', environment: 'dev' });
    const applying = { ...store.credentials, TF_VAR_vault_role: 'apply', TF_VAR_id_token: identity };
    await run('node stacks.mjs plan dev', applying);
    expect(await run('node stacks.mjs apply dev', applying)).toMatch(/ 1 added[^]* 2 added/);

    const eu = new Api(addresses.eu);
    expect((await eu.get('sys/replication/performance/status')).body.data).toMatchObject({
      mode: 'secondary',
      state: 'stream-wals',
    });
    // The auth method and the policy of the primary are replicated, so a login on the secondary
    // works.
    const { body } = await eu.post('auth/jwt/login', { role: 'plan', jwt: identity });
    expect((await eu.as(body.auth.client_token).get('sys/policies/acl/app-reader')).status).toBe(200);
    const texts = [...outputs, store.state('dev/replication')!, store.state('dev/policies')!];
    expect([ROOT, identity].filter((secret) => texts.some((text) => text.includes(secret)))).toEqual([]);
  } finally {
    await store.close();
    await emulator.close();
  }
});
