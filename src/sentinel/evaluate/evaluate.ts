import type { File, Import, Expression, Statement } from '../ast/nodes';
import { SentinelCheckError, SentinelError, SentinelRuntimeError } from '../source/errors';
import { importName, staticFaults } from './static-faults';
import type { HttpSender } from '../imports/http';
import { DataNamespace, StandardNamespace, ImportNamespace } from '../imports/import-namespace';
import { STANDARD_IMPORT_NAMES } from '../imports/names';
import { standardImport, type ImportContext } from '../imports/standard';
import { newerFeatures, type LanguageVersion } from '../language/features';
import { nearWord } from '../source/near-words';
import type { SourceText, Span } from '../source/source-text';
import { copy } from '../values/host';
import { MapValue, NativeFault, typeName, Undefined, type Value } from '../values/value';
import { withinWalks } from '../values/walks';
import { UNIVERSE } from './builtins';
import { withDefaults, type RunLimits } from './limits';
import { Run } from './run';
import { LazyRule, Scope } from './scope';
import { FunctionCalls } from './calls';
import { Expressions } from './expressions';
import { Statements } from './statements';
import { TextRun } from './text-run';

/** The source of an import that is replaced or added. */
export type ImportSource =
  { readonly kind: 'data'; readonly data: Value } | { readonly kind: 'module'; readonly file: File };

export interface EvaluateOptions {
  /**
   * The names that the policy has without an import: `request`, `token`. The policy may change
   * their values.
   */
  readonly globals?: ReadonlyMap<string, Value>;
  readonly params?: ReadonlyMap<string, Value>;
  /** The mocks, modules and static data by import. */
  readonly imports?: ReadonlyMap<string, ImportSource> | undefined;
  /** The standard imports that cannot be used. */
  readonly refusedImports?: ReadonlySet<string> | undefined;
  /** The time in nanoseconds since 1970. Default: the time of the call. */
  readonly now?: bigint;
  /** The time zone of `time.now`, such as `Europe/Berlin`. Default: UTC. */
  readonly timeZone?: string;
  readonly limits?: Partial<RunLimits> | undefined;
  /**
   * The language features that the host supports. A text that uses others does not run. Default:
   * all.
   */
  readonly language?: LanguageVersion | undefined;
  /** Sends the requests of the import `http`. Default: they are refused. */
  readonly send?: HttpSender | undefined;
}

/** A rule that was evaluated. */
export interface TracedRule {
  readonly name: string;
  readonly source: SourceText;
  /** The position of the rule's assignment. */
  readonly span: Span;
  readonly value: Value;
}

/** The result of a run. */
export class Outcome {
  readonly file: File;
  readonly passed: boolean;
  /** The value of `main`; `undefined` if an error stopped the policy first. */
  readonly main: Value | undefined;
  /** The error that stopped the policy. */
  readonly error: SentinelError | undefined;
  readonly printed: readonly string[];
  readonly #evaluated: readonly LazyRule[];

  constructor(file: File, run: Run, main: Value | undefined, error?: SentinelError, passed = false) {
    this.file = file;
    this.passed = passed;
    this.main = main;
    this.error = error;
    this.printed = run.printed;
    this.#evaluated = run.evaluated;
  }

  /**
   * The rules of the policy that were read and not skipped. Of several rules with the same name,
   * only the last one is returned.
   */
  get rules(): readonly TracedRule[] {
    const { source } = this.file;
    const byName = new Map(this.#evaluated.map((rule) => [rule.name, rule]));
    return [...byName.values()].map((rule) => ({
      name: rule.name,
      source,
      span: rule.span,
      value: rule.value(),
    }));
  }
}

/** Runs a policy. Its errors are part of the outcome. */
export function evaluate(file: File, options: EvaluateOptions = {}): Outcome {
  const limits = withDefaults(options.limits);
  const run = new Run(limits, options.now ?? BigInt(Date.now()) * 1_000_000n);
  const fault = faultOf(file) ?? tooNew(file, options.language);
  if (fault) return new Outcome(file, run, undefined, fault);
  try {
    return withinWalks(limits.steps, limits.milliseconds, () =>
      judge(run, file, new PolicyRun(run, file, options).main()),
    );
  } catch (error) {
    if (error instanceof SentinelError) return new Outcome(file, run, undefined, error);
    if (error instanceof NativeFault)
      return new Outcome(file, run, undefined, run.fail(file.source, { start: 0, end: 0 }, error.message));
    if (!(error instanceof RangeError)) throw error;
    return new Outcome(file, run, undefined, run.exhausted(file.source, error));
  }
}

const FAULTS = new WeakMap<File, SentinelError | 'none'>();

/**
 * Returns why a text can never run. The result is cached: hosts run the same text for every
 * request.
 */
function faultOf(file: File): SentinelError | undefined {
  let fault = FAULTS.get(file);
  if (fault === undefined) FAULTS.set(file, (fault = staticFaults(file)[0] ?? 'none'));
  return fault === 'none' ? undefined : fault;
}

/** Returns an error if a text uses features that its host does not have. */
function tooNew(file: File, language: LanguageVersion | undefined): SentinelError | undefined {
  const newer = language && newerFeatures(file, language).find(({ severity }) => severity === 'error');
  return newer && new SentinelCheckError(newer.source, newer.span, newer.problem);
}

/** The built-in names. They cannot be assigned to, so all texts share this scope. */
const UNIVERSE_SCOPE = new Scope(undefined, true);
for (const [name, value] of Object.entries(UNIVERSE)) UNIVERSE_SCOPE.declare(name, value);

/** Decides on the value of `main`. Empty and zero values pass as well as true. */
function judge(run: Run, file: File, main: Value): Outcome {
  if (main instanceof Undefined) return new Outcome(file, run, main);
  switch (typeof main) {
    case 'boolean':
      return new Outcome(file, run, main, undefined, main);
    case 'bigint':
    case 'number':
      return new Outcome(file, run, main, undefined, Number(main) === 0);
    case 'string':
      return new Outcome(file, run, main, undefined, main === '');
    default:
      break;
  }
  if (Array.isArray(main)) return new Outcome(file, run, main, undefined, main.length === 0);
  if (main instanceof MapValue) return new Outcome(file, run, main, undefined, main.size === 0);
  const problem = `"main" must be a boolean, a number, a string, a list or a map, got ${typeName(main)}`;
  return new Outcome(file, run, main, new SentinelRuntimeError(file.source, spanOfMain(file), problem));
}

/** Returns the position of the last assignment to `main`. */
function spanOfMain({ statements }: File): Span {
  const assigned = statements.findLast(
    (each) => each.kind === 'assignment' && each.target.kind === 'identifier' && each.target.name === 'main',
  );
  return assigned ?? { start: 0, end: 0 };
}

class PolicyRun {
  readonly #run: Run;
  readonly #file: File;
  readonly #options: EvaluateOptions;
  readonly #globals: Scope;
  readonly #namespaces = new Map<string, ImportNamespace>();
  readonly #context: ImportContext;

  constructor(run: Run, file: File, options: EvaluateOptions) {
    this.#run = run;
    this.#file = file;
    this.#options = options;
    const { send } = options;
    this.#context = {
      now: run.now,
      timeZone: options.timeZone,
      send:
        send &&
        ((request) => {
          const response = send(request);
          run.lookAtClock(file.source);
          return response;
        }),
      language: options.language,
    };
    this.#globals = new Scope(UNIVERSE_SCOPE);
    for (const [name, value] of options.globals ?? []) this.#globals.declare(name, value);
  }

  /** Runs the statements, then reads `main`. */
  main(): Value {
    const scope = this.#start(this.#file, true);
    const main = scope.own('main');
    const { source } = this.#file;
    if (main instanceof LazyRule) return main.value();
    if (main === undefined) {
      const near = nearWord('main', scope.ownNames());
      const hint =
        near === undefined ? 'add: main = rule { … }' : `did you mean "main" instead of "${near}"?`;
      throw new SentinelRuntimeError(source, { start: 0, end: 0 }, 'the policy has no "main"', hint);
    }
    if (typeof main === 'object' && main !== null && 'memberNames' in main) {
      throw new SentinelRuntimeError(source, { start: 0, end: 0 }, '"main" is an import');
    }
    return main;
  }

  #start(file: File, isPolicy: boolean): Scope {
    const imports = new Scope(this.#globals, true);
    for (const each of file.imports) imports.declare(importName(each), this.#namespace(each, file));
    const scope = new Scope(imports);
    if (isPolicy) this.#declareParams(scope);
    new Evaluator(file, this.#run, isPolicy).execute(file.statements, scope);
    return scope;
  }

  #declareParams(scope: Scope): void {
    for (const { name, value } of this.#file.params) {
      const supplied = this.#options.params?.get(name.name);
      if (supplied !== undefined) {
        scope.declare(name.name, copy(supplied));
        continue;
      }
      if (!value) {
        throw new SentinelRuntimeError(this.#file.source, name, `requires value for parameter ${name.name}`);
      }
      scope.declare(name.name, new Evaluator(this.#file, this.#run, false).evaluate(value, this.#globals));
    }
  }

  #namespace(each: Import, file: File): ImportNamespace {
    const { path } = each;
    const namespace = this.#namespaces.get(path) ?? this.#open(each, file);
    this.#namespaces.set(path, namespace);
    if (namespace instanceof ModuleNamespace) this.#runModule(namespace, each, file);
    return namespace;
  }

  #runModule(namespace: ModuleNamespace, { pathSpan }: Import, { source }: File): void {
    try {
      namespace.run();
    } catch (error) {
      if (!(error instanceof NativeFault)) throw error;
      throw new SentinelRuntimeError(source, pathSpan, error.message);
    }
  }

  #open(each: Import, file: File): ImportNamespace {
    const { path, pathSpan } = each;
    const source = this.#options.imports?.get(path);
    if (source) return this.#given(path, source);
    const within = this.#dataWithin(each, file);
    if (within) return within;
    const refused = this.#options.refusedImports?.has(path) ?? false;
    const members = refused ? undefined : standardImport(path, this.#context);
    if (members) return new StandardNamespace(path, members);
    if (refused) throw new SentinelRuntimeError(file.source, pathSpan, `the import "${path}" is not enabled`);
    const near = nearWord(path, [...STANDARD_IMPORT_NAMES, ...(this.#options.imports?.keys() ?? [])]);
    const hint =
      near === undefined ? 'give it to the test as a mock, or configure it' : `did you mean "${near}"?`;
    throw new SentinelRuntimeError(file.source, pathSpan, `the import "${path}" was not found`, hint);
  }

  #given(path: string, source: ImportSource): ImportNamespace {
    if (source.kind === 'data') return new DataNamespace(path, source.data);
    const { file } = source;
    return new ModuleNamespace(path, () => {
      const fault = faultOf(file) ?? tooNew(file, this.#options.language);
      if (fault) throw fault;
      const [param] = file.params;
      if (param) throw new SentinelRuntimeError(file.source, param, 'a module cannot have parameters');
      return this.#start(file, false);
    });
  }

  /** Resolves `import "data/key"`: every step of the path must be a map. */
  #dataWithin({ path, pathSpan }: Import, file: File): ImportNamespace | undefined {
    if (!path.includes('/')) return undefined;
    const steps = path.split('/');
    for (let length = steps.length - 1; length > 0; length--) {
      const source = this.#options.imports?.get(steps.slice(0, length).join('/'));
      if (source?.kind !== 'data') continue;
      let data: Value | undefined = source.data;
      for (const step of steps.slice(length)) data = data instanceof MapValue ? data.get(step) : undefined;
      if (data !== undefined) return new DataNamespace(path, data);
      const problem = `the import "${path}" was not found: the data of "${steps.slice(0, length).join('/')}" has no such map`;
      throw new SentinelRuntimeError(file.source, pathSpan, problem);
    }
    return undefined;
  }
}

/*
 * A nested call in a policy takes several nested calls of JavaScript, whose depth the stack limits.
 * So the code in this folder evaluates a call with as few calls as possible.
 */

/** Evaluates one text: a policy or a module. */
class Evaluator {
  readonly #expressions: Expressions;
  readonly #statements: Statements;

  constructor(file: File, run: Run, isTraced: boolean) {
    const text = new TextRun(file.source, run, isTraced);
    const calls = new FunctionCalls(text);
    this.#expressions = new Expressions(text, calls, () => this.#statements);
    this.#statements = new Statements(text, calls, this.#expressions);
  }

  /** Runs the statements of the file. */
  execute(statements: readonly Statement[], scope: Scope): void {
    this.#statements.execute(statements, scope);
  }

  evaluate(expression: Expression, scope: Scope): Value {
    return this.#expressions.evaluate(expression, scope);
  }
}

/**
 * A module: a Sentinel text that runs when it is first read. Its members are copied on each read.
 */
class ModuleNamespace extends ImportNamespace {
  readonly #start: () => Scope;
  #scope: Scope | undefined;
  #isStarting = false;

  constructor(name: string, start: () => Scope) {
    super(name);
    this.#start = start;
  }

  /** Runs the module, if it has not run yet. */
  run(): Scope {
    if (this.#scope) return this.#scope;
    if (this.#isStarting) throw new NativeFault(`the module "${this.name}" imports itself`);
    this.#isStarting = true;
    this.#scope = this.#start();
    return this.#scope;
  }

  override member(name: string): Value | undefined {
    const binding = this.run().own(name);
    if (binding instanceof ImportNamespace) return undefined;
    const value = binding instanceof LazyRule ? binding.value() : binding;
    return value === undefined ? undefined : copy(value);
  }

  override memberNames(): Iterable<string> {
    return this.run().ownNames();
  }
}
