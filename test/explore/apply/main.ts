/** Searches bounds, for `npm run explore`. */
import { BOUNDS } from './bounds';
import { differencesOf, figuresOf, WITH_FIGURES, type Figures as Counted } from './figures';
import { plantOf } from './plants';
import { tableOf } from './reached';
import { search, type Report, type Start } from './search';

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

/** A search from one start, which can run in another process. */
export interface Task {
  readonly bound: string;
  /** The index of the start in its bound. */
  readonly index: number;
  /** The name of the start, which an error shows. */
  readonly start: string;
  readonly plant?: string;
  readonly samples: number;
}

/** The starts of the bounds, which are made once. */
const STARTS = new Map<string, readonly Start[]>();

function startsOf(bound: string): readonly Start[] {
  let starts = STARTS.get(bound);
  if (starts === undefined) STARTS.set(bound, (starts = BOUNDS.find(({ name }) => name === bound)!.starts()));
  return starts;
}

function startOf({ bound, index }: Task): Start {
  return startsOf(bound)[index]!;
}

/** Returns the searches of bounds, in the order of the page. */
export function tasksOf({ bound: wanted, start, plant, samples = 0 }: Options): readonly Task[] {
  return BOUNDS.filter(({ name }) => wanted?.includes(name) ?? true).flatMap(({ name: bound }) =>
    startsOf(bound).flatMap(({ name }, index) =>
      start === undefined || name === start
        ? [{ bound, index, start: name, samples, ...(plant && { plant }) }]
        : [],
    ),
  );
}

/** Searches from the start of a task. */
export function searchOf(task: Task): Report {
  const { plant, samples } = task;
  return search({ ...startOf(task), ...(plant && { plant: plantOf(plant) }) }, { samples });
}

/** Returns the paths to violations, and the requested ones. */
export function pathsOf(task: Task, { violations, samples }: Report): readonly PathFile[] {
  const { bound, start, plant } = task;
  const { row } = startOf(task);
  const place = { bound, start, ...(row && { row }), ...(plant && { plant }) };
  return [
    ...violations.map(({ property, path }) => ({ ...place, property, path })),
    ...samples.map((path) => ({ ...place, path })),
  ];
}

/**
 * Searches bounds.
 *
 * @param run begins searches in the given order
 */
export async function explore(
  options: Options,
  run: (tasks: readonly Task[]) => readonly Promise<Report>[],
): Promise<Explored> {
  const tasks = tasksOf(options);
  if (tasks.length === 0) throw new Error('no bound, or no start, has such a name');
  const longestFirst = [...tasks].sort((one, other) => actorsIn(startOf(other)) - actorsIn(startOf(one)));
  const running = run(longestFirst);
  const reports = new Map(longestFirst.map((task, index) => [task, running[index]!]));
  const paths: PathFile[] = [];
  const figures = new Map<string, Figures>();
  const reached = new Set<string>();
  const differences: string[] = [];
  const counted: Record<string, Counted> = {};
  let found = 0;
  let last = '';
  for (const task of tasks) {
    const { bound } = task;
    const { name, row = name } = startOf(task);
    if (bound !== last) console.log(`\n# ${bound}: ${BOUNDS.find(({ name }) => name === bound)!.title}`);
    last = bound;
    const report = await reports.get(task)!;
    paths.push(...pathsOf(task, report));
    found += report.violations.length;
    for (const each of report.reached) reached.add(each);
    if (WITH_FIGURES.includes(bound) && options.plant === undefined) {
      counted[name] = figuresOf(report);
      differences.push(...differencesOf(report));
    }
    show(row === name ? report : { ...report, name: `${row}: ${name}` }, options.verbose ?? false);
    const key = `${bound} | ${row}`;
    figures.set(key, added(figures.get(key), report));
  }
  console.log(found === 0 ? '\nAll properties hold.' : `\n${found} violations`);
  return {
    holds: found === 0,
    differences,
    counted,
    paths,
    table: [...HEAD, ...[...figures].map(([key, each]) => rowOf(key, each))].join('\n'),
    reached: tableOf(reached),
  };
}

/** The number of applies and persons: each further one makes a search some ten times as long. */
function actorsIn({ state }: Start): number {
  return state.runs.length + state.hands;
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

/** @param key the bound and the row */
function rowOf(key: string, each: Figures): string {
  const { states, depth, seconds, races, costly, violations } = each;
  return `| ${[key, states, depth, seconds.toFixed(1), races, costly, violations].join(' | ')} |`;
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
