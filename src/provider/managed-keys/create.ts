import { DiagnosticError, type PrivateState } from '../../plugin';
import { refuseExisting, writeNew, type RequestContext } from '../objects';
import type { Values } from './backends';
import { takeUp } from './failed-test';
import type { StoredKey } from './identity';
import { uuidNotRead } from './messages';
import { fieldsToWrite, isAsWritten } from './values';

/** Writes a key that is not there yet, or that the first half of this replacement has left to be tested again. */
export async function createKey<S extends Values>(
  key: StoredKey,
  { config, state }: { readonly config: Values; readonly state: S },
  context: RequestContext & { readonly privateState: PrivateState; readonly keep: (state: S) => void },
): Promise<void> {
  const uuid = takeUp(key.subject.id, context.provider);
  const keep = () => context.keep({ ...state, uuid });
  const left = uuid === undefined ? undefined : await key.read('create').catch(andThrow(keep));
  if (left && left.uuid === uuid) {
    await key.write('update', fieldsToWrite(state, config, left.fields)).catch(andThrow(keep));
    return;
  }
  await refuseExisting(key);
  const fields = fieldsToWrite(state, config);
  await writeNew(key, { fields, holds: (stored) => isAsWritten(stored, state), state }, context);
}

function andThrow(before: () => void): (error: unknown) => never {
  return (error) => {
    before();
    throw error;
  };
}

/** The UUID that the server gave a key. Null, with a warning, where it cannot be read now. */
export async function uuidOf(key: StoredKey, context: RequestContext): Promise<string | null> {
  try {
    return (await key.read())?.uuid ?? null;
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    context.diagnostics.warning(...uuidNotRead(key.subject, error));
    return null;
  }
}
