import { isDeepStrictEqual } from 'node:util';
import type { Path } from '../author/diagnostics';
import { UNKNOWN } from '../values/unknown';
import type { Content, ObjectValue } from './content';
import { plannedForm } from './same-meaning';
import { isComputed } from './schema-message';
import { mapPlan, type Counterparts, type Place } from './walk';

/** What is planned for one resource. */
interface PlannedChange {
  readonly plan: ObjectValue;
  /** The attributes whose change needs a new object. */
  readonly replacements: readonly Path[];
}

/**
 * Plans according to the schema, from Terraform's proposal: that is the configuration, with what the state holds for
 * computed attributes that the configuration leaves out.
 */
export function planBySchema(content: Content, proposal: Counterparts): PlannedChange {
  const settled = { ...proposal, plan: mapPlan(content, proposal, settle) };
  if (isDeepStrictEqual(settled.plan, settled.state)) return { plan: settled.plan, replacements: [] };
  const open = { ...settled, plan: mapPlan(content, settled, leaveOpen) };
  const replacements: Path[] = [];
  const plan = mapPlan(content, open, (place) =>
    modify(place, { creating: open.state === null, replacements }),
  );
  return { plan, replacements };
}

/** Write-only values are not planned; defaults are. A value with the same meaning as before is not a change. */
function settle({ attribute: { options }, plan, config, state }: Place): unknown {
  if (options.writeOnly) return null;
  const planned = config === null && options.default !== undefined ? options.default : plan;
  return plannedForm(options, planned, state);
}

/** Whatever changes may change what the provider computes: it is known after apply. */
function leaveOpen({ attribute, plan, config }: Place): unknown {
  const open = config === null && isComputed(attribute) && attribute.options.default === undefined;
  return open ? UNKNOWN : plan;
}

function modify(
  { attribute, path, plan, config, state }: Place,
  { creating, replacements }: { creating: boolean; replacements: Path[] },
): unknown {
  let planned = plan;
  for (const modifier of attribute.options.planModifiers ?? []) {
    const result = modifier({ path, config, state, plan: planned, creating });
    if ('plan' in result) planned = result.plan;
    if (result.requiresReplace && !creating && !isDeepStrictEqual(planned, state)) replacements.push(path);
  }
  return planned;
}
