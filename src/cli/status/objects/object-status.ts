import type { VaultClient } from '../../../client';
import type { ReadingNotes } from '../../clusters/namespaces-of-cluster';
import type { Cluster } from '../../../provider/clusters/cluster';

/** The facts that reading depends on. */
export interface StatusReadOptions {
  /**
   * Where managed keys are looked for, relative to the namespace of the cluster's settings; `*` for
   * it and all below it.
   */
  readonly namespaces: readonly string[];
  /** Whether every managed key makes a test signature. This may generate a missing key. */
  readonly testKeys: boolean;
  /** Whether a cluster may be without a token, so that only its replication is read. */
  readonly public: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** A cluster that answers, and knows the token. */
export interface OpenCluster {
  readonly cluster: Cluster;
  /** For the namespace of the cluster's settings. */
  readonly client: VaultClient;
  readonly version: string;
  readonly notes: ReadingNotes;
}

interface KindOf<Key extends string, State> {
  /** Its field in the state of a cluster. */
  readonly key: Key;
  /** In messages: `managed keys`. */
  readonly title: string;
  /** Reads the states of all objects. `undefined` if they are not to be shown. */
  readonly read: (open: OpenCluster, options: StatusReadOptions) => Promise<readonly State[] | undefined>;
  /** Returns the line that shows an object to people. */
  readonly line: (state: State) => string;
  /** Returns what is wrong with an object. */
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
