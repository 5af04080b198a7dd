import type { Fields } from './code';

/** One construct of the app, for one object that is on a server. */
export interface Declaration {
  /** Id of the construct, and so the name of the resource. */
  readonly id: string;
  /** Class of the construct: `AclPolicy`. */
  readonly construct: string;
  readonly props: Fields;
  /** Type of the Terraform resource that it becomes. */
  readonly resource: string;
  readonly importId: string;
  /** Files that the props refer to, by their paths. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Declarations that stand in one file. */
export interface Part {
  /** In sentences: `ACL policies`. */
  readonly title: string;
  readonly declarations: readonly Declaration[];
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
}
