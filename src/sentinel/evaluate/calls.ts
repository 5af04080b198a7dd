import type { FunctionLiteral, Statement } from '../ast/nodes';
import type { Span } from '../source/source-text';
import { nativeCountProblem, parameterCountProblem } from '../values/argument-count';
import {
  Closure,
  NativeFunction,
  orUndefined,
  Undefined,
  type Callable,
  type RunContext,
  type Value,
} from '../values/value';
import { lookAt, takeTime } from '../values/walks';
import { Scope } from './scope';
import type { TextRun } from './text-run';

/** The way a statement ends; `undefined` if the next statement follows. */
export type Completion = 'break' | 'continue' | { readonly returned: Value } | undefined;

/** Runs the statements of one text. */
export interface Executor {
  execute(statements: readonly Statement[], scope: Scope): Completion;
}

/** A function that is written in Sentinel, with the scope that it was written in. */
export class ScriptFunction extends Closure {
  readonly literal: FunctionLiteral;
  readonly scope: Scope;
  readonly executor: Executor;

  constructor(literal: FunctionLiteral, scope: Scope, executor: Executor) {
    super();
    this.literal = literal;
    this.scope = scope;
    this.executor = executor;
  }

  override get parameterCount(): number {
    return this.literal.parameters.length;
  }
}

/** Calls functions for one text. */
export class FunctionCalls {
  readonly #text: TextRun;
  /** The parts of the run for built-in functions and imports. */
  readonly caller: RunContext;

  constructor(text: TextRun) {
    this.#text = text;
    this.caller = {
      allocate: (size) => {
        takeTime(size);
        text.allocate(size, text.span);
      },
      call: (callee, args, lenient) => this.callWith(callee, args, text.span, lenient),
      print: (printed) => text.run.print(printed, text.source, text.span),
      now: text.run.now,
    };
  }

  /**
   * Calls a function.
   *
   * @param lenient whether arguments beyond the function's parameters are dropped.
   */
  callWith(callee: Callable, args: readonly Value[], span: Span, lenient = false): Value {
    if (callee instanceof NativeFunction) return this.#native(callee, args, span);
    if (!(callee instanceof ScriptFunction)) throw this.#text.fail(span, 'the function cannot be called');
    const { run, source } = this.#text;
    const { parameters } = callee.literal;
    if (args.length < parameters.length || (args.length > parameters.length && !lenient)) {
      throw this.#text.fail(span, parameterCountProblem(parameters.length, args.length));
    }
    run.enterCall(source, span);
    const scope = new Scope(callee.scope);
    for (let index = 0; index < parameters.length; index++) {
      scope.declare(parameters[index]?.name ?? '', orUndefined(args[index]));
    }
    const completion = callee.executor.execute(callee.literal.body.statements, scope);
    run.leaveCall();
    return typeof completion === 'object' ? completion.returned : new Undefined(source, span);
  }

  #native(callee: NativeFunction, args: readonly Value[], span: Span): Value {
    const wrongCount = nativeCountProblem(callee, args.length);
    if (wrongCount !== undefined) throw this.#text.fail(span, wrongCount);
    const before = this.#text.span;
    this.#text.span = span;
    const value = this.#text.native(span, () => {
      for (const argument of args) if (typeof argument === 'string') lookAt(argument.length);
      return callee.run(args, this.caller);
    });
    this.#text.span = before;
    return value;
  }
}
