import { TerraformElement, TerraformStack } from 'cdktf';
import { isCertainReference } from './certain-reference';
import { textInStack } from './stack-text';

/**
 * Matches a reference to an attribute of a resource or data source: `random_password.pin.result`,
 * `data.x.y[0].z`.
 */
const ATTRIBUTE = /(?<![\w.-])(data\.|resource\.)?([a-z][\w-]*)\.([A-Za-z_][\w-]*)(?:\[[^\]]*\])?\.(\w+)/g;

/** The maximum number of references from one argument to the next. */
const MOST_STEPS = 10;

type Arguments = Readonly<Record<string, unknown>>;
type Blocks = Readonly<
  Record<string, Readonly<Record<string, Readonly<Record<string, Arguments>>>> | undefined>
>;

/**
 * Returns the first attribute in a text whose value is a literal in the code: it is an argument of
 * a resource or data source of the stack, and Terraform returns arguments as they are set.
 */
export function argumentOfCode(element: TerraformElement, text: string, steps = 0): string | undefined {
  for (const [reference, prefix = '', type = '', name = '', attribute = ''] of text.matchAll(ATTRIBUTE)) {
    const owner = ownerOf(element, prefix === 'data.' ? 'data' : 'resource', type, name);
    const value = owner?.arguments[attribute];
    if (!owner || value === undefined || value === null) continue;
    if (typeof value !== 'string' || steps === MOST_STEPS) return reference;
    const source = textInStack(owner.element, value);
    if (!isCertainReference(source) || argumentOfCode(owner.element, source, steps + 1) !== undefined) {
      return reference;
    }
  }
  return undefined;
}

function ownerOf(
  element: TerraformElement,
  kind: 'data' | 'resource',
  type: string,
  name: string,
): { readonly element: TerraformElement; readonly arguments: Arguments } | undefined {
  for (const each of TerraformStack.of(element).node.findAll()) {
    if (!TerraformElement.isTerraformElement(each) || each.friendlyUniqueId !== name) continue;
    const blocks = each.toTerraform() as Blocks;
    const found = blocks[kind]?.[type]?.[name];
    if (found) return { element: each, arguments: found };
  }
  return undefined;
}
