import {
  HASH_ALGORITHMS,
  MANAGED_KEY,
  normalizeNamespace,
  objectTitle,
  REPLICATION_SECONDARY,
} from '../model';
import { bool, definitions, oneOf, string, type Action, type ActionContext } from '../plugin';
import { WAIT_HEALTHY_ACTION } from './auto-snapshots/wait-healthy';
import type { Clusters } from './clusters';
import { RECOVER_ACTION } from './loaded-snapshots/recover';
import { ACTION_LOCATION, ACTION_ON_CLUSTER, nothingToRead, onCluster, request, subjectOf } from './objects';
import { UPDATE_PRIMARY_ADDRS_ACTION } from './replication/update-primary-addrs';

const { action } = definitions<Clusters>();

const TEST_SIGN = action({
  name: 'managed_key_test_sign',
  schema: {
    description:
      'Makes the server sign random data with a managed key and verify the signature. If the key does not exist in the ' +
      'backend and may be generated, this generates it.',
    attributes: {
      ...ACTION_LOCATION,
      name: string({ required: true, description: 'Name of the key.' }),
      hash_algorithm: string({
        optional: true,
        validators: [oneOf(...HASH_ALGORITHMS)],
        description: "Hash algorithm of the signature. Default: the server's.",
      }),
      use_pss: bool({
        optional: true,
        description: "Whether to sign with PSS. Default: the server's.",
      }),
    },
  },
  async invoke({ config }, context) {
    const { name, hash_algorithm, use_pss } = config;
    const subject = subjectOf(MANAGED_KEY, {
      ...locationOf(config, objectTitle(MANAGED_KEY, name), context),
      name,
    });
    const options = { signal: context.signal };
    const found = await request('find', subject, context, ({ managedKeys }) =>
      managedKeys.find(name, options),
    );
    if (!found) throw nothingToRead(subject);
    const { type } = found.data;
    context.progress(`${onCluster(subject)}: signing with the key in ${type}`);
    const hashAlgorithm = HASH_ALGORITHMS.find((algorithm) => algorithm === hash_algorithm);
    await request('make a test signature with', subject, context, ({ managedKeys }) =>
      managedKeys.testSign(type, name, { hashAlgorithm, usePss: use_pss ?? undefined }, options),
    );
    context.progress(`${onCluster(subject)}: the signature is valid`);
  },
});

const TOKEN = { title: 'token', edition: 'community', restricted: false } as const;

const REVOKE_ACCESSOR = action({
  name: 'token_revoke_accessor',
  schema: {
    description:
      'Revokes the token with an accessor, and all its child tokens and leases. Use it for a leaked token of which only the ' +
      'accessor is known.',
    attributes: {
      ...ACTION_LOCATION,
      accessor: string({ required: true, description: 'Accessor of the token, as audit logs show it.' }),
    },
  },
  async invoke({ config }, context) {
    const { accessor } = config;
    const title = `token with accessor ${JSON.stringify(accessor)}`;
    const location = locationOf(config, title, context);
    await request('revoke', { definition: TOKEN, location, title }, context, (client) =>
      client.write('auth/token/revoke-accessor', { accessor }, { signal: context.signal }),
    );
    context.progress(`${onCluster({ title, location })}: revoked`);
  },
});

const REVOKE_SECONDARY = action({
  name: 'perf_replication_revoke_secondary',
  schema: {
    description:
      "Revokes a secondary's id on the primary: an unused activation token becomes invalid, and the secondary is disconnected. The " +
      'secondary keeps its data and must join again. Do not use it for secondaries in a replication set, which revokes ids itself.',
    attributes: {
      ...ACTION_ON_CLUSTER,
      secondary_id: string({
        required: true,
        description: 'The id for which the activation token was issued.',
      }),
    },
  },
  async invoke({ config }, context) {
    const { secondary_id: id } = config;
    const title = `secondary ${JSON.stringify(id)}`;
    const location = locationOf({ ...config, namespace: null }, title, context);
    await request('revoke', { definition: REPLICATION_SECONDARY, location, title }, context, (client) =>
      client.withNamespace('').replication.performance.revokeSecondary(id, { signal: context.signal }),
    );
    context.progress(`${onCluster({ title, location })}: revoked`);
  },
});

/** The actions of the provider: operations without a state, which people otherwise do by hand. */
export const ACTIONS: readonly Action<Clusters>[] = [
  TEST_SIGN,
  REVOKE_ACCESSOR,
  REVOKE_SECONDARY,
  UPDATE_PRIMARY_ADDRS_ACTION,
  WAIT_HEALTHY_ACTION,
  RECOVER_ACTION,
];

function locationOf(
  { cluster, namespace }: { readonly cluster: string | null; readonly namespace: string | null },
  title: string,
  context: ActionContext<Clusters>,
) {
  return {
    cluster: context.providerData.knownNameOf(cluster, title, context),
    namespace: normalizeNamespace(namespace),
  };
}
