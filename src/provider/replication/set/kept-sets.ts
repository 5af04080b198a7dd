import { REPLICATION_SET } from '../../../model';
import type { Message } from '../../../model/messages';
import { report } from '../../messages';
import { perRun, type TerraformRun } from '../../objects';
import { clustersIn, quote } from './planner';
import type { SetState } from './schema';

const TYPE = `vaultadmin_${REPLICATION_SET.name}`;

/** The sets of one Terraform run. */
interface Sets {
  /** The members of the sets in the state. */
  readonly kept: Set<string>;
  /** The primaries of the sets that the run creates. */
  readonly created: Set<string>;
  /** The ids of the sets that stay in the state. */
  readonly staying: Set<string>;
  /** The ids of the sets that the run ends. */
  readonly ended: Set<string>;
}

const setsOf = perRun((): Sets => ({
  kept: new Set(),
  created: new Set(),
  staying: new Set(),
  ended: new Set(),
}));

type Outcome = 'staying' | 'ended';
const OPPOSITE = { staying: 'ended', ended: 'staying' } as const;

/**
 * Notes a set in the state. The plan is refused if it also creates the same set: Terraform may
 * create the set first and then destroy it, so that no set remains.
 */
export function noteKept(state: SetState, run: TerraformRun): void {
  const { kept, created } = setsOf(run.providerData);
  const members = clustersIn(state);
  for (const name of members) kept.add(name);
  if (members.some((name) => created.has(name))) report(run.diagnostics, 'error', replacedSet(state.primary));
}

/**
 * Notes a set that the plan creates. The plan is refused as by {@link noteKept}, and also if it
 * creates the set twice.
 */
export function noteCreated(primary: string, run: TerraformRun): void {
  const { kept, created } = setsOf(run.providerData);
  if (kept.has(primary)) report(run.diagnostics, 'error', replacedSet(primary));
  if (created.has(primary)) refuseSecondResource(primary, 'both create it', run);
  created.add(primary);
}

/**
 * Notes that a set stays in the state, or that the plan ends it, and refuses the plan if another
 * resource for the same set does the opposite. The plan is also refused as by {@link noteKept}.
 */
export function noteOutcome(state: SetState, outcome: Outcome, run: TerraformRun): void {
  noteKept(state, run);
  if (state.cluster_id === null) return;
  const sets = setsOf(run.providerData);
  sets[outcome].add(state.cluster_id);
  if (sets[OPPOSITE[outcome]].has(state.cluster_id))
    refuseSecondResource(state.primary, 'one of them would end it', run);
}

/** Returns the message about a set that Terraform would end and create in the same run. */
export function replacedSet(primary: string): Message {
  return {
    summary: `${REPLICATION_SET.title} ${quote(primary)}: this plan would destroy the set and create it again`,
    details:
      'Either the resource will be replaced (-replace, replace_triggered_by, taint), or it has a new address in the ' +
      'configuration, or two resources manage the same set. Destroying the set disables replication on all its clusters, and ' +
      'their data diverges.',
    cures:
      'if the resource was renamed, or moved to a module, add a moved block:\n\n' +
      `  moved {\n    from = ${TYPE}.old_name\n    to   = ${TYPE}.new_name\n  }\n\n` +
      'If two resources manage the set, remove one of them. A set never needs a replacement, because it is changed in place: ' +
      'remove replace_triggered_by; terraform untaint removes a taint. To end this set and create a new one, destroy it first, and create the new one in a separate apply.',
  };
}

function refuseSecondResource(primary: string, conflict: string, { diagnostics }: TerraformRun): void {
  report(diagnostics, 'error', {
    summary: `${REPLICATION_SET.title} ${quote(primary)}: two resources manage this set, and ${conflict}`,
    details: 'One resource manages a set. Destroying it disables replication on all clusters of the set.',
    cures:
      'remove one of them from the configuration. If it is in the state, let Terraform forget it with a removed block:\n\n' +
      `  removed {\n    from = ${TYPE}.name\n    lifecycle {\n      destroy = false\n    }\n  }\n\n` +
      'If the plan calls one of them a deposed object, which create_before_destroy leaves, run terraform state rm for the ' +
      'resource, and import the set.',
  });
}
