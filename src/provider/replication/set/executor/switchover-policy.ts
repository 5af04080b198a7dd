import type { World } from '../planner';

/** Who is to take over from a primary that steps down. */
export interface Announcement {
  /** The successor's own id, as in `sys/health`; its name where it has not told one. */
  readonly id: string;
  readonly name: string;
  /** The apply that wrote it. */
  readonly apply: string;
}

/** A cluster that stepped down, and what it had then: the new primary has all of it. */
interface Receipt {
  /** The cluster's own id, as in {@link Announcement}. */
  readonly id: string;
  /** The digest of its data. */
  readonly root: string;
}

/** What precedes the values, in a comment of the policy. */
const ANNOUNCED = '# Only this cluster may take over: ';
const RECEIVED = '# This primary has all writes of: ';

const PREFACE = '# Written by the Terraform provider vaultadmin';
const RULE = 'path "sys/replication/performance/status" {\n  capabilities = ["read"]\n}\n';

/** The own id of a cluster; its name where it has not told one. */
export function idOf(name: string, world: World): string {
  return world[name]?.self?.id ?? name;
}

export function textOfAnnouncement(announcement: Announcement): string {
  return (
    `${PREFACE} before the primary of this replication set steps down.\n` +
    `${ANNOUNCED}${JSON.stringify(announcement)}\n${RULE}`
  );
}

export function textOfReceipt(receipts: readonly Receipt[]): string {
  return (
    `${PREFACE} until the former primaries of this replication set follow the new one.\n` +
    `${RECEIVED}${JSON.stringify(receipts)}\n${RULE}`
  );
}

export function announcementIn(policy: string | undefined): Announcement | undefined {
  const { id, name, apply } = (valueAfter(ANNOUNCED, policy) ?? {}) as Partial<Announcement>;
  return id !== undefined && name !== undefined && apply !== undefined ? { id, name, apply } : undefined;
}

export function receiptIn(policy: string | undefined): readonly Receipt[] {
  const found = valueAfter(RECEIVED, policy);
  return Array.isArray(found) ? (found as readonly Receipt[]) : [];
}

function valueAfter(mark: string, policy: string | undefined): unknown {
  const line = policy?.split('\n').find((each) => each.startsWith(mark));
  if (line === undefined) return undefined;
  try {
    return JSON.parse(line.slice(mark.length));
  } catch {
    return undefined;
  }
}
