import type { Attribute, Block } from '../../../src/plugin';
import { contentOf, type Content, type ObjectValue } from '../../../src/plugin/server/content';
import { isComputed } from '../../../src/plugin/server/schema-message';

/**
 * Returns the plan that Terraform proposes to a provider: the configuration, with stored values for
 * computed attributes that it leaves out.
 */
export function proposedNew(content: Content, prior: ObjectValue | null, config: ObjectValue): ObjectValue {
  const of = (name: string): [before: unknown, wanted: unknown] => [
    prior?.[name] ?? null,
    config[name] ?? null,
  ];
  return Object.fromEntries([
    ...Object.entries(content.attributes).map(([name, attribute]) => [
      name,
      ofAttribute(attribute, ...of(name)),
    ]),
    ...Object.entries(content.blocks).map(([name, block]) => [name, ofBlock(block, ...of(name))]),
  ]) as ObjectValue;
}

function ofAttribute(attribute: Attribute, prior: unknown, config: unknown): unknown {
  if (config === null && isComputed(attribute)) return prior;
  return attribute.kind === 'nested'
    ? ofObjects(attribute.nesting, contentOf(attribute), prior, config)
    : config;
}

function ofBlock(block: Block, prior: unknown, config: unknown): unknown {
  return ofObjects(block.nesting, block, prior, config);
}

function ofObjects(nesting: string, content: Content, prior: unknown, config: unknown): unknown {
  if (!isObject(config)) return config;
  const one = (before: unknown, wanted: unknown) =>
    isObject(wanted) ? proposedNew(content, isObject(before) ? before : null, wanted) : wanted;
  if (nesting === 'single') return one(prior, config);
  const before = isObject(prior) && nesting !== 'set' ? prior : {};
  if (Array.isArray(config)) return config.map((wanted, index) => one(before[index], wanted));
  return Object.fromEntries(Object.entries(config).map(([key, wanted]) => [key, one(before[key], wanted)]));
}

function isObject(value: unknown): value is ObjectValue {
  return typeof value === 'object' && value !== null;
}
