import { setTimeout as delay } from 'node:timers/promises';

const PATIENCE_MS = 120_000;

/**
 * Waits until a condition holds. The time between two looks is no part of what a test proves.
 *
 * @throws after two minutes, with the text for what did not happen.
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
