import type { PrivateState } from '../author/context';

/** The private state of one resource during one call. */
export class PrivateValues implements PrivateState {
  #changed: Record<string, unknown> | undefined;

  readonly #stored: Uint8Array;

  /** @param stored what Terraform kept; empty if there is nothing yet. */
  constructor(stored: Uint8Array) {
    this.#stored = stored;
  }

  get(key: string): unknown {
    return this.#values()[key];
  }

  set(key: string, value: unknown): void {
    this.#changed = { ...this.#values(), [key]: value };
  }

  /** What Terraform has to keep. */
  toBytes(): Uint8Array {
    return this.#changed ? Buffer.from(JSON.stringify(this.#changed)) : this.#stored;
  }

  #values(): Record<string, unknown> {
    if (this.#changed) return this.#changed;
    if (this.#stored.length === 0) return {};
    return JSON.parse(Buffer.from(this.#stored).toString()) as Record<string, unknown>;
  }
}
