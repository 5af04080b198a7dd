import { Buffer } from 'node:buffer';

/**
 * Variables by which the runtime runs foreign code, becomes another program, opens a debugger, or
 * reads and writes files of its own. In the runtime of the executables, their names begin with a
 * zero byte, which no name of a variable contains. A `=` in the name would not suffice: on Linux,
 * `getenv` would take the name `BUN=OPTIONS` for the variable `BUN` with a value that begins with
 * `OPTIONS`; on macOS, it ignores the `=` and what follows.
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

/** The searched texts. A search for each name would take ten times as long. */
const BEGINNINGS = ['BUN_', 'NODE_COMPILE_'];
const LONGEST = Math.max(...VARIABLES.map(({ length }) => length));

/**
 * Variables by which the runtime would run foreign code: the build fails if a runtime does not
 * contain their names.
 */
const NEEDED = ['BUN_BE_BUN', 'BUN_INSPECT_PRELOAD', 'BUN_OPTIONS'];

/**
 * An option of the engine, for a variable that begins with `BUN_JSC_`. It names a file with other
 * code for functions of the program. In the runtime of the executables, its name begins with a `=`:
 * the runtime refuses to start with an option that it does not know.
 */
const OPTION = 'functionOverrides';

/**
 * Returns a runtime that ignores the variables and does not know the option. The names in the
 * JavaScript of the runtime stay.
 *
 * @throws Error if a variable or the option is not found.
 */
export function withoutVariables(runtime) {
  const changed = Buffer.from(runtime);
  const found = new Set();
  for (const place of BEGINNINGS.flatMap((beginning) => placesOf(runtime, beginning))) {
    const text = runtime.toString('latin1', place, place + LONGEST);
    for (const name of VARIABLES.filter((each) => text.startsWith(each))) {
      found.add(name);
      changed[place] = 0;
    }
  }
  const missing = NEEDED.find((name) => !found.has(name));
  if (missing) throw new Error(`the runtime does not name ${missing}`);
  // The name of the option in its table ends with a zero byte.
  const options = placesOf(runtime, `${OPTION}\0`);
  if (options.length === 0) throw new Error(`the runtime does not name the option ${OPTION}`);
  for (const place of options) changed[place] = '='.charCodeAt(0);
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
