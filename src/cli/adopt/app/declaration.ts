import type { HclBody } from '../hcl/hcl';
import type { CodeProperties } from './code';
import type { FieldValues, ObjectDefinition, ObjectIdentity } from '../../../model';
import { PROVIDER_NAME } from '../../../provider/about';
import { DEFAULT_CLUSTER } from '../../../provider/configuration';
import { type UniqueNames, variableName } from './names';

/** An object as Terraform knows it. */
export interface ResourceAddress {
  /** Type of the Terraform resource. */
  readonly resource: string;
  readonly importId: string;
}

/** One construct of the app, for one object that is on a server. */
export interface Declaration extends ResourceAddress {
  /** Id of the construct, and so the name of the resource. */
  readonly id: string;
  /** Class of the construct: `AclPolicy`. */
  readonly construct: string;
  readonly props: CodeProperties;
  /** The content of the resource's block, if no app is written. */
  readonly arguments: HclBody;
  /** Absent for what no single write makes. */
  readonly write?: ObjectWrite;
  /** Files that the props and arguments refer to, by their paths. */
  readonly files?: Readonly<Record<string, string>>;
}

/** The write by which a server gets an object. */
export interface ObjectWrite {
  readonly cluster: string;
  readonly path: string;
  readonly namespace: string;
  readonly body: FieldValues;
  /** The fields that hold secrets on the server. They are not in the body. */
  readonly secrets: readonly string[];
}

/** Declarations that stand in one file. */
export interface Part {
  /** In sentences: `ACL policies`. */
  readonly title: string;
  readonly declarations: readonly Declaration[];
}

/** The text from which names within the stack of a cluster are made. */
export interface Naming {
  /** Name of the stack, and of its folder. */
  readonly stack: string;
  readonly ids: UniqueNames;
  /** Names of the Terraform variables of the whole app. */
  readonly variables: UniqueNames;
}

/** A handle on a cluster, as code of a stack calls it. */
export interface Handle {
  readonly cluster: string;
  readonly local: string;
}

/** A stack of the app: a folder with a file for each part. */
export interface StackOfApp {
  /** Id of the stack, and name of its folder. */
  readonly name: string;
  readonly handles: readonly Handle[];
  readonly parts: readonly Part[];
  /** The Terraform variables that its secrets come from. */
  readonly variables: readonly string[];
}

/** The Terraform type of an object: `vaultadmin_acl_policy`. */
export function resourceType({ name }: Pick<ObjectDefinition, 'name'>): string {
  return `${PROVIDER_NAME}_${name}`;
}

/**
 * Names of Terraform variables for the secrets that a server holds, by their fields:
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
