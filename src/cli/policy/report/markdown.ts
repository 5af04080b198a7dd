import { counted } from '../../output/lists';
import { SEVERITIES, type CommandFinding, type FindingsReport } from './finding';

/** The maximum length in characters. Code hosts accept comments of 65,536 characters. */
const LONGEST = 60_000;
const LONGEST_TEXT = 500;
/** The maximum length of the findings that are not folded. */
const LONGEST_VIEW = 20_000;

/**
 * Returns a comment for a review, in the Markdown of GitHub and GitLab: errors and warnings are in
 * view, the rest is folded. If nothing was found, it is the summary alone, without a heading.
 */
export function markdownOf({ title, findings, summary, picture = '' }: FindingsReport): string {
  if (findings.length === 0 && picture === '') return `${plain(summary)}\n`;
  const sorted = SEVERITIES.flatMap((severity) => findings.filter((each) => each.severity === severity));
  const inView: string[] = [];
  for (const finding of sorted) {
    const item = itemFor(finding);
    if (finding.severity === 'note' || inView.join('\n').length + item.length > LONGEST_VIEW) break;
    inView.push(item);
  }
  const folded = sorted.slice(inView.length);
  const drawn = picture.length < LONGEST / 2 ? picture : '';
  const parts = [
    `### ${title}\n`,
    ...(inView.length > 0 ? [`${inView.join('\n')}\n`] : []),
    `${plain(summary)}\n`,
    ...(drawn === ''
      ? []
      : [
          `<details open><summary>What the plan does to replication sets</summary>\n\n${fenced(drawn)}\n</details>\n`,
        ]),
  ];
  return [
    ...parts,
    ...foldedTable(
      folded,
      inView.length > 0 ? 'further finding' : 'finding',
      LONGEST - parts.join('\n').length,
    ),
  ].join('\n');
}

function itemFor({ severity, policy, place, line, message, rule }: CommandFinding): string {
  const at = line === undefined ? place : `${place}:${line}`;
  return `- **${severity}** in ${code(policy)}: ${plain(cut(message))} (${code(at)}, ${code(rule)})`;
}

function foldedTable(findings: readonly CommandFinding[], noun: string, room: number): readonly string[] {
  if (findings.length === 0) return [];
  const head = `<details><summary>${counted(findings.length, noun)}</summary>\n\n| | Policy | Finding | Place |\n|---|---|---|---|\n`;
  const end = '\n</details>\n';
  const rows: string[] = [];
  let length = head.length + end.length;
  for (const { severity, policy, place, line, message, rule } of findings) {
    const at = line === undefined ? place : `${place}:${line}`;
    const row = `| ${severity} | ${code(policy)} | ${plain(cut(message))} (${code(rule)}) | ${code(at)} |\n`;
    length += row.length;
    if (length > room) {
      rows.push(`| | | and ${findings.length - rows.length} more | |\n`);
      break;
    }
    rows.push(row);
  }
  return [head + rows.join('') + end];
}

function cut(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}

/**
 * Returns a text in which all signs are entities, so that they have no meaning in Markdown, tables
 * or HTML.
 */
function entities(text: string): string {
  return text.replace(/[^\p{L}\p{N} ,/-]/gu, (character) => `&#${character.codePointAt(0)};`);
}

/** Returns a text as code, in which code hosts do not look for mentions and references. */
function code(text: string): string {
  return `<code>${entities(cut(text))}</code>`;
}

/** Matches the signs with which mentions of people, issues, labels and the like begin. */
const BEGINS_REFERENCE = /([@#!~%$&^])/;
const NO_WIDTH = '&#8203;';

function plain(text: string): string {
  return text
    .split(BEGINS_REFERENCE)
    .map((part) => entities(part) + (BEGINS_REFERENCE.test(part) ? NO_WIDTH : ''))
    .join('');
}

/** Returns a picture in a block whose fence is longer than any fence within it. */
function fenced(picture: string): string {
  const longest = Math.max(2, ...Array.from(picture.matchAll(/~+/g), ([run]) => run.length));
  const fence = '~'.repeat(longest + 1);
  return `${fence}mermaid\n${picture}${fence}\n`;
}
