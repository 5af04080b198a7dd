import type { IConstruct } from 'constructs';

/** A rule that does not hold for a construct and what is in it. */
interface Suppression {
  readonly construct: IConstruct;
  readonly id: string;
}

/** Of all apps, by the construct that a suppression was written at. */
const SUPPRESSED = new WeakMap<IConstruct, Set<string>>();

export function addSuppression({ construct, id }: Suppression): void {
  SUPPRESSED.set(construct, new Set([...(SUPPRESSED.get(construct) ?? []), id]));
}

/** The suppression of a rule that is nearest to a construct: at itself, or at what it is a part of. */
export function suppressionOf(construct: IConstruct, id: string): Suppression | undefined {
  const at = [...construct.node.scopes].reverse().find((scope) => SUPPRESSED.get(scope)?.has(id));
  return at && { construct: at, id };
}

export function suppressionsAt(construct: IConstruct): readonly string[] {
  return [...(SUPPRESSED.get(construct) ?? [])];
}
