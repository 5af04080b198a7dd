import type { Identity } from '../author/resource';
import type { Schema } from '../author/schema';
import type { Type } from '../values/type';
import { valueCodec } from '../wire/dynamic-value';
import type { ResourceIdentityData } from '../wire/generated/tfplugin6';
import type { ObjectValue } from './content';

export function identityType(identity: Identity<Schema>): Type {
  return {
    kind: 'object',
    attributes: Object.fromEntries(
      Object.entries(identity.attributes).map(([name, { type }]) => [name, type]),
    ),
  };
}

/** Returns the identity of a stored object; `undefined` if the resource has none. */
export function identityOf(
  identity: Identity<Schema> | undefined,
  state: ObjectValue | null,
): ResourceIdentityData | undefined {
  if (!identity || state === null) return undefined;
  return { identityData: valueCodec(identityType(identity)).encode(identity.of(state)) };
}
