import { formatImportId } from '../../model';
import { DiagnosticError } from '../../plugin';
import type { StoredPolicy } from './stored-policy';

type Message = readonly [summary: string, detail: string];

/** A policy of that name is there, and Terraform does not know of it. */
export function existsAlready(policy: StoredPolicy, type: string): DiagnosticError {
  const id = formatImportId(policy.identity);
  return new DiagnosticError(
    `${on(policy)} exists already`,
    `Creating it would overwrite what is there. Nothing was changed.
To do: choose another name; or take the policy over, with the resource's name for NAME, by the command

  terraform import ${type}.NAME ${shellQuoted(id)}

or by the block

  import {
    to = ${type}.NAME
    id = ${hclQuoted(id)}
  }`,
  );
}

/** What was to be imported is not there. */
export function nothingToImport(policy: StoredPolicy): DiagnosticError {
  return new DiagnosticError(
    `there is no ${on(policy)}`,
    `Received: import id ${JSON.stringify(formatImportId(policy.identity))}.\n` +
      'To do: check cluster, namespace and name in the id; a policy that does not exist yet is created by an apply.',
  );
}

/** What was to be read is not there. */
export function nothingToRead(policy: StoredPolicy): DiagnosticError {
  const { namespace } = policy.identity;
  return new DiagnosticError(
    `there is no ${on(policy)}`,
    `Looked for ${namespace === '' ? "in the namespace of the cluster's settings" : `in namespace ${JSON.stringify(namespace)}`}.\n` +
      'To do: check cluster, namespace and name, or create the policy first.',
    ['name'],
  );
}

/** The write was not answered, and it could not be found out what came of it. */
export function outcomeUnknown(policy: StoredPolicy): Message {
  return [
    `${on(policy)}: not known whether it was created`,
    'The server did not answer the write, and it may still take effect. The policy is in the state, as tainted: ' +
      'the next apply looks whether it is there, and creates it anew.',
  ];
}

/** The server always has this policy, so that creating it in Terraform overwrites it. */
export function overwritesPermanent(title: string): Message {
  return [
    `${title} exists on every server: its text is overwritten`,
    'Every token has this policy unless told otherwise. To keep what the server has, import the policy instead.',
  ];
}

/** The server does not delete this policy. */
export function permanentStays(title: string): Message {
  return [
    `${title} cannot be deleted: the server keeps it as it is`,
    'It is only removed from the state. To have its original text again, write that text before.',
  ];
}

function on({ title, identity }: StoredPolicy): string {
  return `${title} on cluster ${JSON.stringify(identity.cluster)}`;
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** In a string of Terraform's language `${` and `%{` would begin an expression. */
function hclQuoted(text: string): string {
  return JSON.stringify(text).replace(/[$%](?=\{)/g, '$&$&');
}
