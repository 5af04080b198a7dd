import { REPLICATION_CALLS, type ReplicationCallName } from './calls';
import { REPLICATION_MODES, type ReplicationMode } from './modes';
import { transitionOf } from './transitions';

/** The modes of a cluster that a call can be made in. Interface sections 3 and 4.3. */
export function modesOfCall(name: ReplicationCallName): readonly ReplicationMode[] {
  if (name === 'status') return REPLICATION_MODES;
  // A cluster makes its key before it becomes a secondary, or before it follows another primary.
  if (name === 'generatePublicKey') return ['disabled', 'secondary'];
  const transition = transitionOf(name);
  if (transition !== undefined) return [transition.from];
  return [REPLICATION_CALLS[name].path.startsWith('primary/') ? 'primary' : 'secondary'];
}
