import { MessageError } from '../../messages';
import type { ReplicationSecondaryStatus } from '../../../client';
import { SECONDARY_TIMEOUTS, REPLICATION_SECONDARY } from '../../../model';
import { definitions, DiagnosticError, isKnown } from '../../../plugin';
import type { Clusters } from '../../clusters';
import { nothingToImport, reportFindings, reportSecrets, reportVersions, serverErrorOf } from '../../objects';
import { importedMember, memberId, MEMBER_IDENTITY, plannedMemberId } from '../shared/location';
import { StandaloneMember } from '../shared/standalone-member';
import { reportTimeouts, timeoutOf } from '../../fields';
import { SECONDARY_ATTRIBUTES, SECONDARY_BLOCKS } from '../shared/attributes';
import { isReplaced, noteExistence } from '../shared/existence';
import { isDisabled } from '../shared/modes';
import { contactOf, follows, join, refuseLoss, isIdle } from './join';
import { cannotJoin, goesOnByItself, promotedElsewhere, tokenMissing } from './messages';
import { checkConfirmation, checkJoin, planChange } from './plan';
import {
  confirmsAnew,
  movesPrimary,
  NOT_READ,
  renewsToken,
  stateFrom,
  tokenOf,
  type Planned,
} from './values';

const { resource } = definitions<Clusters>();

/**
 * The key of a note in the private state of an imported object: the token in its configuration may
 * be used already.
 */
const IMPORTED = 'imported';

/**
 * A secondary as a resource of its own, by `secondary/enable`, `secondary/update-primary` and
 * `secondary/disable`.
 */
export const REPLICATION_SECONDARY_RESOURCE = resource<typeof SECONDARY_ATTRIBUTES, typeof SECONDARY_BLOCKS>({
  name: REPLICATION_SECONDARY.name,
  schema: {
    description:
      `${REPLICATION_SECONDARY.doc} Destroying the resource disables replication on the cluster, which keeps its data as it is; ` +
      'the primary knows its id until that is revoked there ' +
      '(`vault write sys/replication/performance/primary/revoke-secondary id=...`).',
    attributes: SECONDARY_ATTRIBUTES,
    blocks: SECONDARY_BLOCKS,
  },
  identity: MEMBER_IDENTITY,

  validate({ config }, context) {
    reportFindings(REPLICATION_SECONDARY, config, context.diagnostics);
    reportSecrets(REPLICATION_SECONDARY, config, context, {});
    reportTimeouts(REPLICATION_SECONDARY.title, SECONDARY_TIMEOUTS, config.timeouts, context.diagnostics);
  },

  async modifyPlan({ config, state, plan }, context) {
    const cluster = context.providerData.nameOf(config.cluster, REPLICATION_SECONDARY.title);
    const planned: typeof plan = { ...plan, cluster, id: plannedMemberId(cluster) };
    // The join reports a missing token itself, with its own message.
    if (state) reportVersions(REPLICATION_SECONDARY, { config, state }, context, {});
    if (!isKnown(cluster)) return planned;

    const member = new StandaloneMember(REPLICATION_SECONDARY, cluster, context);
    checkConfirmation(member, config);
    if (state?.cluster === cluster) return planChange(member, state, planned, context);
    if (state) context.requireReplace(['cluster']);
    await checkJoin(member, config, isReplaced(context), context);
    return planned;
  },

  async create({ config, plan }, context) {
    const cluster = context.providerData.knownNameOf(config.cluster, REPLICATION_SECONDARY.title, context);
    const member = new StandaloneMember(REPLICATION_SECONDARY, cluster, context);
    const timeout = timeoutOf('create', plan.timeouts, SECONDARY_TIMEOUTS);

    const refusal = cannotJoin(member.subject, await member.settled('create', timeout));
    if (refusal) throw refusal;
    const token = tokenOf(config);
    if (!token) throw tokenMissing(member.subject);
    if (plan.confirm_data_loss !== cluster) await refuseLoss(member, 'create', context.signal);
    await join(member, 'create', { token, ...contactOf(plan) }, timeout);
    const status = await follows(member, 'create', timeout).catch((failure: unknown) => {
      throw failure instanceof DiagnosticError ? goesOnByItself(member.subject, failure) : failure;
    });
    noteExistence(context);
    return { ...plan, id: memberId(cluster), cluster, ...stateFrom(status) };
  },

  async read({ state }, context) {
    const member = new StandaloneMember(REPLICATION_SECONDARY, state.cluster!, context);
    const imported = state.cluster_id === null;
    const status = await member.settled();
    if (status.mode !== 'secondary') {
      if (imported) throw nothingToImport(member.subject);
      return { ...state, mode: status.mode };
    }
    noteExistence(context);
    if (!imported) return { ...state, ...stateFrom(status) };
    context.privateState.set(IMPORTED, true);
    return { ...state, ...NOT_READ, ...stateFrom(status) };
  },

  async update({ config, state, plan }, context) {
    const member = new StandaloneMember(REPLICATION_SECONDARY, state.cluster!, context);
    const { id, cluster, secondary_id, cluster_id, mode } = state;
    const unchanged = { ...plan, id, cluster, secondary_id, cluster_id, mode };
    const imported = context.privateState.get(IMPORTED) === true;
    context.privateState.set(IMPORTED, undefined);
    const renews = renewsToken(state, plan);
    const token = renews ? tokenOf(config) : undefined;
    if (imported && token === null) return unchanged;
    if (token === null) throw tokenMissing(member.subject);
    if (!renews && !movesPrimary(state, plan)) return unchanged;

    const timeout = timeoutOf('update', plan.timeouts, SECONDARY_TIMEOUTS);
    const before = await member.settled('update', timeout);
    // The token is used up, and must not be sent again if the wait for its effect fails.
    const used = (status: ReplicationSecondaryStatus) => context.keep({ ...unchanged, ...stateFrom(status) });
    if (isDisabled(before)) {
      if (!token) throw tokenMissing(member.subject);
      if (!confirmsAnew(state, plan)) await refuseLoss(member, 'update', context.signal);
      used(await join(member, 'update', { token, ...contactOf(plan) }, timeout));
    } else if (before.mode === 'secondary') {
      try {
        await pointElsewhere(member, token, plan);
      } catch (failure) {
        // Before the import, the object may have joined with this token, so a refusal is no error.
        if (!imported || !isTokenRefused(failure)) throw failure;
        return unchanged;
      }
      used(before);
    } else {
      throw new MessageError({ path: ['cluster'], ...promotedElsewhere(member.subject) });
    }
    return { ...unchanged, ...stateFrom(await awaitNewPrimary(member, token, timeout)) };
  },

  async delete({ state }, context) {
    const member = new StandaloneMember(REPLICATION_SECONDARY, state.cluster!, context);
    const timeout = timeoutOf('delete', state.timeouts, SECONDARY_TIMEOUTS);
    const { mode } = await member.settled('delete', timeout);
    if (mode === 'primary')
      throw new MessageError({ path: ['cluster'], ...promotedElsewhere(member.subject) });
    if (mode !== 'secondary') return;
    await member.change({
      verb: 'delete',
      goal: 'disable replication',
      call: (calls) => calls.disableSecondary(),
      reached: isDisabled,
      timeout,
    });
  },

  import(request, context) {
    return importedMember(request, REPLICATION_SECONDARY, context);
  },
});

/**
 * Points a secondary to the primary that issued a token, to no primary (with an empty token), or to
 * other addresses of its own primary.
 *
 * @param token undefined if only the addresses change
 */
async function pointElsewhere(
  member: StandaloneMember,
  token: string | undefined,
  plan: Planned,
): Promise<void> {
  const target = token === undefined ? { update_primary_addrs: plan.update_primary_addrs } : { token };
  await member.call('update', (replication) => replication.updatePrimary({ ...target, ...contactOf(plan) }));
}

/**
 * Waits until the secondary follows its new primary, or has forgotten its primary if the token is
 * empty.
 */
function awaitNewPrimary(
  member: StandaloneMember,
  token: string | undefined,
  timeout: number,
): Promise<ReplicationSecondaryStatus> {
  return token === ''
    ? member.reach('update', 'forget its primary', isIdle, timeout)
    : follows(member, 'update', timeout);
}

/** Whether the primary refused a token, for example because it was used already. */
function isTokenRefused(failure: unknown): boolean {
  return serverErrorOf(failure)?.code === 'activation_token_refused';
}
