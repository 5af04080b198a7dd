import type { PrivateState } from '../../plugin';
import type { Clusters } from '../clusters';
import { perRun, textIn, type AttributeValues } from '../objects';
import { testSignIn } from './test-sign';

/*
 * If the test signature fails after the creation of a key, the key exists and only needs another
 * test. But Terraform marks it as tainted, and plans to delete it and to create it anew. So the
 * deletion leaves the key on the server, and the creation writes to it. See
 * docs/decisions/0008-failed-test-signatures.md.
 */

interface PrivateContext {
  readonly privateState: PrivateState;
}

/**
 * The key in the private state. Its value is the id of the managed key that a plan creates, or a
 * note that the key exists.
 */
const PLAN = 'plan';
const EXISTS = 'exists';

/**
 * Notes the managed key that a plan creates, for the deletion that may precede the creation.
 * Undefined: not known yet.
 */
export function noteCreation({ privateState }: PrivateContext, id: string | undefined): void {
  // For a tainted object, Terraform sends no state. If it replaces an object for another reason,
  // the private state contains the note that it exists, which has to stay.
  if (privateState.get(PLAN) !== EXISTS) privateState.set(PLAN, id);
}

/** Notes that the key exists. */
export function noteExistence({ privateState }: PrivateContext): void {
  privateState.set(PLAN, EXISTS);
}

/** Whether a key is deleted only because its test signature failed after its creation. */
export function isLeftForTest(state: AttributeValues, { privateState }: PrivateContext): boolean {
  const { id, uuid } = state;
  return testSignIn(state)?.passed === false && (uuid ?? null) !== null && privateState.get(PLAN) === id;
}

/** The UUID of a key, by its id, if a deletion has left it on the server. */
const leftKeyOf = perRun((): { uuid?: string } => ({}));

/** Notes that a deletion has left a key on the server. */
export function noteLeftKey(state: AttributeValues, clusters: Clusters): void {
  leftKeyOf(clusters, textIn(state, 'id') ?? '').uuid = textIn(state, 'uuid') ?? '';
}

/** Returns the UUID of the key that a deletion has left under an id, and forgets it. */
export function takeLeftKey(id: string, clusters: Clusters): string | undefined {
  const key = leftKeyOf(clusters, id);
  const { uuid } = key;
  delete key.uuid;
  return uuid;
}
