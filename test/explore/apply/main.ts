/** Searches bounds, for `npm run explore`. */
import { BOUNDS } from './bounds';
import { differencesOf, figuresOf, WITH_FIGURES, type Figures as Counted } from './figures';
import { plantOf } from './plants';
import { tableOf } from './reached';
import { search, type Report } from './search';

interface Options {
  readonly bound?: readonly string[];
  readonly start?: string;
  readonly verbose?: boolean;
  /** The fault that is planted in the data that the provider receives. */
  readonly plant?: string;
  /** For each start, the number of paths to final states that are kept. */
  readonly samples?: number;
}

/** A path from a start of a bound, in the form of a file. */
export interface PathFile {
  readonly bound: string;
  readonly start: string;
  /** The row of the start, if a bound has several starts with one name. */
  readonly row?: string;
  /** The fault that is planted in the data that the provider receives. */
  readonly plant?: string;
  /** The property that is violated at the end. */
  readonly property?: string;
  /** The labels of the transitions. */
  readonly path: readonly string[];
}

export interface Explored {
  readonly holds: boolean;
  /** Lines about searches whose figures differ from the stored ones. */
  readonly differences: readonly string[];
  /** The figures of the starts whose figures are stored. */
  readonly counted: Readonly<Record<string, Counted>>;
  /** The paths to violations, and the requested ones. */
  readonly paths: readonly PathFile[];
  /** The results as a table in Markdown. */
  readonly table: string;
  /** The requests with all their faults, as a table in Markdown. */
  readonly reached: string;
}

export function explore({ bound, start, verbose = false, plant, samples = 0 }: Options): Explored {
  const planted = plant !== undefined && { plant: plantOf(plant) };
  const paths: PathFile[] = [];
  const rows: string[] = [];
  const reached = new Set<string>();
  const differences: string[] = [];
  const counted: Record<string, Counted> = {};
  let found = 0;
  for (const { name, title, starts } of BOUNDS) {
    if (bound !== undefined && !bound.includes(name)) continue;
    console.log(`\n# ${name}: ${title}`);
    const figures = new Map<string, Figures>();
    for (const each of starts()) {
      if (start !== undefined && each.name !== start) continue;
      const report = search({ ...each, ...planted }, { samples });
      const place = {
        bound: name,
        start: each.name,
        ...(each.row && { row: each.row }),
        ...(plant && { plant }),
      };
      for (const { property, path } of report.violations) paths.push({ ...place, property, path });
      for (const path of report.samples) paths.push({ ...place, path });
      found += report.violations.length;
      for (const each of report.reached) reached.add(each);
      if (WITH_FIGURES.includes(name) && plant === undefined) {
        counted[report.name] = figuresOf(report);
        differences.push(...differencesOf(report));
      }
      const row = each.row ?? each.name;
      show(each.row === undefined ? report : { ...report, name: `${row}: ${each.name}` }, verbose);
      figures.set(row, added(figures.get(row), report));
    }
    rows.push(...[...figures].map(([row, each]) => rowOf(name, row, each)));
  }
  if (rows.length === 0) throw new Error('no bound, or no start, has such a name');
  console.log(found === 0 ? '\nAll properties hold.' : `\n${found} violations`);
  return {
    holds: found === 0,
    differences,
    counted,
    paths,
    table: [...HEAD, ...rows].join('\n'),
    reached: tableOf(reached),
  };
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
