import { dirname, resolve } from 'node:path';
import { isRecord, parseForeignJson } from '../../text';
import { tryParseDuration } from '../../model/durations';
import { readTextFile } from '../../policy/text-file';
import { UserError } from '../errors';
import { readNamed } from '../named-files';

type Fields = Readonly<Record<string, unknown>>;

/** The first settings of a cluster, as the user's file defines them. */
export interface Setup {
  /**
   * The number of seconds for which the license has to be valid. Absent: the license is not
   * checked.
   */
  readonly licenseFor?: number;
  /** Settings of Raft's autopilot. */
  readonly autopilot?: Fields;
  /** The texts of ACL policies by name. */
  readonly policies: ReadonlyMap<string, string>;
  readonly auth?: AuthSetup;
}

/** An auth method. */
export interface AuthSetup {
  readonly type: string;
  /** The path, without a slash at its end. */
  readonly path: string;
  /** The fields to write, by paths below that of the method: `config`, `role/plan`. */
  readonly write: Readonly<Record<string, Fields>>;
}

const MEMBERS = ['license', 'autopilot', 'policies', 'auth'];

/**
 * Reads a file with the first settings of a cluster. The files of its policies are beside it.
 *
 * @throws UserError if it cannot be read, or is not valid.
 */
export function readSetup(file: string): Setup {
  const refuse = (why: string) => new UserError(`--setup: ${file} ${why}`);
  const text = (path: string) => readNamed(`--setup: ${path}`, () => readTextFile(path));
  let content: unknown;
  try {
    content = parseForeignJson(text(file));
  } catch (error) {
    throw error instanceof UserError ? error : refuse(`is not JSON: ${(error as Error).message}`);
  }
  const members = fields(content, 'the file', MEMBERS, refuse);
  const { license, autopilot, policies = {}, auth } = members;
  const licensed = license === undefined ? undefined : fields(license, 'license', ['valid_for'], refuse);
  const licenseFor = licensed && tryParseDuration(licensed.valid_for);
  if (licensed !== undefined && licenseFor === undefined)
    throw refuse('has no duration such as "720h" in license.valid_for');
  const files = Object.entries(fields(policies, 'policies', undefined, refuse)).map(
    ([name, path]): [string, string] => {
      if (typeof path !== 'string') throw refuse(`has no file name in policies.${name}`);
      return [name, text(resolve(dirname(file), path))];
    },
  );
  return {
    ...(licenseFor !== undefined && { licenseFor }),
    ...(autopilot !== undefined && { autopilot: fields(autopilot, 'autopilot', undefined, refuse) }),
    policies: new Map(files),
    ...(auth !== undefined && {
      auth: authIn(fields(auth, 'auth', ['type', 'path', 'write'], refuse), refuse),
    }),
  };
}

function authIn({ type, path = type, write = {} }: Fields, refuse: (why: string) => Error): AuthSetup {
  if (typeof type !== 'string' || typeof path !== 'string')
    throw refuse('has no text in auth.type and auth.path');
  const written = Object.entries(fields(write, 'auth.write', undefined, refuse)).map(
    ([below, body]) => [below, fields(body, `auth.write["${below}"]`, undefined, refuse)] as const,
  );
  return { type, path: path.replace(/\/$/, ''), write: Object.fromEntries(written) };
}

/** Returns the members of an object of the file, and refuses members that are not allowed. */
function fields(
  value: unknown,
  where: string,
  allowed: readonly string[] | undefined,
  refuse: (why: string) => Error,
): Fields {
  if (!isRecord(value)) throw refuse(`has no object in ${where}`);
  const unknown = Object.keys(value).find((key) => allowed?.includes(key) === false);
  if (unknown !== undefined)
    throw refuse(`has the unknown member "${unknown}" in ${where}; allowed: ${allowed!.join(', ')}`);
  return value;
}
