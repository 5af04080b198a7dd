import { SentinelLimitError, SentinelRuntimeError } from '../source/errors';
import type { SourceText, Span } from '../source/source-text';
import { deadlineAfter, overtime } from '../values/walks';
import { DEEPEST_EVALUATION, STEPS_BETWEEN_LOOKS, type RunLimits } from './limits';
import type { LazyRule } from './scope';

/** The state of one run: limits, output, and evaluated rules. */
export class Run {
  readonly now: bigint;
  readonly printed: string[] = [];
  /** The evaluated rules of the policy: those that were read and not skipped. */
  readonly evaluated: LazyRule[] = [];
  readonly #limits: RunLimits;
  readonly #deadline: number;
  #steps = 0;
  /** The number of steps after which the limits are checked. */
  #nextLook: number;
  #memory = 0;
  #calls = 0;
  #depth = 0;
  #source: SourceText | undefined;
  #span: Span = { start: 0, end: 0 };

  constructor(limits: RunLimits, now: bigint) {
    this.#limits = limits;
    this.#deadline = deadlineAfter(limits.milliseconds);
    this.#nextLook = this.#lookAfter(0);
    this.now = now;
  }

  step(source: SourceText, span: Span): void {
    if (++this.#steps > this.#nextLook) this.#look(source, span);
  }

  #look(source: SourceText, span: Span): void {
    const { steps } = this.#limits;
    if (this.#steps > steps) {
      const problem = `the policy was stopped after ${steps} steps`;
      throw new SentinelLimitError(source, span, problem, 'it may never end');
    }
    this.#refuseLate(source, span);
    this.#nextLook = this.#lookAfter(this.#steps);
  }

  #lookAfter(step: number): number {
    const { steps, milliseconds } = this.#limits;
    return milliseconds === Infinity ? steps : Math.min(steps, step + STEPS_BETWEEN_LOOKS);
  }

  /** @throws SentinelLimitError if the run takes too long. */
  lookAtClock(file: SourceText): void {
    this.#refuseLate(this.#source ?? file, this.#span);
  }

  #refuseLate(source: SourceText, span: Span): void {
    if (performance.now() < this.#deadline) return;
    throw new SentinelLimitError(source, span, overtime(this.#limits.milliseconds));
  }

  /** Counts the reading of characters or elements: sixty-four of them are one step. */
  work(size: number, source: SourceText, span: Span): void {
    this.#steps += size >> 6;
    this.step(source, span);
  }

  allocate(size: number, source: SourceText, span: Span): void {
    this.#memory += size;
    this.#steps += size >> 6;
    if (this.#memory <= this.#limits.memory) return;
    const problem = `the policy was stopped: it made strings, lists and maps of more than ${this.#limits.memory} characters and elements`;
    throw new SentinelLimitError(source, span, problem);
  }

  enterCall(source: SourceText, span: Span): void {
    if (++this.#calls <= this.#limits.calls) return;
    const problem = `functions call each other more than ${this.#limits.calls} levels deep`;
    throw new SentinelLimitError(source, span, problem, 'the calls may never end');
  }

  leaveCall(): void {
    this.#calls--;
  }

  enter(source: SourceText, span: Span): void {
    this.#source = source;
    this.#span = span;
    if (++this.#depth <= DEEPEST_EVALUATION) return;
    throw new SentinelLimitError(source, span, 'expressions, rules and calls are nested too deeply');
  }

  leave(): void {
    this.#depth--;
  }

  print(text: string, source: SourceText, span: Span): void {
    this.allocate(text.length, source, span);
    this.printed.push(text);
  }

  /**
   * Returns the error for an exhausted stack, or for a string or list that is longer than
   * JavaScript allows.
   */
  exhausted(file: SourceText, { message }: RangeError): SentinelLimitError {
    const problem = /length/.test(message)
      ? 'the policy was stopped: a string or list is too long'
      : 'expressions, rules and calls are nested too deeply';
    return new SentinelLimitError(this.#source ?? file, this.#span, problem);
  }

  fail(source: SourceText, span: Span, problem: string, hint?: string): SentinelRuntimeError {
    return new SentinelRuntimeError(source, span, problem, hint);
  }
}
