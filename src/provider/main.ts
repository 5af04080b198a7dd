/**
 * The entry point of the provider: `start.ts` loads it on Node, and executables are compiled from
 * it.
 */
import { startProvider } from './start-provider';

/** The runtime in executables. */
const { Bun: RUNTIME } = globalThis as {
  readonly Bun?: { readonly unsafe: { setJITPolicy(scale: number): void } };
};

/** Milliseconds within which a plan of a few objects ends. */
const SHORT_RUN_MS = 100;

startProvider();
// Executables are built to compile less of the code at first. Short runs would not gain from more.
if (RUNTIME) setTimeout(() => RUNTIME.unsafe.setJITPolicy(1), SHORT_RUN_MS).unref();

// Without an export, the bundle would have it as a module of CommonJS, which takes longer to load.
export {};
