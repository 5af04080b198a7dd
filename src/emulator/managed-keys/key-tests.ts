import type { ManagedKeyEntry } from './store';

/** The result of a test signature. */
interface KeyTestResult {
  /** The time in milliseconds since 1970, by the clock of the clusters. */
  readonly testedAt: number;
  /** The reason why the key did not sign. */
  readonly error?: string;
}

/** The latest result of each key's test signatures, for the page of the emulator. Not persisted. */
export class KeyTests {
  readonly #results = new Map<string, KeyTestResult>();

  /**
   * Makes a test signature and records the result.
   *
   * @throws the errors of `sign`.
   */
  async noting(
    cluster: string,
    entry: ManagedKeyEntry,
    now: () => number,
    sign: () => Promise<void>,
  ): Promise<void> {
    const key = keyOf(cluster, entry);
    try {
      await sign();
      this.#results.set(key, { testedAt: now() });
    } catch (error) {
      this.#results.set(key, { testedAt: now(), error: (error as Error).message });
      throw error;
    }
  }

  of(cluster: string, entry: ManagedKeyEntry): KeyTestResult | undefined {
    return this.#results.get(keyOf(cluster, entry));
  }
}

/**
 * Returns the name under which a result is kept. It contains the cluster, because the clusters of a
 * set have the same managed keys, but test them separately.
 */
function keyOf(cluster: string, { uuid }: ManagedKeyEntry): string {
  return `${cluster}/${uuid}`;
}
