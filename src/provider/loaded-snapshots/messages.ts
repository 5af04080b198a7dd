import { phrase } from '../../model/messages';
import { MessageError } from '../messages';
import type { LoadedSnapshot } from '../../model';
import type { DiagnosticError } from '../../plugin';
import { howToImport, onCluster, type ObjectSubject, type Subject } from '../objects';

export function anotherLoaded(subject: Subject, other: ObjectSubject): DiagnosticError {
  return new MessageError({
    summary: `cannot load ${onCluster(subject)}: another snapshot is loaded`,
    details: `A cluster loads one snapshot at a time. Loaded: ${other.title}.`,
    cures: phrase`unload it (vault operator raft snapshot unload
      ${other.id.slice(other.id.lastIndexOf('/') + 1)}), or ${howToImport(other)}`,
  });
}

export function cannotBeLoaded(subject: Subject, { status, error }: LoadedSnapshot): DiagnosticError {
  return new MessageError({
    summary: `cannot load ${onCluster(subject)}: the snapshot ended in the status ${JSON.stringify(status)}`,
    details: `${error === undefined ? 'The server gives no reason.' : `Reason: ${error}.`} It was unloaded.`,
    cures: 'use a whole snapshot of this cluster, taken with its present unseal keys',
  });
}

export function notReadyInTime(subject: Subject, id: string, timeout: string): DiagnosticError {
  return new MessageError({
    path: ['timeouts', 'create'],
    summary: `cannot load ${onCluster(subject)}: it was not loaded within ${timeout}`,
    details: phrase`The server is still loading it, as ${id}. The resource is tainted: the next apply
      unloads it, and loads it again.`,
    cures: 'set a longer timeouts.create, or find out in the log of the server what it waits for',
  });
}

export function notReadable(subject: Subject, { message }: Error): DiagnosticError {
  return new MessageError({
    path: ['file'],
    summary: `cannot load ${onCluster(subject)}: the file cannot be read`,
    details: `Reason: ${message}.`,
    cures: 'set file to a snapshot on the machine that runs Terraform',
  });
}

export function localStorage(subject: Subject, url: string): DiagnosticError {
  return new MessageError({
    path: ['auto_snapshot'],
    summary: `cannot load ${onCluster(subject)}: the server does not load snapshots from its local directory`,
    received: JSON.stringify(url),
    allowed: 'a snapshot in cloud storage',
    cures: 'copy the file to the machine that runs Terraform, and set file instead of auto_snapshot',
  });
}

export function nothingWritten(subject: Subject, name: string): DiagnosticError {
  return new MessageError({
    path: ['auto_snapshot'],
    summary: `cannot load ${onCluster(subject)}: no snapshot has been written yet`,
    details: `The status of automated snapshot ${JSON.stringify(name)} shows no URL.`,
    cures: 'wait until the first snapshot was written, or set url',
  });
}
