import type { VaultClient } from '../../../client';
import type { ReadingNotes } from '../../clusters/namespaces-of-cluster';
import type { Cluster } from '../../../provider/clusters/cluster';

/** The options for reading the states of objects. */
export interface StatusReadOptions {
  /**
   * The namespaces whose managed keys are read, relative to the namespace of the cluster's
   * settings; `*` for that namespace and all below.
   */
  readonly namespaces: readonly string[];
  /** Whether every managed key makes a test signature. This may generate a missing key. */
  readonly testKeys: boolean;
  /** Whether a missing token is allowed: then only replication is read. */
  readonly public: boolean;
  /** The current time in milliseconds since 1970. */
  readonly now: number;
}

/** A cluster that answered and knows the token. */
export interface OpenCluster {
  readonly cluster: Cluster;
  /** The client for the namespace of the cluster's settings. */
  readonly client: VaultClient;
  readonly version: string;
  readonly notes: ReadingNotes;
}

interface KindOf<Key extends string, State> {
  /** The member of a cluster's state that contains the objects. */
  readonly key: Key;
  /** The title within messages: `managed keys`. */
  readonly title: string;
  /** Reads the states of all objects. `undefined` if the server does not show them. */
  readonly read: (open: OpenCluster, options: StatusReadOptions) => Promise<readonly State[] | undefined>;
  /** Returns the line that shows an object to people. */
  readonly line: (state: State) => string;
  /** Returns the problems of an object. */
  readonly problems: (state: State) => readonly string[];
}

/** Defines how the objects of one kind are read and shown. */
export function objectStatus<const Key extends string, State>(kind: KindOf<Key, State>) {
  const { key, title, read } = kind;
  type States = { readonly [Name in Key]?: readonly State[] | undefined };
  return {
    key,
    title,
    read,
    lines: (states: States) => (states[key] ?? []).map(kind.line),
    problems: (states: States) => (states[key] ?? []).flatMap(kind.problems),
  };
}
