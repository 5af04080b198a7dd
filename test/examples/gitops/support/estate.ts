import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmulator, type Emulator, type RunningCluster } from '../../../../src/emulator';
import { Api } from '../../../emulator/support/api';
import { EXAMPLE } from './pipelines';
import { startIdentityProvider, type IdentityProvider } from './identities';
import { startReviews, type Reviews } from './reviews';
import { startStateStore, type StateStore, type StoreKind } from './state-stores';

/**
 * The services of a pipeline: a server that accepts its jobs by their identities, and a store for
 * the state.
 */
export interface Estate {
  /** For all that is written in a test. */
  readonly folder: string;
  readonly emulator: Emulator;
  readonly server: RunningCluster;
  readonly api: Api;
  readonly store: StateStore;
  readonly identities: IdentityProvider;
  readonly reviews: Reviews;
  /** Secrets that must be nowhere but in the environment. */
  readonly secrets: readonly string[];
  close(): Promise<void>;
}

const STATE_SECRET = 'canary-state-secret';

/**
 * @param claims of a job that may plan. The claims of a job that may apply name the environment as
 *   well.
 */
export async function startEstate(
  kind: StoreKind,
  claims: Readonly<Record<string, string>>,
): Promise<Estate> {
  const folder = mkdtempSync(join(tmpdir(), 'gitops-'));
  const emulator = await startEmulator();
  const server = emulator.clusters.default;
  const api = new Api(server.address, server.rootToken);
  const store = await startStateStore(kind, STATE_SECRET);
  const identities = startIdentityProvider();
  const reviews = await startReviews();

  await api.put('sys/auth/jwt', { type: 'jwt' });
  await api.put('auth/jwt/config', { jwt_validation_pubkeys: [identities.publicKey] });
  await allow(api, 'plan', claims);
  await allow(api, 'apply', { ...claims, environment: 'production' });
  await allow(api, 'restore', { ...claims, environment: 'nightly' });

  return {
    folder,
    emulator,
    server,
    api,
    store,
    identities,
    reviews,
    secrets: [STATE_SECRET, server.rootToken, reviews.token],
    close: async () => {
      await reviews.close();
      await store.close();
      await emulator.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Lets jobs with these claims log in under a role, with the example's policy of that name. */
async function allow(api: Api, role: string, claims: object): Promise<void> {
  await api.put(`sys/policies/acl/${role}`, { policy: readFileSync(join(EXAMPLE, `${role}.hcl`), 'utf8') });
  await api.put(`auth/jwt/role/${role}`, {
    role_type: 'jwt',
    user_claim: 'sub',
    bound_audiences: 'vault',
    bound_claims: claims,
    token_policies: role,
    token_ttl: '10m',
  });
}
