import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEmulator, type Emulator, type RunningCluster } from '../../../../src/emulator';
import { Api } from '../../../emulator/support/api';
import { temporaryFolder } from '../../../support/temporary-folder';
import { ENVIRONMENTS, EXAMPLE } from './pipelines';
import { startIdentityProvider, type IdentityProvider } from './identities';
import { startReviews, type Reviews } from './reviews';
import { startStateStore, type StateStore, type StoreKind } from './state-stores';

/**
 * The services that a pipeline uses: the clusters of three environments, to which its jobs log in
 * with identity tokens, and a store for the states.
 */
export interface Estate {
  /** The folder for all files of a test. */
  readonly folder: string;
  readonly emulator: Emulator;
  /** Returns the cluster of an environment by its name, such as "dev-us". */
  cluster(name: string): RunningCluster;
  api(name: string): Api;
  readonly store: StateStore;
  readonly identities: IdentityProvider;
  readonly reviews: Reviews;
  /** The secrets that may only occur in environment variables. */
  readonly secrets: readonly string[];
  close(): Promise<void>;
}

const STATE_SECRET = 'canary-state-secret';

/**
 * @param claims the claims of a job that may plan. The claims of a job that may apply also name the
 *   environment
 */
export async function startEstate(
  kind: StoreKind,
  claims: Readonly<Record<string, string>>,
): Promise<Estate> {
  const folder = temporaryFolder('gitops');
  const names = ENVIRONMENTS.flatMap((environment) => [`${environment}-us`, `${environment}-eu`]);
  const emulator = await startEmulator({ clusters: Object.fromEntries(names.map((name) => [name, 0])) });
  const cluster = (name: string) => emulator.clusters[name]!;
  const api = (name: string) => new Api(cluster(name).address, cluster(name).rootToken);
  const store = await startStateStore(kind, STATE_SECRET);
  const identities = startIdentityProvider();
  const reviews = await startReviews();

  for (const name of names) {
    const [environment] = name.split('-');
    await api(name).put('sys/auth/jwt', { type: 'jwt' });
    await api(name).put('auth/jwt/config', { jwt_validation_pubkeys: [identities.publicKey] });
    await allow(api(name), 'plan', ['plan'], claims);
    await allow(api(name), 'apply', ['plan', 'apply'], { ...claims, environment: environment! });
    await allow(api(name), 'restore', ['restore'], { ...claims, environment: 'nightly' });
  }

  return {
    folder,
    emulator,
    cluster,
    api,
    store,
    identities,
    reviews,
    secrets: [STATE_SECRET, ...names.map((name) => cluster(name).rootToken), reviews.token],
    close: async () => {
      await reviews.close();
      await store.close();
      await emulator.close();
    },
  };
}

/**
 * Creates a role for jobs with the given claims, with policies of the example. Writes the policy
 * with the name of the role.
 */
async function allow(api: Api, role: string, policies: readonly string[], claims: object): Promise<void> {
  await api.put(`sys/policies/acl/${role}`, { policy: readFileSync(join(EXAMPLE, `${role}.hcl`), 'utf8') });
  await api.put(`auth/jwt/role/${role}`, {
    role_type: 'jwt',
    user_claim: 'sub',
    bound_audiences: 'vault',
    bound_claims: claims,
    token_policies: policies,
    token_ttl: '10m',
  });
}

/**
 * Writes a copy of the example with the changes of a project: the addresses of its clusters and its
 * state store.
 *
 * @param store the address of the state store, which may be that of a proxy in front of it
 */
export function makeOwn(estate: Estate, folder: string, store = estate.store.address): void {
  const addressOf = (name: string) => estate.cluster(name).address;
  const environments = ENVIRONMENTS.map((name) => [
    name,
    { primary: 'us', us: addressOf(`${name}-us`), eu: addressOf(`${name}-eu`) },
  ]);
  const state = estate.store.place(store);
  cpSync(EXAMPLE, folder, { recursive: true });
  writeFileSync(
    join(folder, 'estate.json'),
    JSON.stringify({ state, environments: Object.fromEntries(environments) as object }),
  );
  const restore = readFileSync(join(EXAMPLE, 'restore.tf'), 'utf8');
  writeFileSync(
    join(folder, 'restore.tf'),
    restore.replace('https://us.vault.example.com:8200', addressOf('prod-us')),
  );
}
