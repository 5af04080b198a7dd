import { VaultError } from '../../client';

/** What the token may ask of itself is granted by the policy `default`, which it need not have. */
export async function unlessDenied<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (!VaultError.is(error) || error.code !== 'denied') throw error;
    return undefined;
  }
}
