import { DiagnosticError } from '../../plugin';
import { PROVIDER_NAME } from '../about';
import type { Subject } from './request';
import type { ObjectSubject } from './stored-object';

/** Summary and detail of a diagnostic. */
export type Message = readonly [summary: string, detail: string];

/** An object of that name is there, and Terraform does not know of it. */
export function existsAlready(object: ObjectSubject): DiagnosticError {
  return new DiagnosticError(
    `${onCluster(object)} exists already`,
    'Creating it would overwrite what is there. Nothing was changed.\n' +
      `To do: choose another name; or ${howToTakeOver(object)}`,
  );
}

/** How an object that is there already becomes one of Terraform's. */
export function howToTakeOver({ definition, id }: Pick<ObjectSubject, 'definition' | 'id'>): string {
  const resource = `${PROVIDER_NAME}_${definition.name}.NAME`;
  return `take it over, with the resource's name for NAME, by the command

  terraform import ${resource} ${shellQuoted(id)}

or by the block

  import {
    to = ${resource}
    id = ${hclQuoted(id)}
  }`;
}

/** What was to be imported is not there. */
export function nothingToImport(object: ObjectSubject): DiagnosticError {
  return new DiagnosticError(
    `there is no ${onCluster(object)}`,
    `Received: import id ${JSON.stringify(object.id)}.\n` +
      'To do: check the parts of the id; what does not exist yet is created by an apply, without an import.',
  );
}

/** What was to be read is not there. */
export function nothingToRead(object: Subject): DiagnosticError {
  const { namespace } = object.location;
  return new DiagnosticError(
    `there is no ${onCluster(object)}`,
    `Looked for ${namespace === '' ? "in the namespace of the cluster's settings" : `in namespace ${JSON.stringify(namespace)}`}.\n` +
      'To do: check cluster, namespace and name, or create it first.',
    ['name'],
  );
}

/** The write was not answered, and it could not be found out what came of it. */
export function outcomeUnknown(object: Subject): Message {
  return [
    `${onCluster(object)}: not known whether it was created`,
    'The server did not answer the write, and it may still take effect. It is in the state, as tainted: ' +
      'the next apply looks whether it is there, and creates it anew.',
  ];
}

/** How messages say which object on which cluster: `ACL policy "ops" on cluster "us"`. */
export function onCluster({ title, location }: Subject): string {
  return `${title} on cluster ${JSON.stringify(location.cluster)}`;
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** In a string of Terraform's language `${` and `%{` would begin an expression. */
function hclQuoted(text: string): string {
  return JSON.stringify(text).replace(/[$%](?=\{)/g, '$&$&');
}
