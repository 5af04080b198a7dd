import { MANAGED_KEY_TYPES, MANAGED_KEY_BACKENDS, type ManagedKeyBackend } from '../../model';
import { blocksIn, type Choice } from '../objects';

/** A configuration, plan or state as Terraform has it: common attributes, and one block for the backend. */
export type Values = Readonly<Record<string, unknown>>;

/** The backend's block says the type of a key. */
export const BACKEND_BLOCKS: Choice = { attribute: 'type', blocks: MANAGED_KEY_TYPES };

/** The backends whose blocks are given: of a configuration that is valid, one. */
export function backendsIn(values: Values): readonly ManagedKeyBackend[] {
  const given = blocksIn(values, MANAGED_KEY_TYPES);
  return MANAGED_KEY_TYPES.filter((type) => given.includes(type)).map((type) => MANAGED_KEY_BACKENDS[type]);
}

/** The backend of values that are known to have one. */
export function backendOf(values: Values): ManagedKeyBackend {
  const [backend] = backendsIn(values);
  if (!backend) throw new Error('every managed key has the block of a backend');
  return backend;
}

/** Common attributes and those of the backend's block side by side. */
export function flatten(values: Values, { type }: ManagedKeyBackend): Values {
  return { ...values, ...(values[type] as Values) };
}
