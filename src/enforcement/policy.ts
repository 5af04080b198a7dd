import type { EnforcementLevel } from '../model';
import { type File, type NamesRead, namesReadIn, parse, SentinelError } from '../sentinel';

/** A Sentinel policy as a server stores it. */
export interface PolicySource {
  readonly kind: 'rgp' | 'egp';
  readonly name: string;
  /** The path of its namespace: empty for the root namespace, else with a trailing slash. */
  readonly namespace: string;
  readonly level: EnforcementLevel;
  /** The paths to which an EGP applies. A final `*` matches any ending. */
  readonly paths?: readonly string[];
  readonly text: string;
}

/** A Sentinel policy, parsed once for all requests. */
export interface SentinelPolicy extends PolicySource {
  /** The name in messages: `root/NAME`, `teamA/NAME`. */
  readonly fullName: string;
  /** The parsed text, or the error if it does not parse. */
  readonly program: Program | SentinelError;
}

interface Program {
  readonly file: File;
  /** The names that the text reads. */
  readonly reads: NamesRead;
}

/** Parses a policy. A policy that cannot be parsed fails for every request. */
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
