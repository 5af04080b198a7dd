import { report } from '../messages';
import type { PrivateState } from '../../plugin';
import { adopted, existsAlready, outcomeUnknown } from './messages';
import type { RequestContext } from './request';
import { serverErrorOf } from './server-error';
import type { StoredObject } from './stored-object';

/** Seconds to determine the outcome of an unanswered write. Terraform may already be ending. */
const READ_BACK_TIMEOUT = 5;

/** The key in the private state of an object whose creation is not confirmed. */
const UNCONFIRMED = 'unconfirmed';

/**
 * Adopts an existing object in place of a creation if it has the wanted values: Terraform may have
 * been killed after it had created the object.
 *
 * @param isWanted whether the server's values are those of the object to create
 * @throws DiagnosticError with the import command, if the object has other values
 */
export function adopt(
  { subject }: Pick<StoredObject<unknown, unknown>, 'subject'>,
  isWanted: boolean,
  { diagnostics }: RequestContext,
): void {
  if (!isWanted) throw existsAlready(subject);
  report(diagnostics, 'warning', adopted(subject));
}

/** The values of the write that creates an object. */
interface Creation<Stored, Written, State> {
  readonly fields: Written;
  /** Whether the server holds the written values. */
  readonly holds: (stored: Stored) => boolean;
  /** The state to store if the creation could not be confirmed. */
  readonly state: State;
}

type CreateContext<State> = RequestContext & {
  readonly privateState: PrivateState;
  readonly keep: (state: State) => void;
};

/**
 * Writes an object that does not exist yet. If the answer is lost, the provider reads the object to
 * find out whether it was created. If this fails, the state notes that the creation is not
 * confirmed: see {@link isUnconfirmed}.
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
    // A server that has not answered may still be processing the write.
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
 * Whether the creation of an object was not confirmed. If a later read returns other values than
 * the written ones, the object belongs to someone else and leaves the state.
 */
export function isUnconfirmed({ privateState }: { readonly privateState: PrivateState }): boolean {
  return privateState.get(UNCONFIRMED) === true;
}
