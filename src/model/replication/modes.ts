// Interface section 3.
/** What a cluster is to performance replication. */
export const REPLICATION_MODES = ['disabled', 'primary', 'secondary'] as const;
export type ReplicationMode = (typeof REPLICATION_MODES)[number];

/**
 * What the status may say in place of a mode: the cluster is between two modes, its storage cannot replicate, or it does
 * not know.
 */
export const OTHER_STATUS_MODES = ['bootstrapping', 'unsupported', 'unknown'] as const;

/** What a primary is doing: nothing else is known of one. */
export const PRIMARY_STATE = 'running';

/** What a secondary is doing: following the primary's log, comparing, copying, or nothing. */
export const SECONDARY_STATES = ['stream-wals', 'merkle-diff', 'merkle-sync', 'idle'] as const;
export type SecondaryState = (typeof SECONDARY_STATES)[number];

/** The secondary's connection to the primary's cluster address. */
export const CONNECTION_STATES = ['ready', 'connecting', 'idle', 'transient_failure', 'shutdown'] as const;
export type ConnectionState = (typeof CONNECTION_STATES)[number];

/** How either side sees the other. */
export const CONNECTION_STATUSES = ['connected', 'disconnected'] as const;

/** The time, in seconds since 1970, that stands for never: the year 1. */
export const NEVER_EPOCH = -62_135_596_800;
