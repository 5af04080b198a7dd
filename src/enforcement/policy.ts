import type { EnforcementLevel } from '../model';
import { type File, type NamesRead, namesReadIn, parse, SentinelError } from '../sentinel';

/** A Sentinel policy as it is written on a server. */
export interface PolicySource {
  readonly kind: 'rgp' | 'egp';
  readonly name: string;
  /** The path of its namespace: empty for the root namespace, else with a trailing slash. */
  readonly namespace: string;
  readonly level: EnforcementLevel;
  /** Of an EGP: what it governs. A final `*` stands for any ending. */
  readonly paths?: readonly string[];
  readonly text: string;
}

/** A Sentinel policy, parsed once for all requests. */
export interface SentinelPolicy extends PolicySource {
  /** `root/NAME`, `teamA/NAME`: under this name it is told of. */
  readonly fullName: string;
  /** What is to be run; or why that cannot be. */
  readonly program: Program | SentinelError;
}

interface Program {
  readonly file: File;
  /** The names that the text reads. */
  readonly reads: NamesRead;
}

/** Parses a policy. One that does not parse is a policy that fails whenever it is asked. */
export function compilePolicy(source: PolicySource): SentinelPolicy {
  const fullName = `${source.namespace === '' ? 'root/' : source.namespace}${source.name}`;
  return { ...source, fullName, program: programOf(source.text, fullName) };
}

function programOf(text: string, fullName: string): Program | SentinelError {
  try {
    const file = parse(text, fullName);
    return { file, reads: namesReadIn(file) };
  } catch (error) {
    if (error instanceof SentinelError) return error;
    throw error;
  }
}
