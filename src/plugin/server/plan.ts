import { isDeepStrictEqual } from 'node:util';
import type { Path } from '../author/diagnostics';
import { UNKNOWN } from '../values/unknown';
import type { Content, ObjectValue } from './content';
import { plannedForm } from './same-meaning';
import { isComputed } from './schema-message';
import { mapPlan, type Counterparts, type PlannedAttribute } from './map-plan';

/** The planned values of one resource. */
interface PlannedChange {
  readonly plan: ObjectValue;
  /** The attributes whose change needs a new object. */
  readonly replacements: readonly Path[];
}

/**
 * Plans according to the schema. Terraform's proposal is the configuration, with stored values for
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

/**
 * Returns the planned value of an attribute: null if it is write-only, a default if it is not set,
 * and the stored form if the meaning is the same.
 */
function settle({ attribute: { options }, plan, config, state }: PlannedAttribute): unknown {
  if (options.writeOnly) return null;
  const planned = config === null && options.default !== undefined ? options.default : plan;
  return plannedForm(options, planned, state);
}

/**
 * Returns unknown for computed attributes without a configured value: a change of the resource may
 * change them.
 */
function leaveOpen({ attribute, plan, config }: PlannedAttribute): unknown {
  const open = config === null && isComputed(attribute) && attribute.options.default === undefined;
  return open ? UNKNOWN : plan;
}

function modify(
  { attribute, path, plan, config, state }: PlannedAttribute,
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
