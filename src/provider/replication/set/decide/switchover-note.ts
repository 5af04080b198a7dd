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
  quote,
  type Promote,
  type Observation,
} from '../planner';
import type { ApplyMemory } from './memory';
import { PLAN_AGAIN } from './messages';
import { ask, warn, type Procedure } from './requests';
import type { StepContext } from './settings';
import {
  announcementIn,
  NOTE_POLICIES,
  takeoverNoteIn,
  textOfAnnouncement,
  textOfTakeoverNote,
  type Announcement,
  type NoteKind,
} from './switchover-policy';

/*
 * The successor is announced on the primary before it steps down, in an ACL policy, which all
 * clusters of the set receive with its other data. Afterwards nobody can change it, as there is no
 * primary: however many applies are under way, all of them find the same name.
 */

/** Someone else moves the primary, and decides which cluster it is. */
export class RivalError extends MessageError {}

/** Announces a successor on the primary. */
export function* announce(
  primary: string,
  successor: string,
  { observation, apply, memory }: StepContext,
): Procedure<void> {
  const announcement = { id: idOf(successor, observation), name: successor, apply };
  const policy = textOfAnnouncement(announcement);
  try {
    yield* ask({ kind: 'write_note', cluster: primary, of: 'announcement', policy });
  } catch (error) {
    if (mayHaveTakenEffect(error)) memory.announcedOn = primary;
    throw error;
  }
  memory.announcedOn = primary;
}

/**
 * Checks that no other apply has replaced the announcement of this one. Nobody can replace it once
 * the primary has stepped down.
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

/**
 * Takes back what this apply has announced. An announcement that cannot be deleted is replaced by
 * the next switchover.
 */
export function* withdraw(primary: string, memory: ApplyMemory): Procedure<void> {
  if (yield* deleteNote(primary, 'announcement')) memory.announcedOn = undefined;
}

/** Deletes both notes, once all clusters follow the new primary. */
export function* deleteNotes(primary: string, memory: ApplyMemory): Procedure<void> {
  yield* withdraw(primary, memory);
  yield* deleteNote(primary, 'takeover');
}

/**
 * Deletes a note, unless the policy of its name has another text.
 *
 * @returns whether the note is gone.
 */
function* deleteNote(cluster: string, of: NoteKind): Procedure<boolean> {
  try {
    const policy = yield* ask({ kind: 'read_note', cluster, of });
    const note = of === 'announcement' ? announcementIn(policy) : takeoverNoteIn(policy);
    if (note !== undefined) yield* ask({ kind: 'delete_note', cluster, of });
    return true;
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    yield* warn(`the ACL policy ${NOTE_POLICIES[of]} is left: ${error.message}`);
    return false;
  }
}

/**
 * Notes on the new primary that it has all that its predecessors took. Their data does not change
 * until they follow it: until then its digest shows whether they have written anything since.
 */
export function* acknowledge(
  primary: string,
  roots: Readonly<Record<string, string>>,
  observation: Observation,
): Procedure<void> {
  const predecessors = Object.entries(roots).map(([name, root]) => ({ id: idOf(name, observation), root }));
  const policy = textOfTakeoverNote({ primary: idOf(primary, observation), predecessors });
  try {
    yield* ask({ kind: 'write_note', cluster: primary, of: 'takeover', policy });
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    yield* warn(error.message);
  }
}

/**
 * Checks that a cluster is the one that was announced.
 *
 * @returns whether a successor was announced. Other tools do not announce one.
 * @throws DiagnosticError if it is another one.
 */
export function* requireSuccessor(
  { cluster, predecessors }: Promote,
  { title, apply, members, observation, memory }: StepContext,
): Procedure<boolean> {
  const found = yield* readAnnouncement(cluster);
  if (found === undefined) return false;
  if (found.apply === apply || found.id === idOf(cluster, observation)) return true;
  // It was announced when the last primary took over itself.
  if (predecessors.some((name) => found.id === idOf(name, observation))) return false;
  if (!isAmong(found, members, observation)) throw stranger(title, cluster, found);
  // The last primary, which loses nothing: a person wants it back.
  if (predecessors.length === 0 && memory.steppedDown.size === 0) return false;
  throw rival(title, cluster, found);
}

/** @throws DiagnosticError if it cannot be read. */
export function* readAnnouncement(cluster: string): Procedure<Announcement | undefined> {
  return announcementIn(yield* ask({ kind: 'read_note', cluster, of: 'announcement' }));
}

/** The plan refuses this, too, where the announcement could be read. */
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
