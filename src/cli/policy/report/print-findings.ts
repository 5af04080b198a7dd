import { visible } from '../../../text';
import { limited } from '../../output/lists';
import { hidden, printDocument, printJson, type Output } from '../../output/print';
import type { CommandFinding, FindingsReport } from './finding';
import type { OutputFormatFlags } from '../source-options';
import { githubCommands } from './github';
import { junitXml } from './junit';
import { markdownOf } from './markdown';
import { sarifLog } from './sarif';

/** How a command prints what it found. */
interface Printing {
  /** In its own words. */
  readonly text: () => void;
  /** As its own JSON. */
  readonly json: () => object;
  /** As findings, for the other formats. */
  readonly findings: () => FindingsReport;
}

/** Prints what a command found, in the format that its options choose. */
export function printFindings(
  output: Output,
  flags: OutputFormatFlags,
  { text, json, findings }: Printing,
): void {
  const format = flags.json ? 'json' : (flags.format ?? 'text');
  if (format === 'text') {
    text();
    return;
  }
  if (format === 'json') {
    printJson(output, json());
    return;
  }
  const found = shown(findings());
  if (format === 'sarif') printJson(output, sarifLog(found));
  else
    printDocument(output, { junit: junitXml, github: githubCommands, markdown: markdownOf }[format](found));
}

/**
 * Hides secrets and shows control characters, before anything is escaped: an escaped secret would
 * not be found. Only as many findings are left as people read.
 */
function shown(all: FindingsReport): FindingsReport {
  const text = (value: string) => visible(hidden(value));
  const { shown: findings, omitted } = limited(all.findings);
  const more = omitted > 0 ? ` (${omitted} more findings are not listed)` : '';
  return {
    ...all,
    summary: text(all.summary) + more,
    cases: all.cases.map(({ policy, place }) => ({ policy: text(policy), place: text(place) })),
    findings: findings.map((each): CommandFinding => ({
      ...each,
      policy: text(each.policy),
      place: text(each.place),
      message: text(each.message),
      ...(each.file !== undefined && { file: hidden(each.file) }),
    })),
  };
}
