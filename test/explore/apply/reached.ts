/** The table of all requests with their faults in a search. */
import { EFFECTS, type RequestKind } from '../../../src/provider/replication/set/decide';

/** The columns: the result of a request, and the fault immediately before or after it. */
const OUTCOMES = [
  'answered',
  'failed',
  'returned',
  'lost before',
  'lost after',
  'refused',
  'slow',
  'killed',
  'seal',
  'crash',
  'silence',
  'vanish',
  'speak',
  'cut',
  'initialize',
  'restore',
  'by hand',
] as const;
type Outcome = (typeof OUTCOMES)[number];

/** The reasons for empty cells, each with its mark. */
const REASONS = {
  '=': 'is the same as a request that is lost before: nothing has changed',
  n: 'changes nothing, so that the apply after a kill finds what it found before',
  w: 'is a wait, which asks again: a call of it that fails decides nothing, but for the first read of a comparison',
  l: 'is a look, whose failure is an answer: silent, or starting',
  f: 'is not refused by any cluster of the model at this point',
  v: 'is made in no start with a cluster that does not answer at this point',
  b: 'is made only when its cluster is not between two modes',
  h: 'is made beside a step of a person in bound AH only',
  u: 'is made in no start of these bounds',
  d: 'is made for the text of an error, and decides nothing',
  o: 'is made only after a fault, and these bounds have one',
} as const;
type Reason = keyof typeof REASONS;

const BY_OUTCOME: Readonly<Partial<Record<Outcome, Reason>>> = {
  failed: 'f',
  returned: 'b',
  speak: 'v',
  'by hand': 'h',
};

const AFTER_A_FAULT: readonly RequestKind[] = ['primary_status', 'held_data', 'wait_for_rival', 'pause'];

function reasonFor(kind: RequestKind, outcome: Outcome): Reason | undefined {
  const call = EFFECTS[kind];
  if (kind === 'describe') return 'd';
  if (call === 'wait' && ['lost before', 'lost after', 'refused', 'slow', 'returned'].includes(outcome))
    return 'w';
  if (kind === 'look' && ['failed', 'lost before', 'lost after', 'refused', 'slow'].includes(outcome))
    return 'l';
  if (call === 'read' && ['lost after', 'refused', 'slow'].includes(outcome)) return '=';
  if (call === 'read' && outcome === 'killed') return 'n';
  return BY_OUTCOME[outcome] ?? (AFTER_A_FAULT.includes(kind) ? 'o' : undefined);
}

/** Returns the table in Markdown. An empty cell has a reason, or is `?`. */
export function tableOf(reached: ReadonlySet<string>): string {
  const rows = (Object.keys(EFFECTS) as RequestKind[]).map((kind) => {
    const isAsked = OUTCOMES.some((outcome) => reached.has(`${kind}: ${outcome}`));
    const cells = OUTCOMES.map((outcome) => {
      if (reached.has(`${kind}: ${outcome}`)) return '✓';
      return isAsked || kind === 'describe' ? (reasonFor(kind, outcome) ?? '?') : 'u';
    });
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
