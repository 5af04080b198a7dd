/** What a policy statement permits on its paths. */
export enum Capability {
  /** Refuses everything, whatever other statements permit. */
  DENY = 'deny',
  /** Write where nothing is yet. */
  CREATE = 'create',
  /** Read what is there. */
  READ = 'read',
  /** Write where something is already; most calls that act on something need it. */
  UPDATE = 'update',
  /** Delete what is there. */
  DELETE = 'delete',
  /** List names; policies do not filter them. */
  LIST = 'list',
  /** Reach paths that are protected by the server, in addition to another capability. */
  SUDO = 'sudo',
  /** Change parts of what is there. */
  PATCH = 'patch',
  /** Receive events. */
  SUBSCRIBE = 'subscribe',
  /** Recover from a snapshot. */
  RECOVER = 'recover',
}
