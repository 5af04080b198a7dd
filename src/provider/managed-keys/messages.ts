import type { Message, ObjectSubject } from '../objects';
import { onCluster } from '../objects';
import { DiagnosticError } from '../../plugin';

/** The plan deletes the key and makes another. */
export function replaced(title: string): Message {
  return [
    `${title}: it is deleted and created again`,
    'The new one has another UUID. What refers to the old one by it, such as the issuers of a PKI mount, cannot use the ' +
      'new one; mounts that list it in allowed_managed_keys keep it from being deleted. Under the same name and in ' +
      'the same namespace it can only be created after that: not with create_before_destroy.',
  ];
}

/** Somebody has deleted the key and made it again. */
export function madeAgain(
  subject: ObjectSubject,
  uuid: { readonly before: string | null; readonly now: string | undefined },
): Message {
  return [
    `${onCluster(subject)} was deleted and created again outside of Terraform`,
    `UUID before: ${uuid.before}.\nUUID now: ${uuid.now}.\nWhat refers to it by the old UUID cannot use it. ` +
      'What the server does not return, such as secrets, may have changed: the next apply writes it again.',
  ];
}

/** The last test signature failed. */
export function testIsDue(subject: ObjectSubject): Message {
  return [
    `${onCluster(subject)}: its last test signature failed`,
    'The next apply makes another one. If the plan calls the key tainted and shows a replacement, the key ' +
      'still stays, with its UUID; after "terraform untaint" the plan shows an update.',
  ];
}

/** What Terraform calls a deletion is none. */
export function leftInPlace(subject: ObjectSubject): Message {
  return [
    `${onCluster(subject)} is not deleted, but tested again`,
    'Nothing but its test signature failed when it was created. It keeps its UUID.',
  ];
}

/** The key is there, and what the server calls it could not be found out. */
export function uuidNotRead(subject: ObjectSubject, { summary, detail }: DiagnosticError): Message {
  return [
    `${onCluster(subject)}: its UUID is not known yet`,
    `The key was written, and then: ${summary}.\n${detail}\nThe next plan finds it out.`,
  ];
}

/** Mounts list the key, so that the server does not delete it. */
export function inUse(
  subject: ObjectSubject,
  mounts: readonly string[],
  refusal: DiagnosticError,
): DiagnosticError {
  const list = mounts.map((mount) => JSON.stringify(mount)).join(', ');
  return new DiagnosticError(
    `cannot delete ${onCluster(subject)}: mounts list it`,
    `Mounts with it in allowed_managed_keys: ${list}.\n${refusal.detail}\n` +
      'To do: take it out of allowed_managed_keys of these mounts first. If Terraform manages them, let them refer ' +
      'to the name of the managed key as an attribute of its resource: then it is deleted after them.',
    [],
    { cause: refusal },
  );
}
