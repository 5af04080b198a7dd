import { TooComplexError } from '../../../model';
import { UndeterminedError } from '../../errors';

/**
 * Runs an examination of policies, and returns its result.
 *
 * @throws UndeterminedError if the policies are too complex.
 */
export function examined<T>(examine: () => T): T {
  try {
    return examine();
  } catch (error) {
    if (error instanceof TooComplexError) throw new UndeterminedError(error.message);
    throw error;
  }
}
