import { setTimeout as delay } from 'node:timers/promises';

const PATIENCE_MS = 120_000;

/**
 * Waits until a condition holds. No test may depend on the time between two checks.
 *
 * @throws Error after two minutes, with the text of `otherwise`
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  otherwise: () => string = () => `it did not happen: ${condition.toString()}`,
): Promise<void> {
  for (const ends = Date.now() + PATIENCE_MS; !(await condition());) {
    if (Date.now() > ends) throw new Error(otherwise());
    await delay(5);
  }
}
