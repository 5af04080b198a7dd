/** A write that only the primary of the replication set may do. Whoever handles the request passes it on. */
export class ReadOnlyError extends Error {
  constructor() {
    super('cannot write to a secondary');
    this.name = 'ReadOnlyError';
  }
}
