import { describeReplicationStatus, VaultError } from '../../../../client';
import { DiagnosticError } from '../../../../plugin';
import { inWords, type Refusal, type Step } from '../planner';
import type { Fleet } from './fleet';

/** The state of a set, for the person who has to continue from there. */
export class Account {
  /** The steps that were taken, in words. */
  readonly done: string[] = [];

  readonly #fleet: Fleet;
  readonly #members: readonly string[];

  constructor(fleet: Fleet, members: readonly string[]) {
    this.#fleet = fleet;
    this.#members = members;
  }

  add(step: Step): void {
    this.done.push(inWords(step));
  }

  /** A step that could not be taken, where others follow nevertheless. */
  addFailure(step: Step, { message }: Error): void {
    this.done.push(`NOT POSSIBLE: ${inWords(step)}. Reason: ${message}`);
  }

  /** A step that failed after it had changed something. */
  addPart(step: Step): void {
    const line = `BEGUN, not completed: ${inWords(step)}`;
    if (!this.done.includes(line)) this.done.push(line);
  }

  /** An error that ends an apply, with all that was reached before it. */
  async error(summary: string, detail: string, options: { path?: Refusal['path']; cause?: unknown } = {}) {
    const done = this.done.length === 0 ? 'Nothing was changed.' : `Changed so far:\n${bullets(this.done)}`;
    const now = await Promise.all(
      this.#members.map(async (name) => `${name}: ${await this.#statusOf(name)}`),
    );
    return new DiagnosticError(
      summary,
      `${detail}\n\n${done}\nClusters now:\n${bullets(now)}`,
      options.path ?? [],
      {
        cause: options.cause,
      },
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
