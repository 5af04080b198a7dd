import { REPLICATION_SET } from '../../model';
import { report } from '../messages';
import { perRun, type TerraformRun } from '../objects';

/** The primaries of the planned sets that have one cluster as a member, in one run of Terraform. */
const SETS = perRun((): Set<string> => new Set());

/** Notes the members of a planned set. The plan is refused if another set has one of them. */
export function noteMembers(primary: string, members: readonly string[], run: TerraformRun): void {
  for (const member of members) {
    const sets = SETS(run.providerData, member);
    const [other] = [...sets].filter((each) => each !== primary);
    sets.add(primary);
    if (other !== undefined) refuse(member, other, primary, run);
  }
}

function refuse(member: string, first: string, second: string, { diagnostics }: TerraformRun): void {
  const type = `vaultadmin_${REPLICATION_SET.name}`;
  const [one, other] = [first, second].map(
    (primary) => `${type} with the primary ${JSON.stringify(primary)}`,
  );
  report(diagnostics, 'error', {
    summary: `cluster ${JSON.stringify(member)} is a member of two replication sets`,
    details: `It is in ${one}, and in ${other}. A cluster has one primary: each set would point it to its own.`,
    cures: `remove ${JSON.stringify(member)} from one of the two, or make one set of both`,
  });
}
