import type { Style } from '../output/style';
import type { App } from './app/stacks';
import type { Remark, Remarks } from './estate/remarks';

/** What was adopted, what was not, and how to go on. */
export function renderReport({ stacks }: App, remarks: Remarks, folder: string, style: Style): string {
  const counted = stacks.flatMap(({ name, parts }) => [
    style.strong(`stack ${name}`),
    ...parts.map((part) => `  ${part.title}: ${part.declarations.length}`),
  ]);
  const next =
    stacks.length === 0
      ? ['Nothing was found to adopt, and nothing was written.']
      : [`Written to ${folder}. README.md in it says how to go on.`];
  return [
    ...counted,
    ...remarks.notes.map((remark) => style.faint(`- ${lineOf(remark)}`)),
    ...remarks.leftOut.map((remark) => style.bad(`! left out: ${lineOf(remark)}`)),
    ...remarks.unread.map((remark) => style.doubtful(`? not read: ${lineOf(remark)}`)),
    ...next,
  ].join('\n');
}

function lineOf({ cluster, subject, text }: Remark): string {
  return `${cluster}: ${subject}: ${text}`;
}
