import { DiagnosticError } from '../../plugin';

/** The configuration of an object names a cluster that the provider does not know. */
export function clusterUnknown(object: string, cluster: string, known: readonly string[]): DiagnosticError {
  return new DiagnosticError(
    `${object}: cluster ${quote(cluster)} is not configured`,
    `Received: ${quote(cluster)}.\n${allowed(known)}\n` +
      `To do: use one of these, or add ${quote(cluster)} to clusters in the provider's configuration.`,
    ['cluster'],
  );
}

/** The configuration of an object names no cluster, and there is more than one. */
export function clusterNotNamed(object: string, known: readonly string[]): DiagnosticError {
  return new DiagnosticError(
    `${object}: cluster is not set`,
    `The provider has several clusters.\n${allowed(known)}\nTo do: set cluster to one of these.`,
    ['cluster'],
  );
}

/** The state of an object names a cluster that the provider does not know. */
export function clusterGone(object: string, cluster: string, known: readonly string[]): DiagnosticError {
  return new DiagnosticError(
    `${object} on cluster ${quote(cluster)}: the cluster is no longer configured`,
    `The state says that the object is on cluster ${quote(cluster)}.\nConfigured clusters: ${list(known)}.\n` +
      `To do: add ${quote(cluster)} to clusters in the provider's configuration again. If the cluster was renamed, ` +
      'remove the object from the state (terraform state rm) and import it from the cluster with the new name.',
  );
}

/** A request is required, but its address or its credentials are not known yet. */
export function clusterTooEarly(object: string, unknown: readonly string[]): DiagnosticError {
  return new DiagnosticError(
    `${object}: the cluster cannot be reached yet`,
    `Known only after an apply, in the provider's configuration: ${unknown.join(', ')}.\n` +
      'To do: apply what this depends on first (terraform apply -target=...), then everything.',
  );
}

function allowed(known: readonly string[]): string {
  return `Allowed: ${list(known)}.`;
}

function list(names: readonly string[]): string {
  return [...names].sort().map(quote).join(', ');
}

function quote(text: string): string {
  return JSON.stringify(text);
}
