import { renderAdvice } from '../../model/messages';
import type { Style } from '../output/style';
import { counted } from '../output/lists';
import type { Declaration, ObjectWrite } from './app/declaration';
import { importOf, useOf } from './app/project-files';
import type { App } from './app/stacks';
import type { Remark, Remarks } from './estate/remarks';
import type { FoundSecondary } from './estate/replication-sets';

/** The adopted objects, those that were not adopted, and the folder of the app. */
export interface AdoptOutcome {
  readonly app: App;
  readonly remarks: Remarks;
  /** The folder in which the app was written. Absent if there was nothing to write. */
  readonly folder?: string;
  /** Whether `folder` contained an app before. */
  readonly into?: boolean;
  /**
   * The folder of the stacks that were compared with the clusters. Absent if a new app was to be
   * written.
   */
  readonly checked?: string;
  /** The paths of the written files, within the folder. */
  readonly files: readonly string[];
}

/** Returns the lines about an outcome for people, with the next commands. */
export function renderOutcome(outcome: AdoptOutcome, style: Style): readonly string[] {
  const { app, remarks, checked } = outcome;
  return [
    ...(checked === undefined ? countedLines(app, style) : unmanagedLines(app, style)),
    ...remarks.notes.map((remark) => style.faint(`- ${lineOf(remark)}`)),
    ...remarks.leftOut.map((remark) => style.bad(`! left out: ${lineOf(remark)}`)),
    ...remarks.unread.map((remark) => style.doubtful(`? not read: ${lineOf(remark)}`)),
    ...nextLines(outcome),
  ];
}

function countedLines({ stacks }: App, style: Style): readonly string[] {
  return stacks.flatMap(({ name, parts }) => [
    style.strong(`stack ${name}`),
    ...parts.map((part) => `  ${part.title}: ${part.declarations.length}`),
  ]);
}

function unmanagedLines({ stacks }: App, style: Style): readonly string[] {
  return declarationsOf(stacks).map(({ resource, importId }) =>
    style.bad(`! not managed: ${resource} ${importId}`),
  );
}

function nextLines({ app: { stacks }, folder, into, checked }: AdoptOutcome): readonly string[] {
  const count = declarationsOf(stacks).length;
  if (checked !== undefined) {
    return [
      count === 0
        ? `The stacks in ${checked} manage all objects that were found.`
        : `The stacks in ${checked} do not manage ${counted(count, 'object')}. ${renderAdvice('adopt them (--into), or remove them')}`,
    ];
  }
  if (folder === undefined) return ['Nothing was found to adopt, and nothing was written.'];
  if (!into) return [`Written to ${folder}. Its README.md describes the next steps.`];
  return [
    `Written to ${folder}: ${stacks.map(({ name }) => name).join(', ')}. Add to the file of the app:`,
    ...[...stacks.map(importOf), ...stacks.map(useOf)].map((line) => `  ${line}`),
    'The clusters are those of the app (VaultCluster), with resourceProvider: ResourceProvider.VAULTADMIN. If those of the app have another ' +
      'resource provider, add a VaultCluster with the same name for these stacks: the import blocks are for resources of vaultadmin.',
  ];
}

function declarationsOf(stacks: App['stacks']): readonly Declaration[] {
  return stacks.flatMap(({ parts }) => parts.flatMap(({ declarations }) => declarations));
}

/** The JSON that `adopt` prints. @public */
export interface AdoptReport {
  /** Where the app was written. `null` if there was nothing to write. */
  readonly folder: string | null;
  /** The paths of its files, relative to the folder. */
  readonly files: readonly string[];
  readonly stacks: readonly {
    readonly name: string;
    readonly resources: readonly {
      /** The address in Terraform, such as `vaultadmin_acl_policy.acl-ops`. */
      readonly address: string;
      readonly import_id: string;
    }[];
  }[];
  /** The Terraform variables for secrets. */
  readonly variables: readonly string[];
  /** The objects, as `emulator --seed` takes them. */
  readonly estate: EstateData;
  /** The objects that cannot be declared. */
  readonly left_out: readonly Remark[];
  /** The objects that could not be read. */
  readonly not_read: readonly Remark[];
  readonly notes: readonly Remark[];
}

interface EstateData {
  /** The writes that create the objects, by cluster. */
  readonly clusters: Readonly<Record<string, readonly Omit<ObjectWrite, 'cluster'>[]>>;
  readonly sets: readonly {
    readonly primary: string;
    readonly secondaries: readonly {
      readonly cluster: string;
      readonly id: string;
      readonly paths_filter?: FoundSecondary['filter'];
    }[];
  }[];
}

/** Returns an outcome as JSON for programs. */
export function outcomeData({ app, remarks, folder, files }: AdoptOutcome): AdoptReport {
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
    estate: estateData(app),
    left_out: remarks.leftOut,
    not_read: remarks.unread,
    notes: remarks.notes,
  };
}

/** Returns the objects in the form that the emulator takes (`--seed`). */
function estateData({ stacks, sets }: App): EstateData {
  const writes = declarationsOf(stacks).flatMap(({ write }) => (write ? [write] : []));
  const clusters = new Map(writes.map(({ cluster }) => [cluster, [] as Omit<ObjectWrite, 'cluster'>[]]));
  for (const { cluster, ...write } of writes) clusters.get(cluster)?.push(write);
  return {
    clusters: Object.fromEntries(clusters),
    sets: sets.map(({ primary, secondaries }) => ({
      primary,
      secondaries: secondaries.map(({ cluster, id, filter }) => ({
        cluster,
        id,
        ...(filter && { paths_filter: filter }),
      })),
    })),
  };
}

function lineOf({ cluster, subject, text }: Remark): string {
  return `${cluster}: ${subject}: ${text}`;
}
