/** A capability that a policy statement grants on its paths. */
export enum Capability {
  /** Denies everything, whatever other statements grant. */
  DENY = 'deny',
  /** Create data that does not exist yet. */
  CREATE = 'create',
  /** Read data. */
  READ = 'read',
  /** Change data that exists. Most calls that perform an action require it. */
  UPDATE = 'update',
  /** Delete data. */
  DELETE = 'delete',
  /** List names. Policies do not filter the names. */
  LIST = 'list',
  /** Use paths that the server protects. Required in addition to another capability. */
  SUDO = 'sudo',
  /** Change parts of data that exists. */
  PATCH = 'patch',
  /** Subscribe to events. */
  SUBSCRIBE = 'subscribe',
  /** Recover data from a loaded snapshot. */
  RECOVER = 'recover',
}
