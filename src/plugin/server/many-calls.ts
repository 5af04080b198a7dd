import type { setFlagsFromString } from 'node:v8';

/** A process of Terraform that gets so many calls gets thousands. */
const MANY = 50;
/** How much of a function runs before V8 optimizes it, in bytes of bytecode: fifteen times what it takes by itself. */
const INTERRUPT_BUDGET = 1_000_000;
/** Others may have no such setting, and would complain. */
const KNOWN_NODES = [20, 22, 24];

/**
 * Returns what is to be told of each call. From many calls on, V8 optimizes less: to optimize what a plan of 1,000 objects runs
 * takes a quarter of the plan's CPU time, and the process ends before it pays.
 */
export function callCounter(): () => void {
  let calls = 0;
  return () => {
    calls += 1;
    if (calls === MANY) optimizeLate();
  };
}

function optimizeLate(): void {
  if (!KNOWN_NODES.includes(Number.parseInt(process.versions.node))) return;
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- to load it takes milliseconds, of each start
  const v8 = require('node:v8') as { setFlagsFromString: typeof setFlagsFromString };
  v8.setFlagsFromString(`--interrupt-budget=${INTERRUPT_BUDGET}`);
}
