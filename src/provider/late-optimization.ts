import type { setFlagsFromString } from 'node:v8';

/** How much of a function runs before V8 optimizes it, in bytes of bytecode: fifteen times what it takes by itself. */
const INTERRUPT_BUDGET = 1_000_000;
/** Others may not have this setting, and would complain. */
const KNOWN_NODES = ['20', '22', '24'];

/**
 * Lets V8 optimize less: a process of Terraform runs for seconds at most, and ends before most of what V8 optimized has paid.
 * Loops with much to do are optimized all the same.
 */
export function optimizeLate(): void {
  const [major = ''] = process.versions.node.split('.');
  if (!KNOWN_NODES.includes(major)) return;
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would be read before the handshake
  const v8 = require('node:v8') as { setFlagsFromString: typeof setFlagsFromString };
  v8.setFlagsFromString(`--interrupt-budget=${INTERRUPT_BUDGET}`);
}
