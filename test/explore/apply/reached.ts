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
  '=': 'A read that is refused, is slow or loses its answer has changed nothing. It counts as lost before.',
  n: 'The request changes nothing. After a kill, the next apply finds what this one has found.',
  w: 'The request is a wait. It asks again after a failure. Only a wait that compares two clusters fails if its first read fails.',
  l: 'The request is a look. A failure is one of its answers: the cluster is silent, or it is starting.',
  f: 'No cluster of the model refuses this request.',
  v: 'No start with a cluster that does not answer comes to this request.',
  b: 'The request is never made while its cluster changes its mode.',
  h: 'Steps of a person are searched in bound AH only, which does not come to this request.',
  u: 'The searched bounds do not come to this request.',
  d: 'The answer is only used in the text of an error. No decision depends on it.',
  o: 'The request is made only after a fault, and the searched bounds have no second one.',
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
  const legend = Object.entries(REASONS).map(([mark, reason]) => `- \`${mark}\`: ${reason}`);
  return [
    `| Request | ${OUTCOMES.join(' | ')} |`,
    `|---|${OUTCOMES.map(() => '---|').join('')}`,
    ...rows,
    '',
    ...legend,
  ].join('\n');
}
