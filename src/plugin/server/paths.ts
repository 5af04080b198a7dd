import { Defect } from '../defect';
import type { Path } from '../author/diagnostics';
import type { Block } from '../author/schema';
import type { Type } from '../values/type';
import type { AttributePath, AttributePath_Step } from '../wire/generated/tfplugin6';
import { attributeType, contentType, type Content } from './content';

/** Returns a path as text: `rules[0].path`. */
export function pathText(path: Path): string {
  return path
    .map((step, i) => (typeof step === 'number' ? `[${step}]` : i === 0 ? step : `.${step}`))
    .join('');
}

/** Returns the path of a replacement for Terraform. */
export function attributePath(content: Content, path: Path): AttributePath {
  return { steps: stepsIn(contentType(content), path) };
}

/**
 * Returns the steps into a value of `type`. They end before the elements of a set, which have no
 * address.
 */
function stepsIn(type: Type, [step, ...rest]: Path): AttributePath_Step[] {
  if (step === undefined) return [];
  switch (type.kind) {
    case 'object': {
      const attribute = type.attributes[step];
      if (!attribute) throw new Defect(`a path leads to ${step}, which the schema does not have`);
      return [nameStep(String(step)), ...stepsIn(attribute, rest)];
    }
    case 'list':
    case 'map':
      return [keyStep(step), ...stepsIn(type.element, rest)];
    case 'tuple':
      return [keyStep(step), ...stepsIn(type.elements[Number(step)]!, rest)];
    default:
      return [];
  }
}

/**
 * Returns the part of a path for which Terraform can show a line of the configuration: an attribute
 * or one part of its value, at the top level or in blocks. For a deeper path, Terraform would show
 * the whole resource.
 */
export function visiblePath(
  { attributes, blocks }: Content,
  [name, key, ...rest]: Path,
): AttributePath_Step[] {
  if (name === undefined) return [];
  const block: Block | undefined = blocks[name];
  if (block) {
    if (block.nesting === 'single')
      return [nameStep(String(name)), ...visiblePath(block, key === undefined ? [] : [key, ...rest])];
    if (block.nesting === 'set' || key === undefined) return [nameStep(String(name))];
    return [nameStep(String(name)), keyStep(key), ...visiblePath(block, rest)];
  }
  const attribute = attributes[name];
  const isSet = attribute !== undefined && attributeType(attribute).kind === 'set';
  return key === undefined || isSet ? [nameStep(String(name))] : [nameStep(String(name)), keyStep(key)];
}

function nameStep(attributeName: string): AttributePath_Step {
  return { selector: { $case: 'attributeName', attributeName } };
}

function keyStep(key: string | number): AttributePath_Step {
  return typeof key === 'number'
    ? { selector: { $case: 'elementKeyInt', elementKeyInt: key } }
    : { selector: { $case: 'elementKeyString', elementKeyString: key } };
}
