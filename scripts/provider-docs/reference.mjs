/** Writes the arguments and attributes of a schema as sections of a page. */

/**
 * Returns the arguments of a configuration: required ones, optional ones, then those of blocks and
 * objects.
 */
export function argumentReference(block) {
  const attributes = Object.entries(block.attributes).filter(([, each]) => isArgument(each));
  const blocks = Object.entries(block.block_types ?? {});
  if (attributes.length === 0 && blocks.length === 0)
    return ['## Argument Reference', 'There are no arguments.'];
  return [
    '## Argument Reference',
    list([...attributes.map(([name, each]) => argument(name, each)), ...blocks.map(blockArgument)]),
    ...attributes.flatMap(([name, each]) => nestedReference(name, each, isArgument)),
    ...blocks.flatMap(([name, { block: inner }]) => [
      `### \`${name}\``,
      list(
        Object.entries(inner.attributes).map(([within, each]) => argument(within, each, !isArgument(each))),
      ),
      ...Object.entries(inner.attributes).flatMap(([within, each]) =>
        nestedReference(`${name}.${within}`, each, isArgument),
      ),
    ]),
  ];
}

/** Returns the attributes that can only be read. */
export function attributeReference(block) {
  const attributes = Object.entries(block.attributes).filter(([, each]) => !isArgument(each));
  if (attributes.length === 0) return [];
  return [
    '## Attribute Reference',
    list(attributes.map(([name, each]) => argument(name, each))),
    ...attributes.flatMap(([name, each]) => nestedReference(name, each, () => true)),
  ];
}

/** Returns the parameters of a function. */
export function parameterList(parameters) {
  return parameters
    .map(({ name, type, description }, i) => `${i + 1}. \`${name}\` (${typeText(type)}) ${description}`)
    .join('\n');
}

/** Returns a type in Terraform's notation: `list(string)`. */
export function typeText(type) {
  if (!Array.isArray(type)) return type;
  const [kind, element] = type;
  if (kind !== 'object') return `${kind}(${typeText(element)})`;
  const attributes = Object.entries(element).map(([name, each]) => `${name}: ${typeText(each)}`);
  return `object({${attributes.join(', ')}})`;
}

function nestedReference(name, { nested_type: nested }, isShown) {
  if (!nested) return [];
  const attributes = Object.entries(nested.attributes).filter(([, each]) => isShown(each));
  const path = nested.nesting_mode === 'map' ? `${name}.<name>` : name;
  return [
    `### \`${path}\``,
    list(attributes.map(([within, each]) => argument(within, each))),
    ...attributes.flatMap(([within, each]) => nestedReference(`${path}.${within}`, each, isShown)),
  ];
}

function argument(name, attribute, isReadOnly = false) {
  const { type, nested_type: nested, required, optional, sensitive, write_only: writeOnly } = attribute;
  const facts = [
    nested ? nestedTypeText(nested) : typeText(type),
    required ? 'required' : optional && 'optional',
    isReadOnly && 'read-only',
    sensitive && 'sensitive',
    writeOnly && 'write-only',
  ];
  return {
    name,
    required,
    text: `(${facts.filter(Boolean).join(', ')}) ${attribute.description ?? ''}`.trim(),
  };
}

function blockArgument([name, { block, min_items: least = 0 }]) {
  const presence = least > 0 ? 'required' : 'optional';
  return { name, required: least > 0, text: `(block, ${presence}) ${block.description ?? ''}`.trim() };
}

function nestedTypeText({ nesting_mode: mode }) {
  return mode === 'single' ? 'object' : `${mode} of objects`;
}

function isArgument({ required, optional }) {
  return required || optional;
}

function list(rows) {
  const sorted = [...rows.filter(({ required }) => required), ...rows.filter(({ required }) => !required)];
  return sorted.map(({ name, text }) => `- \`${name}\` ${text}`).join('\n');
}
