import { clusterNamesIn } from '../clusters/cluster-names';
import { withClusters } from '../clusters/open-clusters';
import { EXIT, type ExitCode } from '../exit-codes';
import { styleFor } from '../output/style';
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
  const estate = await withClusters(flags.cluster ?? clusterNamesIn(env), env, (clusters) =>
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
