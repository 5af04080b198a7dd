import type { PrivateState } from '../../plugin';
import type { Clusters } from '../clusters';
import { textIn, type AttributeValues } from '../objects';
import { testSignIn } from './test-sign';

/*
 * A key whose test signature failed when it was created is there, and all it needs is another test.
 * Yet Terraform calls it tainted, and plans to delete and create it. The deletion then leaves the
 * key, and the creation takes it up again. See docs/decisions/0008-failed-test-signatures.md.
 */

interface PrivateContext {
  readonly privateState: PrivateState;
}

/** In the private state: the id of the key that a plan creates, or that there is one already. */
const PLAN = 'plan';
const EXISTS = 'exists';

/**
 * Notes, for the deletion that may come first, which key a plan creates. Undefined: not known yet.
 */
export function noteCreation({ privateState }: PrivateContext, id: string | undefined): void {
  // For a tainted object, Terraform's request has no state. An object that is replaced for other
  // reasons was noted as existing before.
  if (privateState.get(PLAN) !== EXISTS) privateState.set(PLAN, id);
}

/** Notes that the key is there. */
export function noteExistence({ privateState }: PrivateContext): void {
  privateState.set(PLAN, EXISTS);
}

/**
 * Whether a key is deleted for no other reason than that its test signature failed when it was
 * created.
 */
export function isLeftForTest(state: AttributeValues, { privateState }: PrivateContext): boolean {
  const { id, uuid } = state;
  return testSignIn(state)?.passed === false && (uuid ?? null) !== null && privateState.get(PLAN) === id;
}

/** The UUIDs of the keys that were left, by their ids. The clusters are those of one run. */
const LEFT = new WeakMap<Clusters, Map<string, string>>();

export function leave(state: AttributeValues, clusters: Clusters): void {
  const keys = LEFT.get(clusters) ?? new Map<string, string>();
  LEFT.set(clusters, keys.set(textIn(state, 'id') ?? '', textIn(state, 'uuid') ?? ''));
}

/** @returns the UUID of the key that was left under this id. */
export function takeUp(id: string, clusters: Clusters): string | undefined {
  const uuid = LEFT.get(clusters)?.get(id);
  LEFT.get(clusters)?.delete(id);
  return uuid;
}
