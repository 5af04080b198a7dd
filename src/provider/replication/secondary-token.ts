import { phrase } from '../../model/messages';
import { MessageError } from '../messages';
import { VaultError, type ReplicationPrimaryStatus, type ReplicationStatus } from '../../client';
import { formatImportId, objectTitle, PUBLIC_KEYS_SINCE, SECONDARY_TOKEN } from '../../model';
import { bool, definitions, DiagnosticError, string } from '../../plugin';
import type { Clusters } from '../clusters';
import { onCluster, reportFindings, RESOURCE_LOCATION, type RequestContext } from '../objects';
import { StandaloneMember } from './shared/standalone-member';

const { ephemeralResource } = definitions<Clusters>();

const { secondary_id, ttl, secondary_public_key } = SECONDARY_TOKEN.fields;

const ATTRIBUTES = {
  id: string({ computed: true, description: 'The primary and the secondary: `cluster//secondary_id`.' }),
  cluster: RESOURCE_LOCATION.cluster,
  cluster_id: string({
    optional: true,
    description:
      'Id of the replication set that the primary must belong to. If it comes from `vaultadmin_perf_replication_primary`, it ' +
      'also defers the token until that resource exists.',
  }),
  secondary_id: string({ required: true, description: secondary_id!.doc }),
  ttl: string({ optional: true, description: `${ttl!.doc} Default: \`${String(ttl!.default)}\`.` }),
  secondary_public_key: string({ optional: true, description: secondary_public_key!.doc }),
  revoke_unused: bool({
    optional: true,
    description:
      'Whether to revoke the token when Terraform is done, unless the secondary has connected by then. Set this to `false` if ' +
      'the token is passed on for later use; open it only in the run that passes it on, since every plan and apply issues ' +
      'another one, which replaces the previous one. Default: `true`.',
  }),
  token: string({
    computed: true,
    sensitive: true,
    description:
      'The activation token. Null if a secondary with this id has connected before: it needs no token, and its id must not be ' +
      'given to another one. To issue a token for the id anyway, revoke the id first.',
  }),
};

/** Seconds to wait for a secondary to connect before it counts as never connected. */
const CONNECT_TIMEOUT = 10;

/** The data that a revocation of the token requires. */
interface Issued {
  readonly cluster: string;
  readonly secondaryId: string;
}

/**
 * The ephemeral resource of an activation token. It is issued by `primary/secondary-token`, and
 * revoked if it was not used.
 */
export const SECONDARY_TOKEN_EPHEMERAL_RESOURCE = ephemeralResource<typeof ATTRIBUTES>({
  name: SECONDARY_TOKEN.name,
  schema: {
    description:
      `${SECONDARY_TOKEN.doc} Terraform opens it in every plan and in every apply. Unused tokens are revoked ` +
      'afterwards, so that a plan leaves nothing behind. Unused tokens of an interrupted run are replaced.',
    attributes: ATTRIBUTES,
  },

  validate({ config }, { diagnostics }) {
    reportFindings(SECONDARY_TOKEN, config, diagnostics);
  },

  async open({ config }, context) {
    const { secondary_id: id, ttl, secondary_public_key } = config;
    const cluster = context.providerData.knownNameOf(
      config.cluster,
      objectTitle(SECONDARY_TOKEN, id),
      context,
    );
    const member = memberOf(cluster, id, context);
    const result = { ...config, id: formatImportId({ cluster, namespace: '', name: id }), cluster };

    const status = await member.settled('create');
    if (status.mode !== 'primary') throw notAPrimary(member, status);
    if (config.cluster_id !== null && config.cluster_id !== status.cluster_id) {
      throw ofAnotherSet(member, status, config.cluster_id);
    }
    const known = await settledKnowledge(member, status, id);
    if (known === 'connected before') return { result: { ...result, token: null } };
    if (known === 'never connected') await revoke(member, id);

    const { data } = await member.call('create', (replication) =>
      replication.secondaryToken({
        id,
        ...(ttl !== null && { ttl }),
        ...(secondary_public_key && { secondary_public_key }),
      }),
    );
    context.mask(data.token);
    if (secondary_public_key && data.kind === 'wrapped') {
      await revoke(member, id);
      throw publicKeyIgnored(member);
    }
    const issued: Issued = { cluster, secondaryId: id };
    return {
      result: { ...result, token: data.token },
      ...(config.revoke_unused !== false && { private: issued }),
    };
  },

  async close({ private: kept }, context) {
    if (kept === undefined) return;
    const { cluster, secondaryId } = kept as Issued;
    const member = memberOf(cluster, secondaryId, context);
    const status = await member.settled('delete');
    if (status.mode !== 'primary' || knowledgeOf(status, secondaryId) !== 'never connected') return;
    context.log.info(`${onCluster(member.subject)}: not used, therefore revoked`);
    await revoke(member, secondaryId);
  },
});

type Knowledge = 'unknown' | 'never connected' | 'connected before';

/**
 * Returns whether the primary knows a secondary id, and whether the secondary has ever connected:
 * only then does its entry have an address.
 */
function knowledgeOf(status: ReplicationPrimaryStatus, id: string): Knowledge {
  if (!status.known_secondaries.includes(id)) return 'unknown';
  const secondary = status.secondaries.find(({ node_id }) => node_id === id);
  const connected = secondary?.connection_status === 'connected' || secondary?.last_heartbeat !== undefined;
  return connected || secondary?.cluster_address !== undefined ? 'connected before' : 'never connected';
}

/**
 * Returns the same as {@link knowledgeOf} after a possible wait: a primary that has just restarted
 * lists no addresses until its secondaries connect again.
 */
async function settledKnowledge(
  member: StandaloneMember,
  status: ReplicationPrimaryStatus,
  id: string,
): Promise<Knowledge> {
  const known = knowledgeOf(status, id);
  if (known !== 'never connected') return known;
  const isSettled = (now: ReplicationStatus): now is ReplicationPrimaryStatus =>
    now.mode === 'primary' && knowledgeOf(now, id) !== 'never connected';
  try {
    return knowledgeOf(await member.reach('create', 'connect', isSettled, CONNECT_TIMEOUT), id);
  } catch (failure) {
    if (failure instanceof DiagnosticError && isTimeout(failure)) return known;
    throw failure;
  }
}

async function revoke(member: StandaloneMember, id: string): Promise<void> {
  await member.call('revoke', (replication) => replication.revokeSecondary(id));
}

function isTimeout({ cause }: DiagnosticError): boolean {
  return VaultError.is(cause) && cause.code === 'timeout';
}

function memberOf(cluster: string, secondaryId: string, context: RequestContext): StandaloneMember {
  return new StandaloneMember(SECONDARY_TOKEN, cluster, context, secondaryId);
}

function notAPrimary(member: StandaloneMember, { mode }: ReplicationStatus): DiagnosticError {
  return new MessageError({
    path: ['cluster'],
    summary: `cannot create ${onCluster(member.subject)}: the cluster is not a primary`,
    received: `a cluster in mode ${JSON.stringify(mode)}`,
    allowed: 'a primary, which issues the tokens of its secondaries',
    cures: 'set cluster to the primary, or make this cluster a primary first',
  });
}

function ofAnotherSet(
  member: StandaloneMember,
  { cluster_id: found }: ReplicationPrimaryStatus,
  wanted: string,
): DiagnosticError {
  return new MessageError({
    path: ['cluster_id'],
    summary: phrase`cannot create ${onCluster(member.subject)}: the cluster is the primary of another
      replication set`,
    received: `a primary of set ${JSON.stringify(found)}`,
    allowed: `one of set ${JSON.stringify(wanted)}`,
    cures: 'set cluster to the primary of that set, or correct cluster_id',
  });
}

function publicKeyIgnored(member: StandaloneMember): DiagnosticError {
  return new MessageError({
    path: ['secondary_public_key'],
    summary: `${onCluster(member.subject)}: the server wrapped the token instead of encrypting it`,
    details: phrase`It does not support public keys, which require version ${PUBLIC_KEYS_SINCE}. The
      token was revoked.`,
    cures: 'upgrade the primary, or leave out secondary_public_key',
  });
}
