import { SentinelError, type SentinelRuntimeError } from '../source/errors';
import type { SourceText, Span } from '../source/source-text';
import { NativeFault, Undefined, type Value } from '../values/value';
import type { Run } from './run';

/** The evaluation of one text, a policy or a module, within a run. */
export class TextRun {
  readonly run: Run;
  readonly source: SourceText;
  /** Whether the trace names the rules of this text. */
  readonly isTraced: boolean;
  /** The position of the function or operator that is being applied. */
  span: Span = { start: 0, end: 0 };

  constructor(source: SourceText, run: Run, isTraced: boolean) {
    this.source = source;
    this.run = run;
    this.isTraced = isTraced;
  }

  fail(span: Span, problem: string, hint?: string): SentinelRuntimeError {
    return this.run.fail(this.source, span, problem, hint);
  }

  /** Runs code that is not written in Sentinel, and adds the position to its errors. */
  native<T>(span: Span, run: () => T): T {
    try {
      return run();
    } catch (error) {
      if (error instanceof SentinelError || !(error instanceof NativeFault)) throw error;
      throw this.fail(span, error.message);
    }
  }

  /** Counts an operation of a size as steps. */
  work(size: number, span: Span): void {
    this.run.work(size, this.source, span);
  }

  allocate(size: number, span: Span): void {
    this.run.allocate(size, this.source, span);
  }

  /** Returns a hint about the origin of an undefined value. */
  origin(value: Value): string | undefined {
    if (!(value instanceof Undefined) || value.place === undefined) return undefined;
    return `the value became undefined at ${value.place}`;
  }
}
