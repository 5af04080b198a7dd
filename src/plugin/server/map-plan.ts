import type { Path } from '../author/diagnostics';
import type { Attribute } from '../author/schema';
import { UNKNOWN } from '../values/unknown';
import { contentOf, isObject, type Content, type ObjectValue } from './content';

/** One attribute of a plan, with its values in the configuration and the state. */
export interface PlannedAttribute {
  readonly path: Path;
  readonly attribute: Attribute;
  readonly plan: unknown;
  readonly config: unknown;
  /**
   * The stored value; null without a counterpart: during creation, in new elements, and in sets.
   */
  readonly state: unknown;
}

/** An object of a plan, with its counterparts in the configuration and the state. */
export interface Counterparts {
  readonly plan: ObjectValue;
  readonly config: ObjectValue;
  readonly state: ObjectValue | null;
}

/**
 * Changes a plan attribute by attribute, outer ones first. Attributes that are missing or unknown
 * in the configuration are visited as a whole, without their content.
 *
 * @param visit returns the new plan of an attribute.
 */
export function mapPlan(
  content: Content,
  { plan, config, state }: Counterparts,
  visit: (place: PlannedAttribute) => unknown,
  path: Path = [],
): ObjectValue {
  const changes: Record<string, unknown> = {};
  const change = (name: string, value: unknown) => {
    if (value !== plan[name]) changes[name] = value;
  };
  for (const [name, attribute] of Object.entries(content.attributes)) {
    const place = {
      path: [...path, name],
      attribute,
      plan: plan[name],
      config: config[name],
      state: state?.[name] ?? null,
    };
    const value = visit(place);
    change(
      name,
      attribute.kind === 'nested'
        ? mapNested(attribute.nesting, contentOf(attribute), { ...place, plan: value }, visit)
        : value,
    );
  }
  for (const [name, block] of Object.entries(content.blocks)) {
    const place = {
      path: [...path, name],
      plan: plan[name],
      config: config[name],
      state: state?.[name] ?? null,
    };
    change(name, mapNested(block.nesting, block, place, visit));
  }
  return Object.keys(changes).length === 0 ? plan : { ...plan, ...changes };
}

function mapNested(
  nesting: 'single' | 'list' | 'set' | 'map',
  content: Content,
  { path, plan, config, state }: Omit<PlannedAttribute, 'attribute'>,
  visit: (place: PlannedAttribute) => unknown,
): unknown {
  if (!isObject(plan) || !isObject(config)) return plan;
  const mapOne = (planned: unknown, configured: unknown, stored: unknown, at: Path) => {
    if (!isObject(planned) || !isObject(configured)) return planned;
    const counterparts = { plan: planned, config: configured, state: isObject(stored) ? stored : null };
    return mapPlan(content, counterparts, visit, at);
  };
  const stored = isObject(state) ? state : {};
  if (nesting === 'single') return mapOne(plan, config, state, path);
  if (nesting === 'map') {
    return Object.fromEntries(
      Object.entries(plan).map(([key, element]) => [
        key,
        mapOne(element, config[key], stored[key], [...path, key]),
      ]),
    );
  }
  const elements = Object.values(plan);
  if (nesting === 'list')
    return elements.map((element, i) => mapOne(element, config[i], stored[i], [...path, i]));
  return elements.map((element, i) =>
    mapOne(element, configOfSetElement(element, config), null, [...path, i]),
  );
}

/**
 * Returns the configuration of a set's element: the first configured element to which the plan only
 * adds values. Elements have neither key nor position.
 */
function configOfSetElement(element: unknown, config: ObjectValue): unknown {
  return Object.values(config).find((candidate) => addsTo(candidate, element));
}

function addsTo(config: unknown, plan: unknown): boolean {
  if (config === null || config === UNKNOWN) return true;
  if (!isObject(config) || !isObject(plan)) return config === plan;
  const names = Object.keys(config);
  return names.length === Object.keys(plan).length && names.every((name) => addsTo(config[name], plan[name]));
}
