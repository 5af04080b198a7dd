import { report } from '../messages';
import type { PrivateState } from '../../plugin';
import { existsAlready, outcomeUnknown, takenOver } from './messages';
import type { RequestContext } from './request';
import { serverErrorOf } from './server-error';
import type { StoredObject } from './stored-object';

/** Seconds to determine the outcome of an unanswered write. Terraform may already be stopping. */
const READ_BACK_TIMEOUT = 5;

/** In the private state of an object of which it is not known whether it was created. */
const UNCONFIRMED = 'unconfirmed';

/**
 * Takes up an object that is there although it is to be created. Terraform may have been killed
 * before it received the answer to a create: then the existing object is the wanted one.
 *
 * @param isWanted whether the values that the server returns are those of the object to create.
 * @throws DiagnosticError that shows how to import, where it is another object.
 */
export function takeOver(
  { subject }: Pick<StoredObject<unknown, unknown>, 'subject'>,
  isWanted: boolean,
  { diagnostics }: RequestContext,
): void {
  if (!isWanted) throw existsAlready(subject);
  report(diagnostics, 'warning', takenOver(subject));
}

/** The values that are written for an object that does not exist yet. */
interface Creation<Stored, Written, State> {
  readonly fields: Written;
  /** Whether the server holds what was written. */
  readonly holds: (stored: Stored) => boolean;
  /** The state to store if it cannot be determined whether the object was created. */
  readonly state: State;
}

type CreateContext<State> = RequestContext & {
  readonly privateState: PrivateState;
  readonly keep: (state: State) => void;
};

/**
 * Writes an object that is not there yet. Where the answer is lost, the server is asked what came
 * of the write, so that the next apply neither forgets the object nor mistakes it for an object of
 * others: see {@link isUnconfirmed}.
 *
 * @throws DiagnosticError
 */
export async function writeNew<Stored, Written, State>(
  object: Pick<StoredObject<Stored, Written>, 'read' | 'write' | 'subject'>,
  { fields, holds, state }: Creation<Stored, Written, State>,
  context: CreateContext<State>,
): Promise<void> {
  try {
    await object.write('create', fields);
  } catch (failure) {
    const call = serverErrorOf(failure);
    if (!call?.mayHaveTakenEffect) throw failure;

    const found = await object
      .read('create', { timeout: READ_BACK_TIMEOUT })
      .then((stored) => (stored === undefined ? 'nothing' : holds(stored) ? 'as written' : 'another'))
      .catch(() => 'unknown');
    if (found === 'as written') return;
    // A server that has not answered may still be at it.
    const answered = call.status !== undefined;
    if (found === 'unknown' || (found === 'nothing' && !answered)) {
      context.keep(state);
      context.privateState.set(UNCONFIRMED, true);
      report(context.diagnostics, 'warning', outcomeUnknown(object.subject));
    }
    throw failure;
  }
}

/**
 * Whether it is not known that this object was created. An object that is read with other values
 * than were written belongs to somebody else, and is not adopted.
 */
export function isUnconfirmed({ privateState }: { readonly privateState: PrivateState }): boolean {
  return privateState.get(UNCONFIRMED) === true;
}
