import type { Construct } from 'constructs';
import { textForServer, type ObjectDefinition } from '../../../src/model';
import type { IVaultCluster } from '../../clusters/cluster';
import { problemsOf } from '../../private/checks';
import { invalidProps } from '../../private/messages';

/** @throws Error for a policy that uses more of Sentinel than its server has, where the version of that is known. */
export function refuseNewerSentinel(
  construct: Construct,
  definition: ObjectDefinition,
  policy: { readonly name: string; readonly policy: string },
  { serverVersion }: IVaultCluster,
): void {
  if (serverVersion === undefined) return;
  const { name, policy: text } = policy;
  const problems = problemsOf(construct, textForServer(definition, serverVersion), { name, policy: text });
  if (problems.length > 0) throw invalidProps(construct, problems);
}
