import { describeReplicationStatus, VaultError } from '../../../../client';
import { DiagnosticError } from '../../../../plugin';
import { MessageError, type LocatedMessage } from '../../../messages';
import { inWords, type Step } from '../planner';
import type { Fleet } from './fleet';

interface Entry {
  /** The step. */
  readonly words: string;
  /** How far the step came, if it was not completed. */
  readonly told?: string;
}

/** The state of a set, for the person who has to continue from there. */
export class Account {
  readonly #entries: Entry[] = [];

  readonly #fleet: Fleet;
  readonly #members: readonly string[];

  constructor(fleet: Fleet, members: readonly string[]) {
    this.#fleet = fleet;
    this.#members = members;
  }

  /** The texts of the completed steps and of the incomplete ones. */
  get done(): string[] {
    return this.#entries.map(({ words, told = words }) => told);
  }

  add(step: Step): void {
    this.#put({ words: inWords(step) });
  }

  /** A step that could not be taken, where others follow nevertheless. */
  addFailure(step: Step, reason: string): void {
    const words = inWords(step);
    this.#put({ words, told: `NOT POSSIBLE: ${words}. Reason: ${reason.replaceAll('\n', '\n    ')}` });
  }

  /**
   * A step that failed after it had changed something.
   *
   * @param reached how far it came: `eu is unchanged`.
   */
  addPart(step: Step, reached: string): void {
    const words = inWords(step);
    this.#put({ words, told: `BEGUN, not completed: ${words}. So far: ${reached}` });
  }

  /** Replaces an earlier report of the same step, unless that one was completed. */
  #put(entry: Entry): void {
    const before = this.#entries.findIndex(({ words, told }) => words === entry.words && told !== undefined);
    if (before >= 0) this.#entries.splice(before, 1);
    this.#entries.push(entry);
  }

  /** An error that ends an apply, with all that was reached before it. */
  async error(message: LocatedMessage, options?: { readonly cause?: unknown }): Promise<MessageError> {
    const { done } = this;
    const changed = done.length === 0 ? '' : `Changed so far:\n${bullets(done)}\n`;
    const now = await Promise.all(
      this.#members.map(async (name) => `${name}: ${await this.#statusOf(name)}`),
    );
    return new MessageError(
      {
        ...message,
        claims: done.length === 0 ? ['nothing-changed'] : [],
        appendix: `${changed}Clusters now:\n${bullets(now)}`,
      },
      options,
    );
  }

  async #statusOf(cluster: string): Promise<string> {
    try {
      return describeReplicationStatus(await this.#fleet.member(cluster).status());
    } catch (error) {
      if (VaultError.is(error) || error instanceof DiagnosticError) return 'cannot be reached';
      throw error;
    }
  }
}

function bullets(lines: readonly string[]): string {
  return lines.map((line) => `  - ${line}`).join('\n');
}
