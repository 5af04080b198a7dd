import { clusterNamesIn } from '../clusters/cluster-names';
import { withClusters } from '../clusters/open-clusters';
import { CLUSTER_NAMES, isClusterName } from '../../model';
import { EXIT, type ExitCode } from '../exit-codes';
import { styleFor } from '../output/style';
import { UserError } from '../output/user-error';
import { projectFiles } from './app/project-files';
import { appOf } from './app/stacks';
import { KINDS, type Kind } from './estate/found';
import { readEstate } from './estate/read-estate';
import { Remarks } from './estate/remarks';
import { renderReport } from './report';
import { writeNewFiles } from './write-files';

export interface AdoptFlags {
  readonly cluster?: readonly string[];
  readonly namespace?: readonly string[];
  readonly output: string;
  readonly only?: readonly Kind[];
  readonly defaultPolicy?: boolean;
}

/** Reads a running estate, and writes an app that declares it. @returns what to end with. */
export async function adopt(flags: AdoptFlags, env: NodeJS.ProcessEnv): Promise<ExitCode> {
  const remarks = new Remarks();
  const names = flags.cluster ?? clusterNamesIn(env);
  checkNames(names);
  const estate = await withClusters(names, env, (clusters) =>
    readEstate(
      clusters,
      {
        kinds: flags.only ?? KINDS,
        namespaces: flags.namespace ?? [],
        defaultPolicy: flags.defaultPolicy ?? false,
      },
      remarks,
    ),
  );
  const app = appOf(estate);
  if (app.stacks.length > 0) writeNewFiles(flags.output, projectFiles(app));
  console.log(renderReport(app, remarks, flags.output, styleFor(process.stdout, env)));
  if (remarks.leftOut.length > 0) return EXIT.problems;
  return remarks.unread.length > 0 ? EXIT.unknown : EXIT.ok;
}

/** The provider takes more names than the constructs do. */
function checkNames(names: readonly string[]): void {
  const unfit = names.find((name) => !isClusterName(name));
  if (unfit === undefined) return;
  throw new UserError(
    `${JSON.stringify(unfit)} is no name for a cluster in an app\nAllowed: ${CLUSTER_NAMES}.\n` +
      'To do: give it another name, and its variables the name that goes with it.',
  );
}
