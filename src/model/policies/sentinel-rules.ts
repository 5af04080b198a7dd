import type { ObjectDefinition, Rule } from '../definition/field';
import type { Problem } from '../definition/rules';
import type { findNewerSentinel, findSentinelFault, SentinelFault } from '../sentinel';
import { sentinelOf } from '../sentinel/server-versions';
import { documentRule } from './common-rules';
import { SENTINEL_POLICY_FIELD } from './fields';
import { literal } from '../messages';

/** The server compiles a Sentinel document when it is written, and refuses what it cannot read. */
export const SENTINEL_PARSES: Rule = documentRule('policy-parses', (text) => problemOf('syntax', text));

/** A server takes a document that can never run, and then denies every request. */
export const SENTINEL_RUNS: Rule = {
  ...documentRule('policy-runs', (text) => problemOf('never-runs', text)),
  serverAccepts: true,
};

/**
 * A server knows the Sentinel of its time. Not a rule of the definition, which holds for all servers.
 *
 * @param serverVersion such as `1.16.2+ent`. What is not known to have a Sentinel knows all of it.
 */
export function sentinelKnownTo(serverVersion: string): Rule {
  const language = sentinelOf(serverVersion);
  return documentRule('sentinel-known-to-server', (text) => {
    const fault = language && loadSentinel().findNewerSentinel(text, language);
    return fault && problemIn(fault);
  });
}

/** Of an RGP or EGP, the text alone, with what a server knows of Sentinel as the only rule. */
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

function problemOf(kind: SentinelFault['kind'], text: string): Problem | undefined {
  const fault = loadSentinel().findSentinelFault(text);
  return fault?.kind === kind ? problemIn(fault) : undefined;
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

/** What reads Sentinel, loaded with the first document: most programs that load the model never see one. */
function loadSentinel(): Readers {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- a dynamic import would be asynchronous
  return require('../sentinel') as Readers;
}
