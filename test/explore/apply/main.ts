/** Searches bounds, for `npm run explore`. */
import { BOUNDS } from './bounds';
import { tableOf } from './reached';
import { search, type Report } from './search';

interface Options {
  readonly bound?: readonly string[];
  readonly start?: string;
  readonly verbose?: boolean;
}

export interface Explored {
  readonly holds: boolean;
  /** The results as a table in Markdown. */
  readonly table: string;
  /** The requests with everything that happened to them, as a table in Markdown. */
  readonly reached: string;
}

export function explore({ bound, start, verbose = false }: Options): Explored {
  const rows: string[] = [];
  const reached = new Set<string>();
  let found = 0;
  for (const { name, title, starts, isLong } of BOUNDS) {
    if (bound === undefined ? isLong : !bound.includes(name)) continue;
    console.log(`\n# ${name}: ${title}`);
    const figures = new Map<string, Figures>();
    for (const each of starts()) {
      if (start !== undefined && each.name !== start) continue;
      const report = search(each);
      found += report.violations.length;
      for (const each of report.reached) reached.add(each);
      const row = each.row ?? each.name;
      show(each.row === undefined ? report : { ...report, name: `${row}: ${each.name}` }, verbose);
      figures.set(row, added(figures.get(row), report));
    }
    rows.push(...[...figures].map(([row, each]) => rowOf(name, row, each)));
  }
  if (rows.length === 0) throw new Error('no bound, or no start, has such a name');
  console.log(found === 0 ? '\nAll properties hold.' : `\n${found} violations`);
  return { holds: found === 0, table: [...HEAD, ...rows].join('\n'), reached: tableOf(reached) };
}

const HEAD = [
  '| Bound | Start | States | Depth | Seconds | Races | Only by force | Violations |',
  '|---|---|---|---|---|---|---|---|',
];

type Figures = Pick<Report, 'states' | 'depth' | 'seconds' | 'races' | 'costly'> & {
  readonly violations: number;
};

function added(before: Figures | undefined, report: Report): Figures {
  const { states, depth, seconds, races, costly } = report;
  const violations = report.violations.length;
  if (before === undefined) return { states, depth, seconds, races, costly, violations };
  return {
    states: before.states + states,
    depth: Math.max(before.depth, depth),
    seconds: before.seconds + seconds,
    races: before.races + races,
    costly: before.costly + costly,
    violations: before.violations + violations,
  };
}

function rowOf(bound: string, row: string, each: Figures): string {
  const { states, depth, seconds, races, costly, violations } = each;
  return `| ${[bound, row, states, depth, seconds.toFixed(1), races, costly, violations].join(' | ')} |`;
}

function show(report: Report, verbose: boolean): void {
  const { name, states, transitions, depth, seconds, ends, races, costly, violations } = report;
  const ended = Object.entries(ends).map(([kind, count]) => `${count} ${kind}`);
  console.log(
    `${name}: ${states} states, ${transitions} transitions, depth ${depth}, ${seconds.toFixed(1)} s; ` +
      `ends: ${ended.join(', ')}; races ${races}, only by force ${costly}, violations ${violations.length}`,
  );
  if (verbose) for (const line of report.failures) console.log(`  ${line}`);
  for (const each of violations) {
    console.log(`\n## ${each.property}: ${each.details}`);
    console.log(each.path.map((line) => `  ${line}`).join('\n'));
  }
}
