/**
 * The entry point of the provider: `start.ts` loads it on Node, and executables are compiled from
 * it.
 */
import { startProvider } from './start-provider';

/** Bun, the runtime of compiled executables. */
const { Bun: RUNTIME } = globalThis as {
  readonly Bun?: { readonly unsafe: { setJITPolicy(scale: number): void } };
};

/** Milliseconds after which a run counts as long: a plan of a few objects takes less. */
const SHORT_RUN_MS = 100;

startProvider();
// Executables start with little JIT compilation, because short runs do not gain from it. Long runs
// use more.
if (RUNTIME) setTimeout(() => RUNTIME.unsafe.setJITPolicy(1), SHORT_RUN_MS).unref();

// Without an export, the bundle would have it as a module of CommonJS, which takes longer to load.
export {};
