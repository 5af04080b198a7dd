import { report } from '../messages';
import * as timers from 'node:timers';
import { ACL_POLICY, DEFAULT_POLICY, Effort, policyChange, policyText, type PolicyChange } from '../../model';
import { isKnown, type PlanContext } from '../../plugin';
import type { Clusters } from '../clusters';
import { perRun, textIn, titleIn, type ObjectChange, type AttributeValues } from '../objects';
import { changed, deleted, notCompared, replaced, stopped } from './meaning-messages';

/**
 * The most steps for the comparisons of all large policies of a plan, which take less than a
 * second.
 */
export const STEPS_OF_A_PLAN = 2_000_000;

/** The comparisons of one plan. */
class Comparisons {
  /** The remaining steps for all comparisons together. */
  readonly steps = new Effort(STEPS_OF_A_PLAN);
  #last = Promise.resolve();

  /**
   * Compares two texts of a policy. Pending signals and requests are processed before it.
   *
   * @param before absent if the policy did not exist
   * @returns `undefined` if Terraform was stopped, if a text cannot be parsed, or if the comparison
   * is too complex, which is reported
   */
  async compare(
    before: string | undefined,
    after: string,
    { title, diagnostics, signal }: Pick<Context, 'diagnostics' | 'signal'> & { readonly title: string },
  ): Promise<PolicyChange | undefined> {
    // Each comparison waits for the previous one. Otherwise several would run in the same turn of
    // the event loop, without a break for signals and requests.
    this.#last = this.#last.then(() => timers.promises.setImmediate());
    await this.#last;
    const change = signal.aborted ? 'stopped' : policyChange(before, after, this.steps);
    if (change === 'stopped') report(diagnostics, 'error', stopped(title));
    else if (change === 'too complex') report(diagnostics, 'warning', notCompared(title));
    else return change;
    return undefined;
  }
}

const comparisonsOf = perRun(() => new Comparisons());

type Context = PlanContext<Clusters>;

/** The kinds of sensitive changes that give power over policies. */
const OF_POLICIES: readonly string[] = ['policies', 'sentinel', 'deletions'];

/**
 * Warns of the requests that a plan allows or denies. The text of a new policy shows the requests
 * that it allows, so the warning contains only those that give power over policies.
 */
export async function reportMeaning(
  { state, plan }: Pick<ObjectChange, 'state' | 'plan'>,
  { diagnostics, providerData, signal }: Context,
): Promise<void> {
  const title = titleIn(ACL_POLICY, plan);
  const comparisons = comparisonsOf(providerData);
  const compare = (...texts: [before: string | undefined, after: string]) =>
    comparisons.compare(...texts, { title, diagnostics, signal });
  const before = state === null ? undefined : (textIn(state, 'policy') ?? '');
  const after = isKnown(plan.policy) ? (textIn(plan, 'policy') ?? '') : undefined;

  if (state !== null && plan.id !== state.id) {
    const gained = after === undefined ? NOTHING : await compare(undefined, after);
    const lost = gained && (await compare(before, ''));
    if (!lost) return;
    const change = { ...ofNewPolicy(gained), allowed: gained.allowed, denied: lost.denied };
    return report(diagnostics, 'warning', replaced(title, titleIn(ACL_POLICY, state), change));
  }
  // The initial text of a built-in policy is not known.
  if (after === undefined || (state === null && plan.name === DEFAULT_POLICY)) return;
  if (before !== undefined && policyText(before) === policyText(after)) return;
  const change = await compare(before, after);
  const shown = change && (state === null ? ofNewPolicy(change) : change);
  if (shown && Object.values(shown).some(({ length }) => length > 0))
    report(diagnostics, 'warning', changed(title, shown));
}

/** Warns that the requests of a policy are denied after its deletion. */
export async function reportDeletion(
  state: AttributeValues,
  { diagnostics, providerData, signal }: Context,
): Promise<void> {
  const title = titleIn(ACL_POLICY, state);
  const before = textIn(state, 'policy') ?? '';
  const change = await comparisonsOf(providerData).compare(before, '', { title, diagnostics, signal });
  if (change && change.denied.length > 0) report(diagnostics, 'warning', deleted(title, change.denied));
}

const NOTHING: PolicyChange = { allowed: [], denied: [], sensitive: [] };

function ofNewPolicy({ sensitive }: PolicyChange): PolicyChange {
  return { ...NOTHING, sensitive: sensitive.filter(({ kind }) => OF_POLICIES.includes(kind)) };
}
