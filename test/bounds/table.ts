import { ACL_BOUNDS } from './acl';
import { ACL_TEXT_BOUNDS } from './acl-texts';
import { COMMAND_LINE_BOUNDS } from './command-line';
import { EMULATOR_BOUNDS } from './emulator';
import { LANGUAGE_SERVER_BOUNDS } from './language-server';
import { MODEL_BOUNDS } from './model';
import type { Bound } from './rows';
import { SENTINEL_BOUNDS } from './sentinel';
import { STREAM_BOUNDS } from './streams';
import { TEXT_BOUNDS } from './texts';
import { WIRE_BOUNDS } from './wire';

/** The rows of all functions. Each part of the project lists its rows in a file of its own. */
export const ROWS: readonly Bound[] = [
  ...ACL_BOUNDS,
  ...ACL_TEXT_BOUNDS,
  ...SENTINEL_BOUNDS,
  ...TEXT_BOUNDS,
  ...MODEL_BOUNDS,
  ...COMMAND_LINE_BOUNDS,
  ...LANGUAGE_SERVER_BOUNDS,
  ...WIRE_BOUNDS,
  ...EMULATOR_BOUNDS,
  ...STREAM_BOUNDS,
];
