import { TooComplexError } from '../../../model';
import { UndeterminedError } from '../../errors';

/**
 * Returns what an examination of policies finds.
 *
 * @throws UndeterminedError if they are too complex.
 */
export function examined<T>(examine: () => T): T {
  try {
    return examine();
  } catch (error) {
    if (error instanceof TooComplexError) throw new UndeterminedError(error.message);
    throw error;
  }
}
