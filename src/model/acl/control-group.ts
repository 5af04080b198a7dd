import {
  decodeAny,
  decodeBlock,
  decodeInteger,
  decodeMap,
  decodeTexts,
  valuesOf,
  type BlockValues,
  type HclNode,
} from '../hcl';
import type { Refuse } from './errors';
import type { AclControlGroup, AclControlGroupFactor } from './policy';
import { readDuration } from './durations';

/** A `control_group` block before its meaning is checked. Later blocks add to it. */
export interface WrittenControlGroup {
  readonly ttl: unknown;
  readonly factors: Map<string, WrittenFactor>;
}

interface WrittenFactor {
  readonly identity: WrittenIdentity | undefined;
  readonly controlledCapabilities: string[];
}

interface WrittenIdentity {
  readonly groupIds: string[];
  readonly groupNames: string[];
  readonly approvals: number;
}

/** Decodes a block. It extends the maps and lists of an earlier block in the same rule. */
export function decodeControlGroup(
  name: string,
  node: HclNode,
  earlier?: WrittenControlGroup,
): WrittenControlGroup {
  const values = valuesOf(decodeBlock(name, node));
  return {
    ttl: fold(values, 'ttl', earlier?.ttl, (_, value) => decodeAny(`${name}.ttl`, value, false)),
    factors: fold(values, 'factor', earlier?.factors ?? new Map<string, WrittenFactor>(), (before, value) =>
      decodeMap(`${name}.factor`, value, decodeFactor, before),
    ),
  };
}

/**
 * Checks a control group and returns its meaning.
 *
 * @param capabilities the capabilities of the rule.
 */
export function finishControlGroup(
  written: WrittenControlGroup,
  capabilities: readonly string[],
  refuse: Refuse,
): AclControlGroup {
  const ttl = readDuration(written.ttl, (problem) =>
    refuse(`error parsing control group max ttl: ${problem}`, { kind: 'duration' }),
  );
  const factors = Array.from(written.factors, ([name, factor]) =>
    finishFactor(name, factor, capabilities, refuse),
  );
  if (factors.length === 0) throw refuse('no control group factors provided', { kind: 'factor-missing' });
  return ttl === 0 ? { factors } : { ttl, factors };
}

function decodeFactor(name: string, node: HclNode, earlier: WrittenFactor | undefined): WrittenFactor {
  const values = valuesOf(decodeBlock(name, node));
  return {
    identity: fold(values, 'identity', earlier?.identity, (before, value) =>
      decodeIdentity(`${name}.identity`, value, before),
    ),
    controlledCapabilities: extended(
      name,
      values,
      'controlled_capabilities',
      earlier?.controlledCapabilities,
    ),
  };
}

function decodeIdentity(name: string, node: HclNode, earlier: WrittenIdentity | undefined): WrittenIdentity {
  const values = valuesOf(decodeBlock(name, node));
  return {
    groupIds: extended(name, values, 'group_ids', earlier?.groupIds),
    groupNames: extended(name, values, 'group_names', earlier?.groupNames),
    approvals: fold(values, 'approvals', earlier?.approvals ?? 0, (_, value) =>
      decodeInteger(`${name}.approvals`, value),
    ),
  };
}

/** Appends texts one by one: a long list as arguments of one call would overflow the stack. */
function extended(name: string, values: BlockValues, key: string, before: string[] = []): string[] {
  for (const value of values(key)) for (const text of decodeTexts(`${name}.${key}`, value)) before.push(text);
  return before;
}

function finishFactor(
  name: string,
  { identity, controlledCapabilities }: WrittenFactor,
  capabilities: readonly string[],
  refuse: Refuse,
): AclControlGroupFactor {
  if (!identity) throw refuse('no control_group factor provided', { kind: 'factor-missing' });
  const { groupIds, groupNames, approvals } = identity;
  if (approvals <= 0 || groupIds.length + groupNames.length === 0) {
    throw refuse('must provide more than one identity group and approvals > 0', {
      kind: 'approvals-missing',
    });
  }
  if (controlledCapabilities.some((capability) => !capabilities.includes(capability))) {
    throw refuse("control group factor capabilities must be a subset of the policy's capabilities", {
      kind: 'capability-not-in-rule',
    });
  }
  return { name, groupIds, groupNames, approvals, controlledCapabilities };
}

function fold<T>(values: BlockValues, key: string, start: T, decode: (before: T, node: HclNode) => T): T {
  return values(key).reduce<T>((before, node) => decode(before, node), start);
}
