import type { LoadedSnapshot } from '../../model';
import { DiagnosticError } from '../../plugin';
import { howToTakeOver, onCluster } from '../objects';
import type { ObjectSubject, Subject } from '../objects/subject';

export function anotherLoaded(subject: Subject, other: ObjectSubject): DiagnosticError {
  return new DiagnosticError(
    `cannot load ${onCluster(subject)}: another snapshot is loaded`,
    `A cluster loads one snapshot at a time. Loaded: ${other.title}.\n` +
      `To do: unload it (vault operator raft snapshot unload ${other.id.slice(other.id.lastIndexOf('/') + 1)}), or ${howToTakeOver(other)}`,
  );
}

export function cannotBeLoaded(subject: Subject, { status, error }: LoadedSnapshot): DiagnosticError {
  return new DiagnosticError(
    `cannot load ${onCluster(subject)}: the snapshot ended in the status ${JSON.stringify(status)}`,
    `${error === undefined ? 'The server gives no reason.' : `Reason: ${error}.`} It was unloaded.\n` +
      'To do: use a whole snapshot of this cluster, taken with its present unseal keys.',
  );
}

export function notReadyInTime(subject: Subject, id: string, timeout: string): DiagnosticError {
  return new DiagnosticError(
    `cannot load ${onCluster(subject)}: it was not loaded within ${timeout}`,
    `The server is still loading it, as ${id}. The resource is tainted: the next apply unloads it, and loads it again.\n` +
      'To do: set a longer timeouts.create, or find out in the log of the server what it waits for.',
    ['timeouts', 'create'],
  );
}

export function notReadable(subject: Subject, { message }: Error): DiagnosticError {
  return new DiagnosticError(
    `cannot load ${onCluster(subject)}: the file cannot be read`,
    `Reason: ${message}.\nTo do: set file to a snapshot on the machine that runs Terraform.`,
    ['file'],
  );
}

export function localStorage(subject: Subject, url: string): DiagnosticError {
  return new DiagnosticError(
    `cannot load ${onCluster(subject)}: the server does not load snapshots from its local directory`,
    `Received: ${JSON.stringify(url)}.\nAllowed: a snapshot in cloud storage.\n` +
      'To do: copy the file to the machine that runs Terraform, and set file instead of auto_snapshot.',
    ['auto_snapshot'],
  );
}

export function nothingWritten(subject: Subject, name: string): DiagnosticError {
  return new DiagnosticError(
    `cannot load ${onCluster(subject)}: no snapshot has been written yet`,
    `The status of automated snapshot ${JSON.stringify(name)} shows no URL.\n` +
      'To do: wait until the first snapshot was written, or set url.',
    ['auto_snapshot'],
  );
}
