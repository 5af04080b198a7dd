import { visible } from '../../../text';
import { limited } from '../../output/lists';
import { hidden, printDocument, printJson, type Output } from '../../output/print';
import type { CommandFinding, FindingsReport } from './finding';
import type { OutputFormatFlags } from '../source-options';
import { githubCommands } from './github';
import { junitXml } from './junit';
import { markdownOf } from './markdown';
import { sarifLog } from './sarif';

/** The functions with which a command prints its findings. */
interface Printing {
  /** Prints the findings as text for people. */
  readonly text: () => void;
  /** Returns the command's JSON. */
  readonly json: () => object;
  /** Returns the findings for the other formats. */
  readonly findings: () => FindingsReport;
}

/** Prints the findings of a command in the selected format. */
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
 * Hides secrets and shows control characters. This is done before a format escapes texts, because
 * escaped secrets would not be found. Findings beyond a maximum number are left out.
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
