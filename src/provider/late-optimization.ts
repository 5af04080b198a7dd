import type { setFlagsFromString } from 'node:v8';

/** The bytes of bytecode that a function runs before V8 optimizes it: fifteen times the default. */
const INTERRUPT_BUDGET = 1_000_000;
/** The major versions of Node.js that are tested with this flag. Others may print an error about it. */
const KNOWN_NODES = ['20', '22', '24'];

/**
 * Makes V8 optimize functions later. A provider process runs for seconds, and ends before most optimizations pay off. Long loops
 * are still optimized.
 */
export function optimizeLate(): void {
  const [major = ''] = process.versions.node.split('.');
  if (!KNOWN_NODES.includes(major)) return;
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load it before the handshake
  const v8 = require('node:v8') as { setFlagsFromString: typeof setFlagsFromString };
  v8.setFlagsFromString(`--interrupt-budget=${INTERRUPT_BUDGET}`);
}
