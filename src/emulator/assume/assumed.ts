import { AUDIT_ASSUMPTIONS } from './audit';
import { MANAGED_KEY_ASSUMPTIONS } from './managed-keys';
import { POLICY_ASSUMPTIONS } from './policies';
import { REPLICATION_ASSUMPTIONS } from './replication';
import { REQUEST_ASSUMPTIONS } from './requests';
import { SNAPSHOT_ASSUMPTIONS } from './snapshots';
import type { Assumption, RefusalAssumption, RefusalWords } from './assumption';
import { checkMeasured, type Measured, withMeasured } from './measured';

/** The assumptions by topic. The documentation and the emulator's code both read them here. */
export const ASSUMPTIONS_BY_TOPIC = {
  'Requests, mounts and namespaces': REQUEST_ASSUMPTIONS,
  Policies: POLICY_ASSUMPTIONS,
  'Managed keys': MANAGED_KEY_ASSUMPTIONS,
  Replication: REPLICATION_ASSUMPTIONS,
  Snapshots: SNAPSHOT_ASSUMPTIONS,
  'Audit devices': AUDIT_ASSUMPTIONS,
} as const;

/** The open questions about servers, with the possible answers of each. */
export const ASSUMPTIONS = {
  ...REQUEST_ASSUMPTIONS,
  ...POLICY_ASSUMPTIONS,
  ...MANAGED_KEY_ASSUMPTIONS,
  ...REPLICATION_ASSUMPTIONS,
  ...SNAPSHOT_ASSUMPTIONS,
  ...AUDIT_ASSUMPTIONS,
} as const;

export type AssumptionName = keyof typeof ASSUMPTIONS;

type Alternatives<Name extends AssumptionName> = (typeof ASSUMPTIONS)[Name]['alternatives'];

/** The value of one of the alternatives of an assumption. */
export type AlternativeOf<Name extends AssumptionName> = Alternatives<Name>[keyof Alternatives<Name>];

/** The names of an assumption's alternatives. */
export type AlternativeName<Name extends AssumptionName> = Name extends AssumptionName
  ? keyof Alternatives<Name> & string
  : never;

/** The alternative that an emulator follows for each assumption: its name, or measured values. */
export type Assume = { readonly [Name in AssumptionName]?: AlternativeName<Name> | Measured };

type Choice = string | Measured;

/** The names of the assumptions about refusals. */
export type RefusalName = {
  [Name in AssumptionName]: AlternativeOf<Name> extends RefusalWords<never> ? Name : never;
}[AssumptionName];

/** The details that the text of a refusal contains. */
export type RefusalArguments<Name extends RefusalName> =
  (typeof ASSUMPTIONS)[Name] extends RefusalAssumption<infer Args> ? Args : never;

/** A server that follows one alternative of each assumption. */
export interface Assuming {
  /** Returns the selected alternative of an assumption. */
  readonly assumed: <Name extends AssumptionName>(name: Name) => AlternativeOf<Name>;
}

/** The alternatives that one emulator follows. They may change while it runs. */
export class Assumed {
  readonly #chosen = new Map<AssumptionName, Choice>();

  /** @throws RangeError for an assumption or an alternative that does not exist. */
  constructor(assume: Assume = {}) {
    this.choose(assume);
  }

  /** Returns the value of the selected alternative. */
  of<Name extends AssumptionName>(name: Name): AlternativeOf<Name> {
    const { alternatives }: Assumption = ASSUMPTIONS[name];
    const choice = this.chosen(name);
    const followed =
      typeof choice === 'string' ? alternatives[choice] : withMeasured(ASSUMPTIONS[name], choice);
    return followed as AlternativeOf<Name>;
  }

  /** Returns the name of the selected alternative, or the measured values. */
  chosen(name: AssumptionName): Choice {
    return this.#chosen.get(name) ?? firstOf(name);
  }

  /**
   * Selects other alternatives from now on.
   *
   * @throws RangeError for an assumption or an alternative that does not exist; then nothing is
   *   changed.
   */
  choose(assume: Assume): void {
    const choices = Object.entries(assume).map(([name, alternative]) => checkedChoice(name, alternative));
    for (const [name, alternative] of choices) this.#chosen.set(name, alternative);
  }
}

/** @throws RangeError for an assumption or an alternative that does not exist. */
export function checkedChoice(name: string, alternative: unknown): readonly [AssumptionName, Choice] {
  if (!isAssumption(name)) {
    throw new RangeError(
      `assumption "${name}" is unknown; allowed are ${Object.keys(ASSUMPTIONS).sort().join(', ')}`,
    );
  }
  const { alternatives } = ASSUMPTIONS[name];
  if (typeof alternative === 'string' && Object.hasOwn(alternatives, alternative)) return [name, alternative];
  if (typeof alternative === 'object' && alternative !== null) {
    return [name, checkMeasured(name, ASSUMPTIONS[name], alternative)];
  }
  throw new RangeError(
    `assumption "${name}" has no alternative ${JSON.stringify(alternative)}; allowed are ${Object.keys(alternatives).join(', ')}`,
  );
}

/** Returns the name of the default alternative. */
export function firstOf<Name extends AssumptionName>(name: Name): AlternativeName<Name> {
  return Object.keys(ASSUMPTIONS[name].alternatives)[0] as AlternativeName<Name>;
}

function isAssumption(name: string): name is AssumptionName {
  return Object.hasOwn(ASSUMPTIONS, name);
}
