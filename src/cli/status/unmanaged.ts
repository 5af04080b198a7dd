import type { Cluster } from '../../provider/clusters/cluster';
import type { ClusterSettings } from '../../provider/configuration';
import { renderAdvice } from '../../model/messages';
import { EstateReads } from '../adopt/estate/estate-reads';
import { Remarks, type Remark } from '../adopt/estate/remarks';
import { readStatuses } from '../adopt/estate/replication-sets';
import { addressOfFilter } from '../adopt/app/replication-stack';
import type { ResourceAddress } from '../adopt/app/declaration';
import { appOf } from '../adopt/app/stacks';
import { KINDS } from '../adopt/kinds';
import { managedIn } from '../adopt/managed';
import { readEstate } from '../adopt/read-estate';
import { rootClient } from '../clusters/clients';
import { withClusters } from '../clusters/open-clusters';
import { UserError } from '../errors';
import { EXIT, type ExitCode } from '../exit-codes';
import { counted } from '../output/lists';
import { printJson, printWrapped } from '../output/print';
import { withProgress } from '../output/progress';
import { styleFor, type Style } from '../output/style';
import { stacksIn } from '../stacks/stacks';
import { objectsInState } from '../stacks/states';

/** The declarations that clusters are compared with, and how the result is printed. */
interface UnmanagedFlags {
  /** The files with states of Terraform. */
  readonly state?: readonly string[];
  /** The output folder of an app. */
  readonly stacks?: string;
  readonly namespace?: readonly string[];
  readonly json?: boolean;
}

/** The JSON that `status --unmanaged` prints. @public */
export interface UnmanagedReport {
  /** The objects that nothing declares. */
  readonly unmanaged: readonly UnmanagedObject[];
  /** The objects that nothing declares, and that cannot be declared as they are. */
  readonly left_out: readonly Remark[];
  /** The objects that could not be read. */
  readonly not_read: readonly Remark[];
}

interface UnmanagedObject {
  /** The type of the resource that can declare it, such as `vaultadmin_acl_policy`. */
  readonly resource: string;
  readonly import_id: string;
}

/**
 * Prints the objects of clusters that neither a state nor a stack declares. Writes to no server and
 * no file.
 *
 * @returns the exit code.
 */
export async function showUnmanaged(
  { state = [], stacks, namespace = [], json }: UnmanagedFlags,
  settings: readonly ClusterSettings[],
  env: NodeJS.ProcessEnv,
): Promise<ExitCode> {
  if (state.length === 0 && stacks === undefined) {
    throw new UserError({
      summary: 'nothing to compare the clusters with',
      cures: 'add --state with the states of all stacks, or --stacks',
    });
  }
  const declared = {
    stacks: stacks === undefined ? [] : stacksIn(stacks),
    states: state.flatMap(objectsInState),
  };
  const isManaged = managedIn(declared, settings, env);
  const remarks = new Remarks();
  const names = settings.map(({ name }) => name).join(', ');
  const found = await withProgress(`reading ${names}`, (progress) => {
    const reading = new EstateReads((done, asked) => progress.say(`reading: ${done} of ${asked}`));
    return withClusters(settings, env, async (clusters) => {
      const options = { kinds: KINDS, namespaces: namespace, defaultPolicy: false, isManaged };
      const { stacks: missing } = appOf(await readEstate(clusters, options, remarks, reading));
      const objects = missing.flatMap(({ parts }) => parts.flatMap(({ declarations }) => declarations));
      return [...objects, ...(await filtersOf(clusters, remarks)).filter((filter) => !isManaged(filter))];
    });
  });
  const report: UnmanagedReport = {
    unmanaged: found.map(({ resource, importId }) => ({ resource, import_id: importId })),
    left_out: remarks.leftOut,
    not_read: remarks.unread,
  };
  if (json) printJson<UnmanagedReport>(process.stdout, report);
  else printWrapped(process.stdout, render(report, styleFor(process.stdout, env)));
  if (report.unmanaged.length + report.left_out.length > 0) return EXIT.problems;
  return report.not_read.length > 0 ? EXIT.unknown : EXIT.ok;
}

/** Returns the paths filters of all secondaries that the primaries know. */
async function filtersOf(
  clusters: readonly Cluster[],
  remarks: Remarks,
): Promise<readonly ResourceAddress[]> {
  // The remarks already contain the statuses that could not be read.
  const statuses = await readStatuses(clusters, new Remarks());
  const filters = await Promise.all(
    clusters.map(async (cluster) => {
      const { name } = cluster.settings;
      const status = statuses.get(name);
      const ids = status?.mode === 'primary' ? status.known_secondaries : [];
      const found = await Promise.all(
        ids.map((id) =>
          remarks.attempt(name, `paths filter ${JSON.stringify(id)}`, async () =>
            (await rootClient(cluster)).replication.performance.readPathsFilter(id),
          ),
        ),
      );
      return ids.filter((_id, index) => found[index]).map((id) => addressOfFilter(name, id));
    }),
  );
  return filters.flat();
}

function render({ unmanaged, left_out: leftOut, not_read: unread }: UnmanagedReport, style: Style): string[] {
  const count = unmanaged.length + leftOut.length;
  const lineOf = ({ cluster, subject, text }: Remark) => `${cluster}: ${subject}: ${text}`;
  return [
    ...unmanaged.map(({ resource, import_id: id }) => style.bad(`! not managed: ${resource} ${id}`)),
    ...leftOut.map((remark) => style.bad(`! not managed: ${lineOf(remark)}`)),
    ...unread.map((remark) => style.doubtful(`? not read: ${lineOf(remark)}`)),
    count === 0
      ? unread.length === 0
        ? 'Every object that was read is in a state or a stack.'
        : 'Not everything could be read: whether each object is in a state or a stack could not be determined.'
      : `${counted(count, 'object')} ${count === 1 ? 'is' : 'are'} in no state and no stack. ${renderAdvice('adopt them (cdktf-vault-admin adopt), or remove them')}`,
  ];
}
