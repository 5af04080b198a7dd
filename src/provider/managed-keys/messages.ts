import { phrase } from '../../model/messages';
import { type LocatedMessage, MessageError } from '../messages';
import { type ObjectSubject, onCluster, writeOnlyName } from '../objects';
import type { DiagnosticError } from '../../plugin';

/** Warns that the plan deletes the key and creates another one. */
export function replaced(title: string): LocatedMessage {
  return {
    summary: `${title}: it will be deleted and created again`,
    details: phrase`The new key has a new UUID. Objects that refer to the old UUID, such as the
      issuers of a PKI mount, cannot use the new key. The old key cannot be deleted while mounts list it
      in allowed_managed_keys. With the same name in the same namespace, the new key can only be created
      afterwards: create_before_destroy does not work.`,
  };
}

/** Reports that the key was deleted and created again outside of Terraform. */
export function madeAgain(
  subject: ObjectSubject,
  uuid: { readonly before: string | null; readonly now: string | undefined },
): LocatedMessage {
  return {
    summary: `${onCluster(subject)} was deleted and created again outside of Terraform`,
    details: [
      `UUID before: ${uuid.before}.`,
      `UUID now: ${uuid.now}.`,
      phrase`Objects that refer to the old UUID cannot use it. Fields that the server does not
      return, such as secrets, may have changed: the next apply writes them again.`,
    ],
  };
}

/** Refuses to move a state of `vault_managed_keys` that does not have exactly one key. */
export function severalKeysMoved(keys: readonly string[]): DiagnosticError {
  const received = keys.length === 0 ? 'no key' : `${keys.length} keys: ${keys.join(', ')}`;
  return new MessageError({
    summary: 'vault_managed_keys can only be moved if it holds one key',
    received,
    cures: phrase`remove vault_managed_keys from the state, without deleting its keys, by a removed
      block with destroy = false; and import each key into its own vaultadmin_managed_key with an import
      block`,
  });
}

/** Warns that an update does not write some secrets. */
export function secretsLeft(subject: ObjectSubject, secrets: readonly string[]): LocatedMessage {
  return {
    summary: `${onCluster(subject)}: the update leaves out ${secrets.join(' and ')}`,
    details: phrase`The configuration has the version alone. It is not documented that a server
      keeps what an update leaves out. The apply checks that it does.`,
    cures: phrase`set ${secrets.map(writeOnlyName).join(' and ')} if the values are at hand: the update then
      writes them`,
  };
}

/** Reports that the server has removed secrets that an update did not write. */
export function secretsDropped(subject: ObjectSubject, secrets: readonly string[]): DiagnosticError {
  return new MessageError({
    summary: `${onCluster(subject)} has lost ${secrets.join(' and ')}`,
    details: 'The update left them out, and the server did not keep them. Everything else was written.',
    cures: phrase`set ${secrets.map(writeOnlyName).join(' and ')}, and apply again`,
  });
}

/** Warns that the last test signature failed, so that the apply makes another one. */
export function testIsDue(subject: ObjectSubject): LocatedMessage {
  return {
    summary: `${onCluster(subject)}: its last test signature failed`,
    details: phrase`The next apply tries again. If the plan shows the key as tainted and to be
      replaced, the key is still kept, with its UUID; after "terraform untaint", the plan shows an
      update.`,
  };
}

/** Reports that Terraform shows a deletion, but the key is kept. */
export function leftInPlace(subject: ObjectSubject): LocatedMessage {
  return {
    summary: `${onCluster(subject)} is not deleted, but tested again`,
    details: 'Only its test signature failed when it was created. It keeps its UUID.',
  };
}

/** Warns that the key exists, but its UUID could not be determined. */
export function uuidNotRead(subject: ObjectSubject, { summary, detail }: DiagnosticError): LocatedMessage {
  return {
    summary: `${onCluster(subject)}: its UUID is not known yet`,
    details: [
      `The key was written, but reading it failed: ${summary}.`,
      detail,
      'The next plan reads the UUID.',
    ],
  };
}

/** Reports that the server does not delete the key, because mounts list it. */
export function inUse(
  subject: ObjectSubject,
  mounts: readonly string[],
  refusal: DiagnosticError,
): DiagnosticError {
  const list = mounts.map((mount) => JSON.stringify(mount)).join(', ');
  return new MessageError(
    {
      summary: `cannot delete ${onCluster(subject)}: mounts list it`,
      details: [`Mounts that list it in allowed_managed_keys: ${list}.`, refusal.detail],
      cures: phrase`remove the key from allowed_managed_keys of these mounts first. If Terraform
        manages the mounts, refer in this argument to the name attribute of the managed key's resource:
        Terraform then deletes the key after the mounts`,
    },
    { cause: refusal },
  );
}
