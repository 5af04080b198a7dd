import Ajv from 'ajv';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(__dirname, '..', '..', '..', 'docs', 'reference', 'schemas');

/** The name of the schema for `status --unmanaged`, which prints another JSON than `status`. */
const UNMANAGED = 'status-unmanaged';

/** Returns the commands that have a schema, such as `status` and `policy can`. */
export function describedCommands(): readonly string[] {
  const commands = readdirSync(FOLDER).map((file) => {
    const name = file.replace('.json', '').replace(/^policy-/, 'policy ');
    return name === UNMANAGED ? 'status' : name;
  });
  return [...new Set(commands)];
}

/**
 * Returns the faults of an output, according to the schema of its command. Unlike the published
 * schema, this refuses fields that the schema does not have.
 */
export function faultsOf(command: string, output: unknown): readonly string[] {
  const file = join(FOLDER, `${command.replace(' ', '-')}.json`);
  const schema = JSON.parse(readFileSync(file, 'utf8'), withoutOthers) as object;
  const ajv = new Ajv({ allErrors: true });
  const isValid = ajv.validate(schema, output);
  return isValid ? [] : ajv.errorsText(ajv.errors, { separator: '\n' }).split('\n');
}

/**
 * Forbids further fields in an object. The published schemas allow them, because later versions may
 * add fields.
 */
function withoutOthers(_name: string, value: unknown): unknown {
  const isClosed = typeof value === 'object' && value !== null && 'properties' in value && 'type' in value;
  return isClosed && !('additionalProperties' in value) ? { ...value, additionalProperties: false } : value;
}

/** @throws Error if the JSON that a command printed does not match its schema */
export function checkJson(args: readonly string[], stdout: string): void {
  if (!args.includes('--json')) return;
  const words = args.slice(0, args[0] === 'policy' ? 2 : 1).join(' ');
  const command = args.includes('--unmanaged') ? UNMANAGED : words;
  for (const line of stdout.split('\n').filter((each) => each.startsWith('{'))) {
    const faults = faultsOf(command, JSON.parse(line));
    if (faults.length > 0) throw new Error(`${command} --json: ${faults.join('; ')}\n${line}`);
  }
}
