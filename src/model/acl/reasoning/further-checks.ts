import type { AclCapability, AclControlGroupFactor, AclRule } from '../policy';

/** A check that a request must pass after a rule permits it. */
export interface FurtherCheck {
  /** The name of the check, such as `MFA method "okta"`. */
  readonly text: string;
  /** The capabilities that the check applies to. Empty: all. */
  readonly capabilities: readonly string[];
}

/**
 * Returns the checks that rules for one path require in addition to capabilities: control groups,
 * MFA, event types, and filters of lists.
 */
export function furtherChecks(rules: readonly AclRule[]): readonly FurtherCheck[] {
  if (rules.some(({ capabilities }) => capabilities.includes('deny'))) return [];
  const checks = new Map<string, FurtherCheck>();
  for (const each of rules.flatMap(checksOf)) checks.set(JSON.stringify(each), each);
  return [...checks.values()];
}

function checksOf({
  controlGroup,
  mfaMethods = [],
  subscribeEventTypes,
  keysFilterPath,
}: AclRule): readonly FurtherCheck[] {
  const ttl = controlGroup?.ttl === undefined ? '' : `, valid for ${controlGroup.ttl} s`;
  return [
    ...(controlGroup?.factors ?? []).map((factor) => ({
      text: factorText(factor) + ttl,
      capabilities: factor.controlledCapabilities,
    })),
    ...mfaMethods.map((method) => ({ text: `MFA method ${JSON.stringify(method)}`, capabilities: [] })),
    ...(subscribeEventTypes
      ? [{ text: `one of the event types ${quoted(subscribeEventTypes)}`, capabilities: ['subscribe'] }]
      : []),
    ...(keysFilterPath === undefined
      ? []
      : [{ text: `the filter of its keys by ${JSON.stringify(keysFilterPath)}`, capabilities: ['list'] }]),
  ];
}

function factorText({ name, groupIds, groupNames, approvals }: AclControlGroupFactor): string {
  const count = `${approvals} ${approvals === 1 ? 'approval' : 'approvals'}`;
  return `control group ${JSON.stringify(name)} (${count} of ${quoted([...groupNames, ...groupIds])})`;
}

function quoted(texts: readonly string[]): string {
  return [...texts]
    .sort()
    .map((text) => JSON.stringify(text))
    .join(', ');
}

/** Returns the checks of requests that use a capability. */
export function checksFor(checks: readonly FurtherCheck[], capability: AclCapability): readonly string[] {
  return checks
    .filter(({ capabilities }) => capabilities.length === 0 || capabilities.includes(capability))
    .map(({ text }) => text)
    .sort();
}
