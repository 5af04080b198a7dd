import { invalidRequest } from '../errors';
import { parseBoolean } from '../input/field-schemas';

/** The settings of an audit device, derived from its options. */
export interface DeviceSettings {
  /** `stdout`, `discard`, or a path; `discard` for types that the emulator does not write. */
  readonly target: string;
  /** The mode of the file; 0 keeps the present mode. */
  readonly mode: number;
  /** Whether values are not hashed. */
  readonly raw: boolean;
  /** Whether accessors are hashed, if `raw` is not set. */
  readonly hashesAccessors: boolean;
  /** Whether lists are replaced by the number of their entries. */
  readonly elidesLists: boolean;
  /** The text before every entry. */
  readonly prefix: string;
}

const DEFAULT_MODE = 0o600;
/** Types of devices that the emulator accepts but does not write. */
const SILENT_TYPES = ['syslog', 'socket'];
const WORDS = ['stdout', 'discard'];

/** @throws LogicalError 400 for a type that does not exist, and for options that are not valid. */
export function readSettings({
  type,
  options,
}: {
  readonly type: string;
  readonly options: Readonly<Record<string, string>>;
}): DeviceSettings {
  const target = targetOf(type, options);
  const { format = 'json' } = options;
  if (format !== 'json') {
    throw invalidRequest(`unknown format type "${format}": the emulator writes "json"`);
  }
  return {
    target,
    mode: modeOf(options),
    raw: flag(options, 'log_raw', false),
    hashesAccessors: flag(options, 'hmac_accessor', true),
    elidesLists: flag(options, 'elide_list_responses', false),
    prefix: options['prefix'] ?? '',
  };
}

function targetOf(type: string, options: Readonly<Record<string, string>>): string {
  if (SILENT_TYPES.includes(type)) return 'discard';
  if (type !== 'file') throw invalidRequest(`unknown backend type: "${type}"`);
  const path = options['file_path'] ?? options['path'];
  if (path === undefined || path === '') throw invalidRequest('file_path is required');
  const word = path.toLowerCase();
  return WORDS.includes(word) ? word : path;
}

function modeOf({ mode }: Readonly<Record<string, string>>): number {
  if (mode === undefined) return DEFAULT_MODE;
  if (!/^[0-7]+$/.test(mode)) {
    throw invalidRequest(`strconv.ParseUint: parsing ${JSON.stringify(mode)}: invalid syntax`);
  }
  return Number.parseInt(mode, 8);
}

function flag(options: Readonly<Record<string, string>>, name: string, byDefault: boolean): boolean {
  const text = options[name];
  if (text === undefined) return byDefault;
  const value = parseBoolean(text);
  if (value === undefined) {
    throw invalidRequest(`strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`);
  }
  return value;
}
