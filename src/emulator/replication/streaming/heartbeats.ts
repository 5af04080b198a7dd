import type { ServerFlavour } from '../../core/backend';
import type { Contact } from '../record';

const INTERVAL_MS = 1_000;

/** Returns the fields of the status that each side of a connection shows about the other. */
export function describeContact(contact: Contact, now: number, server: ServerFlavour) {
  const last = lastHeartbeat(contact, now);
  return {
    api_address: contact.apiAddress,
    cluster_address: contact.clusterAddress,
    connection_status: contact.until === undefined ? 'connected' : 'disconnected',
    last_heartbeat: wholeSeconds(last),
    ...(server.atLeast(...server.assumed('heartbeatDetails').since) && {
      last_heartbeat_duration_ms: '0',
      clock_skew_ms: '0',
      replication_primary_canary_age_ms: String(now - last),
    }),
  };
}

/** Formats a time in milliseconds since 1970 as the status does: RFC 3339 in whole seconds. */
export function wholeSeconds(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d+Z$/, 'Z');
}

/**
 * Returns the time of the latest heartbeat. Heartbeats have a fixed interval, from the start of a
 * connection to its end.
 */
function lastHeartbeat({ since, until }: Contact, now: number): number {
  const beats = Math.floor(((until ?? now) - since) / INTERVAL_MS);
  return since + beats * INTERVAL_MS;
}
