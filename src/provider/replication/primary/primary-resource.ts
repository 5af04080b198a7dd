import { report, MessageError } from '../../messages';
import type { ReplicationPrimaryStatus, ReplicationStatus } from '../../../client';
import { PRIMARY_TIMEOUTS, REPLICATION_PRIMARY } from '../../../model';
import { definitions, isKnown } from '../../../plugin';
import type { Clusters } from '../../clusters';
import { nothingToImport, reportFindings } from '../../objects';
import { importedMember, memberId, MEMBER_IDENTITY, plannedMemberId } from '../shared/location';
import { StandaloneMember } from '../shared/standalone-member';
import { isReplaced, noteExistence } from '../shared/existence';
import { isDisabled } from '../shared/modes';
import { reportTimeouts, timeoutOf } from '../../fields';
import { PRIMARY_ATTRIBUTES, PRIMARY_BLOCKS } from '../shared/attributes';
import { cannotBeEnabled, demotedElsewhere, protectedFromDeletion, stillConnected } from './messages';

const { resource } = definitions<Clusters>();

/** A primary as a resource of its own, by `primary/enable` and `primary/disable`. */
export const REPLICATION_PRIMARY_RESOURCE = resource<typeof PRIMARY_ATTRIBUTES, typeof PRIMARY_BLOCKS>({
  name: REPLICATION_PRIMARY.name,
  schema: { description: REPLICATION_PRIMARY.doc, attributes: PRIMARY_ATTRIBUTES, blocks: PRIMARY_BLOCKS },
  identity: MEMBER_IDENTITY,

  validate({ config }, { diagnostics }) {
    reportFindings(REPLICATION_PRIMARY, config, diagnostics);
    reportTimeouts(REPLICATION_PRIMARY.title, PRIMARY_TIMEOUTS, config.timeouts, diagnostics);
  },

  async modifyPlan({ config, state, plan }, context) {
    const cluster = context.providerData.nameOf(config.cluster, REPLICATION_PRIMARY.title);
    const planned: typeof plan = { ...plan, cluster, id: plannedMemberId(cluster) };
    if (state === null) {
      if (!isKnown(cluster) || isReplaced(context)) return planned;
      const member = new StandaloneMember(REPLICATION_PRIMARY, cluster, context);
      const status = await member.glance();
      const refusal = status && cannotBeEnabled(member.subject, status);
      if (refusal) throw refusal;
      return planned;
    }

    const { subject } = new StandaloneMember(REPLICATION_PRIMARY, state.cluster!, context);
    const demoted = state.mode === 'secondary';
    if (demoted) report(context.diagnostics, 'warning', demotedElsewhere(subject));
    for (const name of ['cluster', 'primary_cluster_addr'] as const) {
      if (planned[name] === state[name]) continue;
      if (demoted) throw new MessageError({ path: [name], ...demotedElsewhere(subject) });
      context.requireReplace([name]);
      if (state.deletion_protection) {
        const cause = `another ${name} would disable it and enable it again`;
        report(context.diagnostics, 'error', { path: [name], ...protectedFromDeletion(subject, cause) });
      }
    }
    return planned;
  },

  planDestroy({ state }, context) {
    const { subject } = new StandaloneMember(REPLICATION_PRIMARY, state.cluster!, context);
    if (state.deletion_protection) {
      report(context.diagnostics, 'error', protectedFromDeletion(subject, 'it cannot be destroyed'));
    }
  },

  async create({ config, plan }, context) {
    const cluster = context.providerData.knownNameOf(config.cluster, REPLICATION_PRIMARY.title, context);
    const member = new StandaloneMember(REPLICATION_PRIMARY, cluster, context);
    const timeout = timeoutOf('create', plan.timeouts, PRIMARY_TIMEOUTS);
    const { primary_cluster_addr } = plan;

    const refusal = cannotBeEnabled(member.subject, await member.settled('create', timeout));
    if (refusal) throw refusal;
    const { cluster_id, mode } = await member.change({
      verb: 'create',
      goal: 'become a primary',
      call: (calls) => calls.enablePrimary({ primary_cluster_addr }),
      reached: isPrimary,
      timeout,
    });
    noteExistence(context);
    return { ...plan, id: memberId(cluster), cluster, cluster_id, mode };
  },

  async read({ state }, context) {
    const member = new StandaloneMember(REPLICATION_PRIMARY, state.cluster!, context);
    const imported = state.cluster_id === null;
    const status = await member.settled();
    if (status.mode !== 'primary') {
      if (imported) throw nothingToImport(member.subject);
      return status.mode === 'secondary' ? { ...state, mode: status.mode } : null;
    }
    noteExistence(context);
    const { mode, cluster_id, primary_cluster_addr } = status;
    const deletion_protection = imported || state.deletion_protection;
    return { ...state, mode, cluster_id, primary_cluster_addr, deletion_protection };
  },

  /**
   * Stores the plan without a request: only fields that Terraform alone uses can change in place.
   */
  update({ state, plan }) {
    const { id, cluster, cluster_id, mode } = state;
    return { ...plan, id, cluster, cluster_id, mode };
  },

  async delete({ state }, context) {
    const member = new StandaloneMember(REPLICATION_PRIMARY, state.cluster!, context);
    const timeout = timeoutOf('delete', state.timeouts, PRIMARY_TIMEOUTS);
    if (state.deletion_protection) {
      throw new MessageError(protectedFromDeletion(member.subject, 'it cannot be destroyed'));
    }
    const status = await member.settled('delete', timeout);
    if (status.mode === 'secondary') throw new MessageError(demotedElsewhere(member.subject));
    if (status.mode !== 'primary') return;

    await secondariesGone(member, timeout);
    await member.change({
      verb: 'delete',
      goal: 'disable replication',
      call: (calls) => calls.disablePrimary(),
      reached: isDisabled,
      timeout,
    });
  },

  import(request, context) {
    return importedMember(request, REPLICATION_PRIMARY, context);
  },
});

/**
 * Seconds to wait until the primary no longer lists secondaries that have just left. It only
 * notices that their heartbeats are missing.
 */
const LEAVING_TIMEOUT = 30;

/** @throws DiagnosticError if secondaries are still connected after the wait */
async function secondariesGone(member: StandaloneMember, timeout: number): Promise<void> {
  let connected: readonly string[] = [];
  const gone = (status: ReplicationStatus): status is ReplicationStatus => {
    connected = connectedTo(status);
    return connected.length === 0;
  };
  try {
    await member.reach('delete', 'be left by its secondaries', gone, Math.min(timeout, LEAVING_TIMEOUT));
  } catch (failure) {
    throw connected.length > 0 ? stillConnected(member.subject, connected) : failure;
  }
}

function connectedTo(status: ReplicationStatus): readonly string[] {
  if (status.mode !== 'primary') return [];
  return status.secondaries
    .filter(({ connection_status }) => connection_status === 'connected')
    .map(({ node_id }) => node_id);
}

function isPrimary(status: ReplicationStatus): status is ReplicationPrimaryStatus {
  return status.mode === 'primary';
}
