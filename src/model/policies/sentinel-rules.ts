import type { Rule } from '../definition/field';
import type { Problem } from '../definition/rules';
import type { findSentinelFault, SentinelFault } from '../sentinel';
import { documentRule } from './document-rules';

/** The server compiles a Sentinel document when it is written, and refuses what it cannot read. */
export const SENTINEL_PARSES: Rule = documentRule('policy-parses', (text) => problemOf('syntax', text));

/** A server takes a document that can never run, and then denies every request. */
export const SENTINEL_RUNS: Rule = {
  ...documentRule('policy-runs', (text) => problemOf('never-runs', text)),
  serverAccepts: true,
};

const PROBLEMS: Readonly<Record<SentinelFault['kind'], string>> = {
  syntax: 'cannot be parsed',
  'never-runs': 'can never run',
};

const LONGEST_LINE = 80;
const CURE =
  'correct it or, if your server supports more of Sentinel, add the line "# vault-admin: unchecked"';

function problemOf(kind: SentinelFault['kind'], text: string): Problem | undefined {
  const fault = loadSentinel().findSentinelFault(text);
  if (fault?.kind !== kind) return undefined;
  const { severity, problem, received, cure, position } = fault;
  const line = received.length > LONGEST_LINE ? `${received.slice(0, LONGEST_LINE)}…` : received;
  return {
    severity,
    problem: `${PROBLEMS[kind]}: ${problem}`,
    received: JSON.stringify(line),
    position,
    cure: cure ?? CURE,
  };
}

/** What reads Sentinel, loaded with the first document: most programs that load the model never see one. */
function loadSentinel(): { readonly findSentinelFault: typeof findSentinelFault } {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- a dynamic import would be asynchronous
  return require('../sentinel') as ReturnType<typeof loadSentinel>;
}
