import { SWITCHOVER_POLICY } from '../../../../model';
import { or, phrase } from '../../../../model/messages';
import { DiagnosticError } from '../../../../plugin';
import { MessageError } from '../../../messages';
import { mayHaveTakenEffect } from '../../shared/member';
import {
  announcedElsewhere,
  choosePrimary,
  idOf,
  isAmong,
  isAnsweringPrimary,
  quote,
  type Promote,
  type Observation,
} from '../planner';
import type { ApplyMemory } from './memory';
import { PLAN_AGAIN } from './messages';
import { all, ask, warn, type Procedure } from './requests';
import type { StepContext } from './settings';
import {
  announcementIn,
  NOTE_PATHS,
  promotionNoteIn,
  takeoverNoteIn,
  textOfAnnouncement,
  textOfPromotionNote,
  textOfTakeoverNote,
  type Announcement,
  type NoteKind,
  type TakeoverNote,
} from './switchover-policy';

/*
 * The successor is announced in an ACL policy on the primary before the primary steps down. All
 * clusters of the set receive this policy with the other data. Nobody can change it while there is
 * no primary, so all applies that run at the same time read the same name.
 */

/** The error if someone else has announced another successor. */
export class RivalError extends MessageError {}

/** Announces a successor on the primary. */
export function* announce(
  primary: string,
  successor: string,
  { observation, apply, memory }: StepContext,
): Procedure<void> {
  const announcement = { id: idOf(successor, observation), name: successor, apply };
  const text = textOfAnnouncement(announcement);
  try {
    yield* ask({ kind: 'write_note', cluster: primary, of: 'announcement', text });
  } catch (error) {
    if (mayHaveTakenEffect(error)) memory.announcedOn = primary;
    throw error;
  }
  memory.announcedOn = primary;
}

/**
 * Checks that no other apply has replaced the announcement of this apply. It cannot be replaced
 * after the primary has stepped down.
 *
 * @throws RivalError if another apply has replaced it; DiagnosticError if it cannot be read.
 */
export function* requireAnnounced({ title, apply, memory }: StepContext): Procedure<void> {
  const { announcedOn } = memory;
  if (announcedOn === undefined) return;
  const found = yield* readAnnouncement(announcedOn);
  if (found?.apply === apply) return;
  memory.announcedOn = undefined;
  throw rival(title, announcedOn, found);
}

/** Deletes the announcement of this apply. If that fails, the next switchover replaces it. */
export function* withdraw(primary: string, memory: ApplyMemory): Procedure<void> {
  if (yield* deleteNote(primary, 'announcement')) memory.announcedOn = undefined;
}

/** Deletes the promotion note of a cluster that is not promoted. */
export function* withdrawPromotion(successor: string): Procedure<void> {
  yield* deleteNote(successor, 'promotion');
}

/**
 * Deletes the announcement of a cluster that leaves the set. An apply that was killed, or still
 * runs, has written it: if its demotion takes effect later, no other cluster could take over.
 */
export function* withdrawFor(leaving: string, { observation }: StepContext): Procedure<void> {
  const primary = Object.keys(observation).find((name) => isAnsweringPrimary(observation[name]));
  if (primary === undefined) return;
  yield* deleteNote(primary, 'announcement', idOf(leaving, observation));
}

/**
 * Deletes all notes, once all members follow the primary. A promotion that failed has left its note
 * on another member.
 *
 * @param members the members that answer.
 */
export function* deleteNotes(
  primary: string,
  memory: ApplyMemory,
  members: readonly string[],
): Procedure<void> {
  yield* withdraw(primary, memory);
  yield* deleteNote(primary, 'takeover');
  yield* all(members.map(withdrawPromotion));
}

/** Returns the content of a note. */
const CONTENT_OF = {
  announcement: announcementIn,
  takeover: takeoverNoteIn,
  promotion: promotionNoteIn,
} as const satisfies Record<NoteKind, unknown>;

/**
 * Deletes a note, unless the object with its name is not a note.
 *
 * @param announced the own id of a cluster, to delete only an announcement of that cluster.
 * @returns whether the note is gone.
 */
function* deleteNote(cluster: string, of: NoteKind, announced?: string): Procedure<boolean> {
  try {
    const text = yield* ask({ kind: 'read_note', cluster, of });
    const isNote = CONTENT_OF[of](text) !== undefined;
    const isOther = announced !== undefined && announcementIn(text)?.id !== announced;
    if (isNote && !isOther) yield* ask({ kind: 'delete_note', cluster, of });
    return true;
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    yield* warn(`${NOTE_PATHS[of]} may be left: ${error.message}`);
    return false;
  }
}

/**
 * Writes the promotion note on a secondary before it is promoted. If the apply ends before it can
 * write the takeover note, the next one finds this note. If the note cannot be written, the
 * promotion continues without it.
 *
 * @param roots the merkle roots of the predecessors, whose writes the secondary has
 */
export function* notePromotion(
  cluster: string,
  roots: Readonly<Record<string, string>>,
  observation: Observation,
): Procedure<void> {
  if (Object.keys(roots).length === 0) return;
  const text = textOfPromotionNote(noteOf(cluster, roots, observation));
  const write = ask({ kind: 'write_note', cluster, of: 'promotion', text });
  try {
    if (yield* deleteNote(cluster, 'promotion')) yield* write;
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    yield* warn(error.message);
  }
}

/**
 * Writes a note on the new primary that it has all writes of its predecessors. The note contains
 * their merkle roots: if the root of a predecessor changes before it follows the new primary, the
 * predecessor has accepted further writes.
 */
export function* acknowledge(
  primary: string,
  roots: Readonly<Record<string, string>>,
  observation: Observation,
): Procedure<void> {
  yield* writeTakeoverNote(primary, noteOf(primary, roots, observation));
}

/** Writes the takeover note. If that fails, a warning is logged. */
export function* writeTakeoverNote(cluster: string, note: TakeoverNote): Procedure<void> {
  try {
    yield* ask({ kind: 'write_note', cluster, of: 'takeover', text: textOfTakeoverNote(note) });
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    yield* warn(error.message);
  }
}

function noteOf(
  primary: string,
  roots: Readonly<Record<string, string>>,
  observation: Observation,
): TakeoverNote {
  const predecessors = Object.entries(roots).map(([name, root]) => ({ id: idOf(name, observation), root }));
  return { primary: idOf(primary, observation), predecessors };
}

/**
 * Returns the merkle roots that former primaries had when a cluster took over from them, by their
 * own ids. Empty if its note cannot be read, which then proves nothing.
 */
export function* rootsTakenOver(
  cluster: string,
  observation: Observation,
): Procedure<ReadonlyMap<string, string>> {
  try {
    const note = takeoverNoteIn(yield* ask({ kind: 'read_note', cluster, of: 'takeover' }));
    const isOwn = note?.primary === idOf(cluster, observation);
    return new Map(isOwn ? note.predecessors.map(({ id, root }) => [id, root]) : []);
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    yield* warn(error.message);
    return new Map();
  }
}

/**
 * Checks that a cluster is the announced successor.
 *
 * @returns whether a successor was announced. Other tools announce no successor.
 * @throws DiagnosticError if another cluster was announced.
 */
export function* requireSuccessor(
  { cluster, predecessors }: Promote,
  { title, apply, members, observation, memory }: StepContext,
): Procedure<boolean> {
  const found = yield* readAnnouncement(cluster);
  if (found === undefined) return false;
  if (found.apply === apply || found.id === idOf(cluster, observation)) return true;
  // This announcement is left from the switchover by which the last primary became the primary.
  if (predecessors.some((name) => found.id === idOf(name, observation))) return false;
  if (!isAmong(found, members, observation)) throw stranger(title, cluster, found);
  // A person wants the last primary to be the primary again, which loses no writes.
  if (predecessors.length === 0 && memory.steppedDown.size === 0) return false;
  throw rival(title, cluster, found);
}

/**
 * Reads the announcement on a cluster.
 *
 * @throws DiagnosticError if it cannot be read.
 */
export function* readAnnouncement(cluster: string): Procedure<Announcement | undefined> {
  return announcementIn(yield* ask({ kind: 'read_note', cluster, of: 'announcement' }));
}

/**
 * Returns the error that another cluster was announced. The plan already refuses this if it can
 * read the announcement.
 */
function stranger(title: string, cluster: string, found: Announcement): RivalError {
  const refusal = announcedElsewhere(cluster, found);
  return new RivalError({ ...refusal, summary: phrase`${title}: ${refusal.summary}` });
}

function rival(title: string, cluster: string, found: Announcement | undefined): RivalError {
  const other = found === undefined ? 'no cluster any more' : quote(found.name);
  return new RivalError({
    path: ['primary'],
    summary: `${title}: another apply is changing the primary of this set at the same time`,
    details: `The ACL policy ${quote(SWITCHOVER_POLICY)} on ${quote(cluster)} names ${other} as the cluster that takes over.`,
    cures: phrase`wait until the other apply has ended, then ${PLAN_AGAIN}. Manage a set in one state only. ${or('If')} no other
          apply is running and the set has no primary, ${choosePrimary('set primary to the last one')} and apply: nothing is lost.`,
  });
}
