import { PROMOTION_MOUNT_PATH, SWITCHOVER_POLICY_PATH, TAKEOVER_POLICY_PATH } from '../../../../model';
import type { Announced } from '../planner';

/**
 * The objects through which applies communicate. The first two are ACL policies, which all clusters
 * of a set receive. The third is a local secrets engine, whose description is the note: a secondary
 * can store it while there is no primary, and keeps it when it is promoted.
 */
export const NOTE_PATHS = {
  announcement: SWITCHOVER_POLICY_PATH,
  takeover: TAKEOVER_POLICY_PATH,
  promotion: PROMOTION_MOUNT_PATH,
} as const;

export type NoteKind = keyof typeof NOTE_PATHS;

/** The cluster that is to take over from a primary that steps down. */
export interface Announcement extends Announced {
  /** The apply that wrote it. */
  readonly apply: string;
}

/**
 * The note on a new primary that it has all writes of the clusters that stepped down for it. It
 * then also has all writes that the secondaries of these clusters received. The promotion note has
 * the same content.
 */
export interface TakeoverNote {
  /** The new primary's own id, as in {@link Announced}. */
  readonly primary: string;
  /** The clusters that stepped down, with the merkle roots of their data at that time. */
  readonly predecessors: readonly { readonly id: string; readonly root: string }[];
}

/** The texts before the values, in a comment of the policy. */
const ANNOUNCED = '# Only this cluster may take over: ';
const TAKEN_OVER = '# This primary has all writes of: ';
/** The text before the note, in the description of the secrets engine. */
const PROMOTED =
  'Written by the Terraform provider vaultadmin until a switchover is over. Once promoted, this cluster has all writes of: ';

const PREFACE = '# Written by the Terraform provider vaultadmin';
const RULE = 'path "sys/replication/performance/status" {\n  capabilities = ["read"]\n}\n';

export function textOfAnnouncement(announcement: Announcement): string {
  return (
    `${PREFACE} before the primary of this replication set steps down.\n` +
    `${ANNOUNCED}${JSON.stringify(announcement)}\n${RULE}`
  );
}

export function textOfTakeoverNote(note: TakeoverNote): string {
  return (
    `${PREFACE} until the other clusters of this replication set follow the new primary.\n` +
    `${TAKEN_OVER}${JSON.stringify(note)}\n${RULE}`
  );
}

export function textOfPromotionNote(note: TakeoverNote): string {
  return `${PROMOTED}${JSON.stringify(note)}`;
}

export function announcementIn(policy: string | undefined): Announcement | undefined {
  const { id, name, apply } = (valueAfter(ANNOUNCED, policy) ?? {}) as Partial<Announcement>;
  return id !== undefined && name !== undefined && apply !== undefined ? { id, name, apply } : undefined;
}

export function takeoverNoteIn(policy: string | undefined): TakeoverNote | undefined {
  return noteAfter(TAKEN_OVER, policy);
}

export function promotionNoteIn(description: string | undefined): TakeoverNote | undefined {
  return noteAfter(PROMOTED, description);
}

function noteAfter(mark: string, text: string | undefined): TakeoverNote | undefined {
  const { primary, predecessors } = (valueAfter(mark, text) ?? {}) as Partial<TakeoverNote>;
  return primary !== undefined && Array.isArray(predecessors) ? { primary, predecessors } : undefined;
}

function valueAfter(mark: string, text: string | undefined): unknown {
  const line = text?.split('\n').find((each) => each.startsWith(mark));
  if (line === undefined) return undefined;
  try {
    return JSON.parse(line.slice(mark.length));
  } catch {
    return undefined;
  }
}
