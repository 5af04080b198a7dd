import { REPLICATION_SET } from '../../../model';
import type { Diagnostics } from '../../../plugin';
import type { Clusters } from '../../clusters';
import { report } from '../../messages';
import { quote } from './planner';
import type { SetState } from './schema';

/** The sets of one Terraform run: those in its state, and those that it creates. */
interface Asked {
  /** The members of the sets in the state. */
  readonly kept: Set<string>;
  /** The primaries of the sets that the run creates. */
  readonly created: Set<string>;
}

/** Terraform configures the provider again for each run. */
const ASKED = new WeakMap<Clusters, Asked>();

interface Run {
  readonly providerData: Clusters;
  readonly diagnostics: Diagnostics;
}

/**
 * Notes a set in the state, and refuses the plan if it also creates the same set. Terraform would
 * end one and create the other in any order, and the result might be no set at all.
 */
export function noteKept(
  { primary, secondaries }: SetState,
  { providerData: provider, diagnostics }: Run,
): void {
  const { kept, created } = askedIn(provider);
  const members = [primary, ...Object.keys(secondaries ?? {})];
  for (const name of members) kept.add(name);
  if (members.some((name) => created.has(name))) refuseSecondSet(primary, diagnostics);
}

/** Notes a set that the plan creates. The plan is refused as by {@link noteKept}. */
export function noteCreated(primary: string, { providerData: provider, diagnostics }: Run): void {
  const { kept, created } = askedIn(provider);
  created.add(primary);
  if (kept.has(primary)) refuseSecondSet(primary, diagnostics);
}

function refuseSecondSet(primary: string, diagnostics: Diagnostics): void {
  const type = `vaultadmin_${REPLICATION_SET.name}`;
  report(diagnostics, 'error', {
    summary: `${REPLICATION_SET.title} ${quote(primary)}: this plan would destroy the set and create it again`,
    details:
      'Either the resource will be replaced (-replace, taint, create_before_destroy), or it has a new address in the ' +
      'configuration, or two resources manage the same set. Destroying the set disables replication on all its clusters, and ' +
      'their data diverges.',
    cures:
      'if the resource was renamed, or moved to a module, add a moved block:\n\n' +
      `  moved {\n    from = ${type}.old_name\n    to   = ${type}.new_name\n  }\n\n` +
      'If two resources manage the set, remove one of them. A set never needs a replacement, because it is changed in place ' +
      '(terraform untaint removes a taint). To end this set and create a new one, destroy it first, and create the new one in a separate apply.',
  });
}

function askedIn(provider: Clusters): Asked {
  const asked = ASKED.get(provider) ?? { kept: new Set(), created: new Set() };
  ASKED.set(provider, asked);
  return asked;
}
