const DEADLINE_MS = 10_000;

/** Asks a service, and gives up where it does not answer. @throws Error that says so. */
export async function withinDeadline<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(DEADLINE_MS);
  try {
    return await ask(signal);
  } catch (error) {
    throw signal.aborted ? new Error(`no answer within ${DEADLINE_MS / 1000} seconds`) : error;
  }
}
