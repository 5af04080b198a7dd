import { Buffer } from 'node:buffer';

/**
 * Variables by which the runtime runs foreign code, becomes another program, opens a debugger, or
 * reads and writes files of its own. In the runtime of the executables, their names have a `=`
 * instead of the first `_`. No variable has such a name, on any system.
 */
const VARIABLES = [
  'BUN_BE_BUN',
  'BUN_BYTECODE_DIGEST_OUT',
  'BUN_BYTECODE_ORDER_NAMES_OUT',
  'BUN_BYTECODE_ORDER_OUT',
  'BUN_INSPECT',
  'BUN_INSPECT_CONNECT_TO',
  'BUN_INSPECT_PRELOAD',
  'BUN_OPTIONS',
  'BUN_RUNTIME_TRANSPILER_CACHE_PATH',
  'NODE_COMPILE_CACHE',
];

/**
 * Variables by which it would run foreign code: the build fails if a runtime does not name them.
 */
const NEEDED = ['BUN_BE_BUN', 'BUN_INSPECT_PRELOAD', 'BUN_OPTIONS'];

/**
 * Returns a runtime that ignores the variables. Names in its JavaScript stay.
 *
 * @throws Error if a variable is not found.
 */
export function withoutVariables(runtime) {
  const changed = Buffer.from(runtime);
  for (const name of VARIABLES) {
    const found = placesOf(runtime, name);
    if (found.length === 0 && NEEDED.includes(name)) throw new Error(`the runtime does not name ${name}`);
    for (const place of found) changed[place + name.indexOf('_')] = '='.charCodeAt(0);
  }
  return changed;
}

function placesOf(runtime, name) {
  const places = [];
  for (let at = runtime.indexOf(name); at >= 0; at = runtime.indexOf(name, at + 1)) {
    const before = String.fromCharCode(runtime[at - 1]);
    if (!/[."'` $(]/.test(before)) places.push(at);
  }
  return places;
}
