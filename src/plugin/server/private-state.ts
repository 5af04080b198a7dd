import type { PrivateState } from '../author/context';

/** The private state of one resource during one call. */
export class PrivateValues implements PrivateState {
  private changed: Record<string, unknown> | undefined;

  /** @param stored what Terraform kept; empty if there is nothing yet. */
  constructor(private readonly stored: Uint8Array) {}

  get(key: string): unknown {
    return this.values()[key];
  }

  set(key: string, value: unknown): void {
    this.changed = { ...this.values(), [key]: value };
  }

  /** What Terraform has to keep. */
  toBytes(): Uint8Array {
    return this.changed ? Buffer.from(JSON.stringify(this.changed)) : this.stored;
  }

  private values(): Record<string, unknown> {
    if (this.changed) return this.changed;
    if (this.stored.length === 0) return {};
    return JSON.parse(Buffer.from(this.stored).toString()) as Record<string, unknown>;
  }
}
