import type { ReplicationSecondaryStatus } from '../../../client';
import { replicationSecondary } from '../../../model';
import {
  definitions,
  DiagnosticError,
  isKnown,
  UNKNOWN,
  type AppliedConfig,
  type Config,
  type Plan,
  type SchemaOf,
  type State,
} from '../../../plugin';
import type { Clusters } from '../../clusters';
import { nothingToImport, reportFindings, reportSecrets } from '../../objects';
import { importedMember, memberId, memberIdentity, plannedMemberId } from '../shared/location';
import { Member } from '../shared/member';
import { reportTimeouts, timeoutOf } from '../shared/timeouts';
import { secondaryAttributes, TIMEOUTS } from './attributes';
import { contactOf, followPrimary, follows, heldUnlessUnseen, isDisabled, join, refuseLoss } from './join';
import {
  anotherConfirmed,
  cannotJoin,
  dataWouldBeLost,
  disabledElsewhere,
  goesOnByItself,
  promotedElsewhere,
  tokenDies,
  tokenMissing,
} from './messages';

const { resource } = definitions<Clusters>();

const definition = replicationSecondary;

type Attributes = SchemaOf<typeof secondaryAttributes>;
type Values = State<Attributes>;

/** In the private state of what exists: a plan without a prior state is then a replacement. */
const EXISTS = 'exists';
/** In the private state of what was imported: the token of its configuration has done its work. */
const IMPORTED = 'imported';

/** Interface sections 3 and 4.3: `secondary/enable`, `secondary/update-primary` and `secondary/disable`. */
export const replicationSecondaryResource = resource<typeof secondaryAttributes>({
  name: definition.name,
  schema: {
    description:
      `${definition.doc} Destroying the resource disables replication on the cluster, which keeps its data as it is; ` +
      'the primary knows its id until that is revoked there ' +
      '(`vault write sys/replication/performance/primary/revoke-secondary id=...`).',
    attributes: secondaryAttributes,
  },
  identity: memberIdentity,

  validate({ config }, context) {
    reportFindings(definition, config, context.diagnostics);
    reportSecrets(definition, config, context, {});
    reportTimeouts(definition.title, config.timeouts, context.diagnostics);
  },

  async modifyPlan({ config, state, plan }, context) {
    const { provider, diagnostics, privateState, requireReplace, signal } = context;
    const cluster = provider.nameOf(config.cluster, definition.title);
    const planned: typeof plan = { ...plan, cluster, id: plannedMemberId(cluster) };
    if (!isKnown(cluster)) return planned;

    const member = new Member(definition, cluster, context);
    const { confirm_data_loss: confirmed } = plan;
    if (isKnown(confirmed) && confirmed !== null && confirmed !== cluster) {
      throw anotherConfirmed(member.subject, confirmed);
    }
    if (state === null || state.cluster !== cluster) {
      if (state !== null) requireReplace(['cluster']);
      refuseWithoutToken(member, config);
      if (member.hasStaticToken) diagnostics.warning(...tokenDies(member.subject));
      if (privateState.get(EXISTS) === true) return planned;
      const status = await member.glance();
      const refusal = status && cannotJoin(member.subject, status);
      if (refusal) throw refusal;
      if (status && confirmed === null) {
        const held = await heldUnlessUnseen(member, signal);
        if (held.length > 0) throw dataWouldBeLost(member.subject, held);
      }
      return planned;
    }

    const changed = renewsToken(state, plan) || movesPrimary(state, plan);
    if (state.mode === 'primary') {
      if (changed) throw new DiagnosticError(...promotedElsewhere(member.subject), ['cluster']);
      diagnostics.warning(...promotedElsewhere(member.subject));
    }
    if (state.mode === 'disabled') {
      const held = confirmsAnew(state, plan, cluster) ? [] : await heldUnlessUnseen(member, signal);
      const message = disabledElsewhere(member.subject, held);
      if (!renewsToken(state, plan)) diagnostics.warning(...message);
      else if (held.length > 0) throw new DiagnosticError(...message, ['confirm_data_loss']);
    }
    return changed ? { ...planned, secondary_id: UNKNOWN, cluster_id: UNKNOWN, mode: UNKNOWN } : planned;
  },

  async create({ config, plan }, context) {
    const cluster = context.provider.knownNameOf(config.cluster, definition.title, context);
    const member = new Member(definition, cluster, context);
    const timeout = timeoutOf('create', plan.timeouts, TIMEOUTS);

    const refusal = cannotJoin(member.subject, await member.status('create', timeout));
    if (refusal) throw refusal;
    const token = tokenOf(config);
    if (!token) throw tokenMissing(member.subject);
    if (plan.confirm_data_loss !== cluster) await refuseLoss(member, 'create', context.signal);
    await join(member, 'create', { token, ...contactOf(plan) }, timeout);
    const status = await follows(member, 'create', timeout).catch((failure: unknown) => {
      throw failure instanceof DiagnosticError ? goesOnByItself(member.subject, failure) : failure;
    });
    context.privateState.set(EXISTS, true);
    return { ...plan, id: memberId(cluster), cluster, ...standing(status) };
  },

  async read({ state }, context) {
    const member = new Member(definition, state.cluster!, context);
    const imported = state.cluster_id === null;
    const status = await member.status();
    if (status.mode !== 'secondary') {
      if (imported) throw nothingToImport(member.subject);
      return { ...state, mode: status.mode };
    }
    context.privateState.set(EXISTS, true);
    if (!imported) return { ...state, ...standing(status) };
    context.privateState.set(IMPORTED, true);
    return { ...state, ...DEFAULTS, ...standing(status) };
  },

  async update({ config, state, plan }, context) {
    const member = new Member(definition, state.cluster!, context);
    const { id, cluster, secondary_id, cluster_id, mode } = state;
    const unchanged = { ...plan, id, cluster, secondary_id, cluster_id, mode };
    const imported = context.privateState.get(IMPORTED) === true;
    context.privateState.set(IMPORTED, undefined);
    const renews = renewsToken(state, plan);
    if (imported || (!renews && !movesPrimary(state, plan))) return unchanged;

    const timeout = timeoutOf('update', plan.timeouts, TIMEOUTS);
    const token = renews ? tokenOf(config) : undefined;
    if (token === null) throw tokenMissing(member.subject);
    const before = await member.status('update', timeout);
    const contact = contactOf(plan);
    if (isDisabled(before)) {
      if (!token) throw tokenMissing(member.subject);
      if (!confirmsAnew(state, plan, cluster!)) await refuseLoss(member, 'update', context.signal);
      // The token is used up: it must not be sent again where the wait for what comes of it fails.
      context.keep({
        ...unchanged,
        ...standing(await join(member, 'update', { token, ...contact }, timeout)),
      });
      return { ...unchanged, ...standing(await follows(member, 'update', timeout)) };
    }
    if (before.mode !== 'secondary') {
      throw new DiagnosticError(...promotedElsewhere(member.subject), ['cluster']);
    }
    const fields =
      token === undefined
        ? { update_primary_addrs: plan.update_primary_addrs, ...contact }
        : { token, ...contact };
    await member.asUser('update', ({ replication }) => replication.performance.updatePrimary(fields));
    context.keep({ ...unchanged, ...standing(before) });
    return { ...unchanged, ...standing(await followPrimary(member, token === '', timeout)) };
  },

  async delete({ state }, context) {
    const member = new Member(definition, state.cluster!, context);
    const timeout = timeoutOf('delete', state.timeouts, TIMEOUTS);
    const { mode } = await member.status('delete', timeout);
    if (mode === 'primary') throw new DiagnosticError(...promotedElsewhere(member.subject), ['cluster']);
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
    return importedMember(request, definition, context);
  },
});

/** What an import cannot read. */
const DEFAULTS = { primary_api_addr: '', ca_file: '', ca_path: '', update_primary_addrs: [] } as const;

/** What the status says of a secondary, as the state has it. */
function standing({ secondary_id, cluster_id, mode }: ReplicationSecondaryStatus) {
  return { secondary_id, cluster_id, mode };
}

function tokenOf({ token, token_wo }: AppliedConfig<Attributes>): string | null {
  return token_wo ?? token;
}

/** @throws DiagnosticError where it is known already that there is no token to join with. */
function refuseWithoutToken(member: Member, { token, token_wo }: Config<Attributes>): void {
  if ((token === null && token_wo === null) || token === '' || token_wo === '') {
    throw tokenMissing(member.subject);
  }
}

type Planned = Config<Attributes> | Plan<Attributes>;

/** Whether there is another token than the one that was used. */
function renewsToken(state: Values, { token, token_wo_version }: Planned): boolean {
  const another = token !== null && token !== state.token;
  return another || (token_wo_version !== null && token_wo_version !== state.token_wo_version);
}

/** Whether the primary is to be found at other addresses. */
function movesPrimary(state: Values, { update_primary_addrs: addresses }: Planned): boolean {
  if (!isKnown(addresses) || addresses === null) return !isKnown(addresses);
  return addresses.length > 0 && addresses.join() !== state.update_primary_addrs.join();
}

/** Whether the loss of data is confirmed for this time, and not left over from an earlier one. */
function confirmsAnew(state: Values, plan: Planned, cluster: string): boolean {
  return plan.confirm_data_loss === cluster && state.confirm_data_loss !== cluster;
}
