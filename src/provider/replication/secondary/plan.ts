import { report, MessageError } from '../../messages';
import { isKnown, UNKNOWN, type PlanContext } from '../../../plugin';
import type { Clusters } from '../../clusters';
import type { StandaloneMember } from '../shared/standalone-member';
import { heldUnlessUnseen } from './join';
import {
  anotherConfirmed,
  cannotJoin,
  dataWouldBeLost,
  disabledElsewhere,
  promotedElsewhere,
  tokenDies,
  tokenMissing,
} from './messages';
import { confirmsAnew, lacksToken, movesPrimary, renewsToken, type Configured, type InState } from './values';

type Context = PlanContext<Clusters>;

/** @throws DiagnosticError if the confirmation names another cluster */
export function checkConfirmation(
  member: StandaloneMember,
  { confirm_data_loss: confirmed }: Configured,
): void {
  if (isKnown(confirmed) && confirmed !== null && confirmed !== member.name) {
    throw anotherConfirmed(member.subject, confirmed);
  }
}

/**
 * Checks a join in the plan, as far as its values are known.
 *
 * @param replacing whether the cluster leaves first, so that its present mode has no effect
 * @throws DiagnosticError if the cluster cannot join
 */
export async function checkJoin(
  member: StandaloneMember,
  config: Configured,
  replacing: boolean,
  { diagnostics, signal }: Context,
): Promise<void> {
  if (lacksToken(config)) throw tokenMissing(member.subject);
  if (member.hasStaticToken) report(diagnostics, 'warning', tokenDies(member.subject));
  if (replacing) return;
  const status = await member.glance();
  const refusal = status && cannotJoin(member.subject, status);
  if (refusal) throw refusal;
  if (!status || config.confirm_data_loss !== null) return;
  const held = await heldUnlessUnseen(member, signal);
  if (held.length > 0) throw dataWouldBeLost(member.subject, held);
}

/**
 * Plans the changes of an existing secondary. If its mode was changed outside of Terraform, reports
 * that instead.
 *
 * @throws DiagnosticError if the changes would lose data
 */
export async function planChange(
  member: StandaloneMember,
  state: InState,
  plan: Configured,
  { diagnostics, signal }: Context,
): Promise<Configured> {
  const changed = renewsToken(state, plan) || movesPrimary(state, plan);
  if (state.mode === 'primary') {
    if (changed) throw new MessageError({ path: ['cluster'], ...promotedElsewhere(member.subject) });
    report(diagnostics, 'warning', promotedElsewhere(member.subject));
  }
  if (state.mode === 'disabled') {
    const held = confirmsAnew(state, plan) ? [] : await heldUnlessUnseen(member, signal);
    const message = disabledElsewhere(member.subject, held);
    if (!renewsToken(state, plan)) report(diagnostics, 'warning', message);
    else if (held.length > 0) throw new MessageError({ path: ['confirm_data_loss'], ...message });
  }
  return changed ? { ...plan, secondary_id: UNKNOWN, cluster_id: UNKNOWN, mode: UNKNOWN } : plan;
}
