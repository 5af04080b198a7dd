/**
 * Checks Terraform's rules for the plan of a resource, its "resource instance change lifecycle".
 * Terraform checks the same rules: it never refuses a plan without violations as "Provider produced
 * invalid plan".
 */
import { isDeepStrictEqual } from 'node:util';
import { isWhollyKnown, UNKNOWN, type Attribute, type Block, type Path } from '../../../src/plugin';
import { contentOf, type Content, type ObjectValue } from '../../../src/plugin/server/content';
import { isComputed } from '../../../src/plugin/server/schema-message';

interface ValueStages {
  readonly planned: unknown;
  readonly config: unknown;
  readonly prior: unknown;
}

/** Returns the violations of a plan, each with its position. */
export function planViolations(
  content: Content,
  { planned, config, prior }: { planned: ObjectValue; config: ObjectValue; prior: ObjectValue | null },
  path: Path = [],
): string[] {
  const at = (name: string): ValueStages => ({
    planned: planned[name] ?? null,
    config: config[name] ?? null,
    prior: prior?.[name] ?? null,
  });
  return [
    ...Object.entries(content.attributes).flatMap(([name, attribute]) =>
      ofAttribute(attribute, at(name), [...path, name]),
    ),
    ...Object.entries(content.blocks).flatMap(([name, block]) => ofBlock(block, at(name), [...path, name])),
  ];
}

function ofAttribute(attribute: Attribute, values: ValueStages, path: Path): string[] {
  const { planned, config, prior } = values;
  if (attribute.options.writeOnly) return planned === null ? [] : [at(path, 'is write-only, but planned')];
  if (isDeepStrictEqual(planned, config)) return [];
  if (config === null && isComputed(attribute)) return [];
  if (config !== null && prior !== null && isDeepStrictEqual(planned, prior)) return [];
  if (attribute.kind === 'nested' && isObject(config) && isObject(planned)) {
    return ofObjects(attribute.nesting, contentOf(attribute), values, path);
  }
  return [at(path, `is ${text(config)} in the configuration, but planned as ${text(planned)}`)];
}

function ofBlock(block: Block, values: ValueStages, path: Path): string[] {
  const { planned, config } = values;
  if (isDeepStrictEqual(planned, config)) return [];
  if (!isObject(config) || !isObject(planned)) {
    return [at(path, `is ${text(config)} in the configuration, but planned as ${text(planned)}`)];
  }
  return ofObjects(block.nesting, block, values, path);
}

function ofObjects(nesting: string, content: Content, values: ValueStages, path: Path): string[] {
  const { planned, config, prior } = values;
  if (nesting === 'single') return planViolations(content, asObjects(values), path);
  const [plannedKeys, configKeys] = [planned, config].map((value) => Object.keys(value as object));
  if (!isDeepStrictEqual(plannedKeys, configKeys)) {
    return [
      at(path, `has elements ${text(configKeys)} in the configuration, but ${text(plannedKeys)} planned`),
    ];
  }
  return (configKeys ?? []).flatMap((key) => {
    const of = (value: unknown) => (isObject(value) ? (value[key] ?? null) : null);
    const element = { planned: of(planned), config: of(config), prior: nesting === 'set' ? null : of(prior) };
    if (isDeepStrictEqual(element.planned, element.config)) return [];
    if (!isObject(element.planned) || !isObject(element.config)) {
      return [
        at(
          [...path, key],
          `is ${text(element.config)} in the configuration, but planned as ${text(element.planned)}`,
        ),
      ];
    }
    return planViolations(content, asObjects(element), [...path, key]);
  });
}

function asObjects({ planned, config, prior }: ValueStages) {
  return {
    planned: planned as ObjectValue,
    config: config as ObjectValue,
    prior: isObject(prior) ? prior : null,
  };
}

/**
 * Returns the known values of the first plan that differ in the second plan, in which more is
 * known. Terraform refuses them as "Provider produced inconsistent final plan".
 */
export function brokenPromises(first: unknown, second: unknown, path: Path = []): string[] {
  if (first === UNKNOWN || isDeepStrictEqual(first, second)) return [];
  if (isObject(first) && isObject(second) && (!Array.isArray(first) || !isWhollyKnown(first))) {
    const names = [...new Set([...Object.keys(first), ...Object.keys(second)])];
    return names.flatMap((name) =>
      brokenPromises(first[name] ?? null, second[name] ?? null, [...path, name]),
    );
  }
  return [at(path, `was planned as ${text(first)}, and is ${text(second)} when more is known`)];
}

function at(path: Path, problem: string): string {
  return `${path.join('.')} ${problem}`;
}

function text(value: unknown): string {
  return value === UNKNOWN
    ? 'unknown'
    : JSON.stringify(value, (_key, part: unknown) => (part === UNKNOWN ? '(unknown)' : part));
}

function isObject(value: unknown): value is ObjectValue {
  return typeof value === 'object' && value !== null;
}
