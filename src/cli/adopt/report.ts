import type { Style } from '../output/style';
import type { App } from './app/stacks';
import type { Remark, Remarks } from './estate/remarks';

/** What was adopted, what was not, and where the app was written. */
export interface Outcome {
  readonly app: App;
  readonly remarks: Remarks;
  /** Where the app was written. Absent if there was nothing to write. */
  readonly folder?: string;
  /** The paths of what was written, within the folder. */
  readonly files: readonly string[];
}

/** An outcome for people, and how to go on. */
export function renderOutcome({ app, remarks, folder }: Outcome, style: Style): readonly string[] {
  const counted = app.stacks.flatMap(({ name, parts }) => [
    style.strong(`stack ${name}`),
    ...parts.map((part) => `  ${part.title}: ${part.declarations.length}`),
  ]);
  const next =
    folder === undefined
      ? 'Nothing was found to adopt, and nothing was written.'
      : `Written to ${folder}. Its README.md describes the next steps.`;
  return [
    ...counted,
    ...remarks.notes.map((remark) => style.faint(`- ${lineOf(remark)}`)),
    ...remarks.leftOut.map((remark) => style.bad(`! left out: ${lineOf(remark)}`)),
    ...remarks.unread.map((remark) => style.doubtful(`? not read: ${lineOf(remark)}`)),
    next,
  ];
}

/** An outcome for programs. docs/guides/adopting.md describes it. */
export function outcomeData({ app, remarks, folder, files }: Outcome): object {
  return {
    folder: folder ?? null,
    files,
    stacks: app.stacks.map(({ name, parts }) => ({
      name,
      resources: parts.flatMap(({ declarations }) =>
        declarations.map(({ resource, id, importId }) => ({
          address: `${resource}.${id}`,
          import_id: importId,
        })),
      ),
    })),
    variables: app.variables,
    left_out: remarks.leftOut,
    not_read: remarks.unread,
    notes: remarks.notes,
  };
}

function lineOf({ cluster, subject, text }: Remark): string {
  return `${cluster}: ${subject}: ${text}`;
}
