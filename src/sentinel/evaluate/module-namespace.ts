import { Namespace } from '../imports/namespace';
import { copy } from '../values/host';
import { NativeFault, type Value } from '../values/value';
import { LazyRule } from './lazy-rule';
import type { Scope } from './scope';

/**
 * A module: a Sentinel text that runs when it is first read. Its members are copied on each read.
 */
export class ModuleNamespace extends Namespace {
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
    if (binding instanceof Namespace) return undefined;
    const value = binding instanceof LazyRule ? binding.value() : binding;
    return value === undefined ? undefined : copy(value);
  }

  override memberNames(): Iterable<string> {
    return this.run().ownNames();
  }
}
