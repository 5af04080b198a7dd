/** The modes of a cluster in performance replication. */
export const REPLICATION_MODES = ['disabled', 'primary', 'secondary'] as const;
export type ReplicationMode = (typeof REPLICATION_MODES)[number];

/**
 * The values of the status in place of a mode: the cluster is between two modes, its storage cannot
 * replicate, or it does not know.
 */
export const OTHER_STATUS_MODES = ['bootstrapping', 'unsupported', 'unknown'] as const;

/** The state of a primary, which has no other. */
export const PRIMARY_STATE = 'running';

/**
 * The states of a secondary: it follows the primary's WAL, compares its data with the primary's,
 * copies data, or does nothing.
 */
export const SECONDARY_STATES = ['stream-wals', 'merkle-diff', 'merkle-sync', 'idle'] as const;
export type SecondaryState = (typeof SECONDARY_STATES)[number];

/** The states of the secondary's connection to the primary's cluster address. */
export const CONNECTION_STATES = ['ready', 'connecting', 'idle', 'transient_failure', 'shutdown'] as const;
export type ConnectionState = (typeof CONNECTION_STATES)[number];

/** The states of a connection, as the primary and the secondary report them. */
export const CONNECTION_STATUSES = ['connected', 'disconnected'] as const;

/** The time in seconds since 1970 that stands for "never": the beginning of the year 1. */
export const NEVER_EPOCH = -62_135_596_800;
