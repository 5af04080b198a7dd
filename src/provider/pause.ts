// This does not import node:timers/promises, which every start of the provider would load.
import { promises as timers } from 'node:timers';

/**
 * Waits, or returns at once if the user stops Terraform: the next request with the same signal then
 * reports that it was stopped.
 */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await timers.setTimeout(milliseconds, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
