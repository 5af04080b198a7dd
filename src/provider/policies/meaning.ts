import { report } from '../messages';
import * as timers from 'node:timers';
import { DEFAULT_POLICY, Effort, policyChange, policyText } from '../../model';
import { changeByNewPolicy } from '../../model/policies/policy-change';
import { attribute, isKnown, types, UNKNOWN, type Attributes, type Context } from '../../plugin';
import { textIn, type Change, type AttributeValues } from '../objects';
import { notCompared, widens } from './messages';

/**
 * The effect of the last change of an ACL policy's text. Between two changes both keep their
 * values.
 */
export const MEANING_ATTRIBUTES: Attributes = {
  becomes_allowed: attribute(types.list(types.string), {
    computed: true,
    description:
      'What the last change of `policy` newly allows, such as `read, update on secret/data/prod/*`; for a new policy, ' +
      'everything that it allows. The plan shows it before the change. At most 10 lines; `cdktf-vault-admin policy diff` shows ' +
      'all. Null if it could not be determined, for example for an imported policy.',
  }),
  becomes_denied: attribute(types.list(types.string), {
    computed: true,
    description: 'What the last change of `policy` no longer allows, in the same form.',
  }),
};

const UNDETERMINED: AttributeValues = { becomes_allowed: null, becomes_denied: null };

/** The steps that large policies of a plan may take together: less than a second. */
export const STEPS_OF_A_PLAN = 2_000_000;

/** The comparisons of one plan. */
export class Comparisons {
  static readonly #ofPlans = new WeakMap<object, Comparisons>();

  /** The steps that they may take together. */
  readonly steps = new Effort(STEPS_OF_A_PLAN);
  #last = Promise.resolve();

  /** @param configured what the provider was configured to, once for each plan. */
  static of(configured: object): Comparisons {
    const comparisons = Comparisons.#ofPlans.get(configured) ?? new Comparisons();
    Comparisons.#ofPlans.set(configured, comparisons);
    return comparisons;
  }

  /**
   * Waits, before texts are compared, until signals and other requests were heard after the last
   * comparison.
   *
   * @returns false if Terraform was stopped.
   */
  async turn({ state, plan }: Pick<Change, 'state' | 'plan'>, signal: AbortSignal): Promise<boolean> {
    if (!isKnown(plan.policy)) return true;
    if (state ? isSameText(state, plan) : changeByNewPolicy(textIn(plan, 'policy') ?? '')) return true;
    // One after the other: what waits for the same turn of the event loop runs in one go.
    this.#last = this.#last.then(() => timers.promises.setImmediate());
    await this.#last;
    return !signal.aborted;
  }
}

/**
 * Returns a policy under another name as the new one that it is. Terraform plans its creation by
 * itself then, but does not show the warnings of that plan.
 */
export function asCreated<T extends Pick<Change, 'state' | 'plan'>>(change: T): T {
  const { state, plan } = change;
  const isReplaced = state !== null && isKnown(plan.id) && plan.id !== state.id;
  return isReplaced ? { ...change, state: null } : change;
}

/** The attributes of a plan or of a state: those from before where the text stays as it is. */
export function meaningOf({ state, plan }: Pick<Change, 'state' | 'plan'>, steps?: Effort): AttributeValues {
  if (!isKnown(plan.policy)) return { becomes_allowed: UNKNOWN, becomes_denied: UNKNOWN };
  if (state !== null && isSameText(state, plan)) {
    return { becomes_allowed: state.becomes_allowed, becomes_denied: state.becomes_denied };
  }
  const change = changeOf({ state, plan }, steps);
  if (!change || change === 'too complex') return UNDETERMINED;
  return { becomes_allowed: change.allowed, becomes_denied: change.denied };
}

/**
 * Warns of what a change makes possible that should be looked at twice. For a new policy, where
 * everything is new, only power over policies is reported.
 */
export function warnOfWidening(
  { state, plan }: Pick<Change, 'state' | 'plan'>,
  title: string,
  diagnostics: Context['diagnostics'],
  steps: Effort,
): void {
  if (!isKnown(plan.policy)) return;
  if (state !== null && isSameText(state, plan)) return;
  const change = changeOf({ state, plan }, steps);
  if (change === 'too complex') report(diagnostics, 'warning', notCompared(title));
  const sensitive = change === 'too complex' ? [] : (change?.sensitive ?? []);
  const told = state === null ? sensitive.filter(({ kind }) => kind === 'policies') : sensitive;
  if (told.length > 0) report(diagnostics, 'warning', widens(title, told));
}

function isSameText(state: AttributeValues, plan: AttributeValues): boolean {
  return policyText(textIn(state, 'policy') ?? '') === policyText(textIn(plan, 'policy') ?? '');
}

type Meaning = ReturnType<typeof policyChange>;

/** The text that a policy has on every server is not known. */
function changeOf({ state, plan }: Pick<Change, 'state' | 'plan'>, steps: Effort | undefined): Meaning {
  if (state === null && plan.name === DEFAULT_POLICY) return undefined;
  const before = state ? (textIn(state, 'policy') ?? undefined) : undefined;
  return lastChange(before, textIn(plan, 'policy') ?? '', steps);
}

let last:
  { readonly before: string | undefined; readonly after: string; readonly change: Meaning } | undefined;

/** A plan asks twice for the same change: for its warnings, and for its attributes. */
function lastChange(before: string | undefined, after: string, steps: Effort | undefined): Meaning {
  if (last?.before !== before || last?.after !== after) {
    last = { before, after, change: policyChange(before, after, steps) };
  }
  return last.change;
}
