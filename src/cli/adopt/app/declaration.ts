import type { HclBody } from '../hcl/hcl';
import type { CodeProperties } from './code';
import type { FieldValues, ObjectDefinition, ObjectIdentity } from '../../../model';
import { PROVIDER_NAME } from '../../../provider/about';
import { DEFAULT_CLUSTER } from '../../../provider/configuration';
import { type UniqueNames, variableName } from './names';

/** An object as Terraform knows it. */
export interface ResourceAddress {
  /** The type of the Terraform resource. */
  readonly resource: string;
  readonly importId: string;
}

/** A construct of the app, for an object that is on a server. */
export interface Declaration extends ResourceAddress {
  /** The id of the construct, which is also the name of the resource. */
  readonly id: string;
  /** The class of the construct: `AclPolicy`. */
  readonly construct: string;
  readonly props: CodeProperties;
  /** The content of the resource's block, if no app is written. */
  readonly arguments: HclBody;
  /** The write that creates the object. Absent if it takes more than one write. */
  readonly write?: ObjectWrite;
  /** The files that the props and arguments refer to, by their paths. */
  readonly files?: Readonly<Record<string, string>>;
}

/** The write by which a server gets an object. */
export interface ObjectWrite {
  readonly cluster: string;
  readonly path: string;
  readonly namespace: string;
  readonly body: FieldValues;
  /** The fields that hold secrets on the server. The body does not contain them. */
  readonly secrets: readonly string[];
}

/** The declarations in one file. */
export interface Part {
  /** The title within sentences: `ACL policies`. */
  readonly title: string;
  readonly declarations: readonly Declaration[];
}

/** The names within the stack of a cluster. */
export interface Naming {
  /** The name of the stack, and of its folder. */
  readonly stack: string;
  readonly ids: UniqueNames;
  /** The names of the Terraform variables of the whole app. */
  readonly variables: UniqueNames;
}

/** A variable for a cluster in the code of a stack. */
export interface Handle {
  readonly cluster: string;
  readonly local: string;
}

/** A stack of the app: a folder with a file for each part. */
export interface StackOfApp {
  /** The id of the stack, and the name of its folder. */
  readonly name: string;
  readonly handles: readonly Handle[];
  readonly parts: readonly Part[];
  /** The Terraform variables that its secrets come from. */
  readonly variables: readonly string[];
}

/** Returns the Terraform type of an object: `vaultadmin_acl_policy`. */
export function resourceType({ name }: Pick<ObjectDefinition, 'name'>): string {
  return `${PROVIDER_NAME}_${name}`;
}

/**
 * The names of Terraform variables for the secrets that a server holds, by their fields:
 * `us_pki_signing_pin`.
 */
export type SecretVariables = Readonly<Record<string, string>>;

export function secretVariables(
  { cluster, namespace, name }: ObjectIdentity,
  secrets: readonly string[],
  { variables }: Pick<Naming, 'variables'>,
): SecretVariables {
  const owner = cluster === DEFAULT_CLUSTER ? 'vault' : cluster;
  const variableOf = (field: string) => variables.take(variableName(owner, namespace, name, field));
  return Object.fromEntries(secrets.map((field) => [field, variableOf(field)]));
}
