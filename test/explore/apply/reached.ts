/** The table of all requests with what happened to them in a search. */
import type { RequestKind } from '../../../src/provider/replication/set/decide';
import { KINDS } from './answering';

/** The columns: how a request ends, and what happens immediately before it, or after. */
const OUTCOMES = [
  'answered',
  'failed',
  'returned',
  'lost before',
  'lost after',
  'refused',
  'killed',
  'seal',
  'silence',
  'speak',
  'cut',
  'by hand',
] as const;
type Outcome = (typeof OUTCOMES)[number];

/** The reasons for empty cells, each with its mark. */
const REASONS = {
  '=': 'is the same as a request that is lost before: nothing has changed',
  n: 'changes nothing, so that the apply after a kill finds what it found before',
  w: 'is a wait, which asks again: a call of it that fails decides nothing',
  l: 'is a look, whose failure is an answer: silent, or starting',
  s: 'is not asked in any start: no set has an address of its own, and no apply asks again after a refusal',
  f: 'is not refused by any cluster of the model at this point',
} as const;
type Reason = keyof typeof REASONS;

const UNASKED: readonly RequestKind[] = ['describe', 'update_primary_address'];

function reasonFor(kind: RequestKind, outcome: Outcome): Reason | undefined {
  if (UNASKED.includes(kind)) return 's';
  const call = KINDS[kind];
  if (call === 'wait' && ['lost before', 'lost after', 'refused', 'returned'].includes(outcome)) return 'w';
  if (kind === 'look' && ['failed', 'lost before', 'lost after', 'refused'].includes(outcome)) return 'l';
  if (call === 'read' && ['lost after', 'refused'].includes(outcome)) return '=';
  if (call === 'read' && outcome === 'killed') return 'n';
  if (outcome === 'failed') return 'f';
  return undefined;
}

/** Returns the table in Markdown. An empty cell has a reason, or is `?`. */
export function tableOf(reached: ReadonlySet<string>): string {
  const rows = (Object.keys(KINDS) as RequestKind[]).map((kind) => {
    const cells = OUTCOMES.map((outcome) =>
      reached.has(`${kind}: ${outcome}`) ? '✓' : (reasonFor(kind, outcome) ?? '?'),
    );
    return `| ${[kind, ...cells].join(' | ')} |`;
  });
  const legend = Object.entries(REASONS).map(([mark, reason]) => `- ${mark}: the request ${reason}.`);
  return [
    `| Request | ${OUTCOMES.join(' | ')} |`,
    `|---|${OUTCOMES.map(() => '---|').join('')}`,
    ...rows,
    '',
    ...legend,
  ].join('\n');
}
