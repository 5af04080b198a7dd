import type { TextPosition } from '../definition/field';
import { goQuote, type HclNode } from '../hcl';
import { finishControlGroup } from './control-group';
import { readDuration } from './durations';
import { checkKeys, type LeavesOut } from './keys';
import { decodeArguments, PATH_KEYS, type PathArguments } from './path-arguments';
import { AclPolicyError, type AclFault, type Refuse } from './errors';
import type { AclCapability, AclRule, ParameterConstraints } from './policy';
import { checkTemplate } from './template';

/** A `path` block as it is written in the text. */
export interface PathBlock {
  readonly path: string;
  readonly position: TextPosition;
  readonly body: HclNode;
}

/** The arguments and capabilities that a server knows. */
interface Known {
  readonly capabilities: readonly AclCapability[];
  readonly leavesOut: LeavesOut;
}

/** The capabilities of the values of the old argument `policy`. */
const OLD_POLICIES: ReadonlyMap<string, readonly AclCapability[]> = new Map([
  ['deny', ['deny']],
  ['read', ['read', 'list']],
  ['write', ['create', 'read', 'update', 'delete', 'list']],
  ['sudo', ['create', 'read', 'update', 'delete', 'list', 'sudo']],
]);

/**
 * Reads one `path` block, with the server's checks in the server's order.
 *
 * @param known the words that the server knows, and the function that decides which unknown words
 * are left out instead of refused.
 * @throws HclError for a value of another type than the argument has.
 * @throws AclPolicyError for what the server refuses.
 */
export function parsePathBlock(block: PathBlock, namespace: string, known: Known): AclRule {
  const refuse = (message: string, fault: AclFault = {}) =>
    new AclPolicyError(message, { ...block.position, ...fault });
  const named = `path ${goQuote(block.path)}: `;

  checkTemplate(block.path, refuse);
  const items = checkKeys(block.body, PATH_KEYS, known.leavesOut, named, block.position);
  const written = decodeArguments(items, named, block.position);

  const path = block.path.replace(/^\//, '');
  if (path.includes('+*')) {
    throw refuse(`path ${goQuote(namespace + path)}: invalid use of wildcards ('+*' is forbidden)`, {
      kind: 'plus-before-star',
    });
  }

  const capabilities = checkedCapabilities(written, known, (message, fault) =>
    refuse(named + message, fault),
  );
  if (capabilities.includes('deny')) return { path, capabilities: ['deny'] };

  const { min, max } = wrappingTtls(written, refuse);
  const controlGroup = written.controlGroup && finishControlGroup(written.controlGroup, capabilities, refuse);
  if (min !== 0 && max !== 0 && max < min)
    throw refuse('max_wrapping_ttl cannot be less than min_wrapping_ttl', { kind: 'ttls-reversed' });

  return {
    path,
    capabilities,
    ...(written.allowedParameters.size > 0 && { allowedParameters: constraints(written.allowedParameters) }),
    ...(written.deniedParameters.size > 0 && { deniedParameters: constraints(written.deniedParameters) }),
    ...(written.requiredParameters.length > 0 && { requiredParameters: written.requiredParameters }),
    ...(min !== 0 && { minWrappingTtl: min }),
    ...(max !== 0 && { maxWrappingTtl: max }),
    ...(written.mfaMethods.length > 0 && { mfaMethods: written.mfaMethods }),
    ...(controlGroup && { controlGroup }),
    ...(written.keysFilterPath !== '' && { keysFilterPath: written.keysFilterPath }),
    ...(written.subscribeEventTypes.length > 0 && { subscribeEventTypes: written.subscribeEventTypes }),
  };
}

/**
 * Returns the capabilities of the arguments `capabilities` and `policy`. As on the server,
 * capabilities after a `deny` are not checked.
 */
function checkedCapabilities(
  { policy, capabilities }: PathArguments,
  { capabilities: known, leavesOut }: Known,
  refuse: (message: string, fault: AclFault) => AclPolicyError,
): readonly AclCapability[] {
  const old = policy === '' ? [] : OLD_POLICIES.get(policy);
  if (!old) {
    throw refuse(`invalid policy ${goQuote(policy)}`, {
      kind: 'unknown-policy',
      received: policy,
      allowed: [...OLD_POLICIES.keys()],
    });
  }

  const checked = new Set<AclCapability>();
  for (const capability of policy === 'deny' ? old : [...capabilities, ...old]) {
    if (capability === 'deny') return ['deny'];
    if (!isOneOf(capability, known)) {
      if (leavesOut(capability, known)) continue;
      throw refuse(`invalid capability ${goQuote(capability)}`, {
        kind: 'unknown-capability',
        received: capability,
        allowed: known,
      });
    }
    checked.add(capability);
  }
  return [...checked];
}

function isOneOf(capability: string, known: readonly AclCapability[]): capability is AclCapability {
  return (known as readonly string[]).includes(capability);
}

function constraints(parameters: ReadonlyMap<string, readonly unknown[]>): ParameterConstraints {
  return Object.fromEntries(Array.from(parameters, ([name, values]) => [name.toLowerCase(), values]));
}

/** Returns the bounds of a path's response wrapping in seconds; 0 for none. */
function wrappingTtls(
  { minWrappingTtl, maxWrappingTtl }: Pick<PathArguments, 'minWrappingTtl' | 'maxWrappingTtl'>,
  refuse: Refuse,
): { readonly min: number; readonly max: number } {
  const min = readDuration(minWrappingTtl, (problem) =>
    refuse(`error parsing min_wrapping_ttl: ${problem}`, { kind: 'duration' }),
  );
  const max = readDuration(maxWrappingTtl, (problem) =>
    refuse(`error parsing max_wrapping_ttl: ${problem}`, { kind: 'duration' }),
  );
  return { min, max };
}
