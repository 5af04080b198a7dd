import { cluster, literals, phrase } from '../../model/messages';
import { MessageError } from '../messages';

/** Reports that the configuration of an object names a cluster that the provider does not know. */
export function clusterUnknown(object: string, name: string, known: readonly string[]): MessageError {
  return new MessageError({
    path: ['cluster'],
    summary: phrase`${object}: cluster ${cluster(name)} is not configured`,
    received: cluster(name),
    allowed: sorted(known),
    cures: phrase`use one of these, or add ${cluster(name)} to clusters in the provider's configuration`,
  });
}

/** Reports that the configuration of an object names no cluster, although there are several. */
export function clusterNotNamed(object: string, known: readonly string[]): MessageError {
  return new MessageError({
    path: ['cluster'],
    summary: `${object}: cluster is not set`,
    details: 'The provider has several clusters.',
    allowed: sorted(known),
    cures: 'set cluster to one of these',
  });
}

/** Reports that the state of an object names a cluster that the provider does not know. */
export function clusterGone(object: string, name: string, known: readonly string[]): MessageError {
  return new MessageError({
    summary: phrase`${object} on cluster ${cluster(name)}: the cluster is no longer configured`,
    details: [
      phrase`The state says that the object is on cluster ${cluster(name)}.`,
      phrase`Configured clusters: ${sorted(known)}.`,
    ],
    cures: phrase`add ${cluster(name)} to clusters in the provider's configuration again. If the cluster was renamed,
      remove the object from the state (terraform state rm) and import it from the cluster with the new name`,
  });
}

/**
 * Reports that a request is required, but the cluster's address or credentials are not known yet.
 */
export function clusterTooEarly(object: string, unknown: readonly string[]): MessageError {
  return new MessageError({
    summary: `${object}: the cluster cannot be reached yet`,
    details: `Known only after an apply, in the provider's configuration: ${unknown.join(', ')}.`,
    cures: 'apply what this depends on first (terraform apply -target=...), then everything',
  });
}

function sorted(names: readonly string[]) {
  return literals([...names].sort());
}
