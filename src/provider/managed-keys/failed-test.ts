import type { PrivateState } from '../../plugin';
import type { Clusters } from '../clusters';
import type { KeyLocation } from './identity';
import type { TestSign } from './test-sign';

/*
 * A key whose test signature failed when it was created is there, and all it needs is another test. Yet Terraform calls
 * it tainted, and plans to delete and create it. The deletion then leaves the key, and the creation takes it up again.
 * See docs/decisions/0008-failed-test-signatures.md.
 */

interface PrivateContext {
  readonly privateState: PrivateState;
}

/** In the private state: the id of the key that a plan creates, or that there is one already. */
const PLAN = 'plan';
const EXISTS = 'exists';

/** Notes, for the deletion that may come first, which key a plan creates. Undefined: not known yet. */
export function noteCreation({ privateState }: PrivateContext, id: string | undefined): void {
  // Terraform tells nothing of a tainted object here, while of one that it replaces for other reasons this was noted.
  if (privateState.get(PLAN) !== EXISTS) privateState.set(PLAN, id);
}

/** Notes that the key is there. */
export function noteExistence({ privateState }: PrivateContext): void {
  privateState.set(PLAN, EXISTS);
}

type TestedKey = KeyLocation & { readonly uuid: string | null; readonly test_sign: TestSign | null };

/** Whether a key is deleted for no other reason than that its test signature failed when it was created. */
export function isLeftForTest({ id, uuid, test_sign }: TestedKey, { privateState }: PrivateContext): boolean {
  return test_sign?.passed === false && uuid !== null && privateState.get(PLAN) === id;
}

/** The UUIDs of the keys that were left, by their ids. The clusters are those of one run. */
const left = new WeakMap<Clusters, Map<string, string>>();

export function leave({ id, uuid }: TestedKey, clusters: Clusters): void {
  const keys = left.get(clusters) ?? new Map<string, string>();
  left.set(clusters, keys.set(id!, uuid!));
}

/** @returns the UUID of the key that was left under this id. */
export function takeUp(id: string, clusters: Clusters): string | undefined {
  const uuid = left.get(clusters)?.get(id);
  left.get(clusters)?.delete(id);
  return uuid;
}
