/** The provider: what `start.ts` loads on Node, and what executables are compiled from. */
import { startProvider } from './start-provider';

/** The runtime of executables. */
const { Bun: RUNTIME } = globalThis as {
  readonly Bun?: { readonly unsafe: { setJITPolicy(scale: number): void } };
};

/** After it, all calls of a plan of a few objects have ended. */
const SHORT_RUN_MS = 100;

startProvider();
// Executables are built to compile less of the code at first: short runs do not get that time back.
if (RUNTIME) setTimeout(() => RUNTIME.unsafe.setJITPolicy(1), SHORT_RUN_MS).unref();
