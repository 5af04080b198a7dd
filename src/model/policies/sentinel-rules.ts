import { AclPolicyError } from '../acl';
import type { ObjectDefinition, Rule } from '../definition/field';
import type { Problem } from '../definition/rules';
import type { findNewerSentinel, findSentinelFault, SentinelFault } from '../sentinel';
import { sentinelOf } from '../sentinel/server-versions';
import { documentRule } from './common-rules';
import { SENTINEL_POLICY_FIELD } from './fields';
import { parsedPolicy } from './parsed-policy';
import { literal } from '../messages';

/**
 * The rule that a Sentinel document can be compiled: the server compiles it when it is written, and
 * refuses it otherwise.
 */
export const SENTINEL_PARSES: Rule = documentRule('policy-parses', (text) => problemOf('syntax', text));

/**
 * The rule that a Sentinel document can run. A server accepts a document that can never run, but
 * then denies every request.
 */
export const SENTINEL_RUNS: Rule = {
  ...documentRule('policy-runs', (text) => problemOf('never-runs', text)),
  serverAccepts: true,
};

/**
 * Returns the rule that a document uses only the Sentinel of a server's version. It is not part of
 * the definition, because the definition's rules apply to all servers.
 *
 * @param serverVersion such as `1.16.2+ent`. A version whose Sentinel is not known accepts every
 * document.
 */
export function sentinelKnownTo(serverVersion: string): Rule {
  const language = sentinelOf(serverVersion);
  return documentRule('sentinel-known-to-server', (text) => {
    const fault = language && loadSentinel().findNewerSentinel(text, language);
    return fault && problemIn(fault);
  });
}

/**
 * Returns a definition of an RGP or EGP with only its text, and only the rule about the server's
 * Sentinel.
 */
export function textForServer<D extends ObjectDefinition>(
  definition: D,
  serverVersion: string,
): Omit<D, 'fields' | 'rules'> & Pick<ObjectDefinition, 'fields' | 'rules'> {
  return {
    ...definition,
    fields: { policy: SENTINEL_POLICY_FIELD },
    rules: [sentinelKnownTo(serverVersion)],
  };
}

const PROBLEMS: Readonly<Record<SentinelFault['kind'], string>> = {
  syntax: 'cannot be parsed',
  'never-runs': 'can never run',
  'too-new': 'is too new for the server',
};

const LONGEST_LINE = 80;
const CURE =
  'correct it or, if your server supports more of Sentinel, add the line "# vault-admin: unchecked"';

/** Matches a text that is the path of a file with a policy. */
const FILE_NAME = /^[^\s"{}=]+\.sentinel$/;

function problemOf(kind: SentinelFault['kind'], text: string): Problem | undefined {
  if (FILE_NAME.test(text)) return kind === 'syntax' ? nameOfFile(text) : undefined;
  const fault = loadSentinel().findSentinelFault(text);
  if (fault?.kind !== kind) return undefined;
  return kind === 'syntax' && isAclPolicy(text) ? OF_ACL : problemIn(fault);
}

function nameOfFile(text: string): Problem {
  return {
    problem: 'is the name of a file, not a Sentinel policy',
    received: literal(text),
    cure: 'give the text that the file contains',
  };
}

/** The problem of an ACL policy's text in an RGP or EGP. */
const OF_ACL: Problem = {
  problem: 'is an ACL policy, not a Sentinel policy',
  cure: 'declare it with the resource of an ACL policy',
};

function isAclPolicy(text: string): boolean {
  const policy = parsedPolicy(text);
  return !(policy instanceof AclPolicyError) && policy.rules.length > 0;
}

/** Whether a text is a Sentinel policy that can run. */
export function isSentinel(text: string): boolean {
  return /\bmain\b/.test(text) && loadSentinel().findSentinelFault(text) === undefined;
}

function problemIn(fault: SentinelFault): Problem {
  const { kind, severity, problem, received, cure, position } = fault;
  const line = received.length > LONGEST_LINE ? `${received.slice(0, LONGEST_LINE)}…` : received;
  return {
    severity,
    problem: `${PROBLEMS[kind]}: ${problem}`,
    received: literal(line),
    position,
    cure: cure ?? CURE,
  };
}

interface Readers {
  readonly findSentinelFault: typeof findSentinelFault;
  readonly findNewerSentinel: typeof findNewerSentinel;
}

/**
 * Loads the Sentinel parser with the first document, because most programs that load the model
 * never need it.
 */
function loadSentinel(): Readers {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- a dynamic import would be asynchronous
  return require('../sentinel') as Readers;
}
