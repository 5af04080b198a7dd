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
    for (const each of starts()) {
      if (start !== undefined && each.name !== start) continue;
      const report = search(each);
      found += report.violations.length;
      for (const each of report.reached) reached.add(each);
      show(report, verbose);
      rows.push(rowOf(name, report));
    }
  }
  if (rows.length === 0) throw new Error('no bound, or no start, has such a name');
  console.log(found === 0 ? '\nAll properties hold.' : `\n${found} violations`);
  return { holds: found === 0, table: [...HEAD, ...rows].join('\n'), reached: tableOf(reached) };
}

const HEAD = [
  '| Bound | Start | States | Depth | Seconds | Races | Only by force | Violations |',
  '|---|---|---|---|---|---|---|---|',
];

function rowOf(bound: string, { name, states, depth, seconds, races, costly, violations }: Report): string {
  return `| ${[bound, name, states, depth, seconds.toFixed(1), races, costly, violations.length].join(' | ')} |`;
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
