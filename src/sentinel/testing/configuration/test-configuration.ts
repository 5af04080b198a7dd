import { SentinelError, SentinelSyntaxError } from '../../errors';
import { parseJson } from '../../imports/json';
import type { SourceText } from '../../source/source-text';
import { type Span } from '../../source/source-text';
import { MapValue, NativeFault, type Value } from '../../values/value';
import { parseHcl, type Body, type ConfigBlock } from './hcl';

/** Where an import of a test comes from. */
export type ConfiguredImport =
  | { readonly kind: 'data'; readonly data: Value }
  | { readonly kind: 'module'; readonly path: string; readonly span: Span }
  | { readonly kind: 'static'; readonly path: string; readonly span: Span };

/** What a test file says. */
export interface TestConfiguration {
  readonly source: SourceText;
  readonly globals: ReadonlyMap<string, Value>;
  readonly params: ReadonlyMap<string, Value>;
  readonly imports: ReadonlyMap<string, ConfiguredImport>;
  /** What rules must give, in every block `test`; `undefined` if the policy must pass. */
  readonly rules: readonly Expectation[] | undefined;
  /** Whether it is JSON as it was written before HCL. */
  readonly isLegacy: boolean;
}

/** What a rule must give. */
type Expectation = readonly [rule: string, expected: Value];

interface Draft {
  readonly source: SourceText;
  readonly globals: Map<string, Value>;
  readonly params: Map<string, Value>;
  readonly imports: Map<string, ConfiguredImport>;
  rules: readonly Expectation[] | undefined;
  isLegacy: boolean;
}

const START: Span = { start: 0, end: 0 };

/** Reads a test file: JSON by its name, else HCL. */
export function readTestConfiguration(source: SourceText): TestConfiguration {
  const draft: Draft = {
    source,
    globals: new Map(),
    params: new Map(),
    imports: new Map(),
    rules: undefined,
    isLegacy: false,
  };
  if (source.name.endsWith('.json')) readJson(draft);
  else readHcl(draft, parseHcl(source));
  return draft;
}

function readHcl(draft: Draft, body: Body): void {
  const [attribute] = body.attributes;
  if (attribute) {
    const [name, { span }] = attribute;
    throw fault(draft, span, `the attribute "${name}" must be in a block`);
  }
  for (const block of body.blocks) readBlock(draft, block);
}

function readBlock(draft: Draft, block: ConfigBlock): void {
  const [first = '', second] = block.labels;
  switch (block.type) {
    case 'global':
      return add(draft, draft.globals, block, first, attributeOf(draft, block, 'value'));
    case 'param':
      return add(draft, draft.params, block, first, attributeOf(draft, block, 'value'));
    case 'mock':
      return add(draft, draft.imports, block, first, mockOf(draft, block));
    case 'module':
      return add(draft, draft.imports, block, first, { kind: 'module', ...pathOf(draft, block, 'source') });
    case 'import':
      return readImport(draft, block, first, second);
    case 'test':
      draft.rules = [draft.rules, rulesOf(draft, block)].reduce(joined);
      return;
    case 'policy':
    case 'sentinel':
      return;
  }
  throw fault(
    draft,
    block.span,
    `unknown block "${block.type}"`,
    'allowed are global, param, mock, module, import and test',
  );
}

function readImport(draft: Draft, block: ConfigBlock, first: string, second: string | undefined): void {
  if (second === undefined || first === 'plugin') return;
  if (first === 'module') {
    return add(draft, draft.imports, block, second, { kind: 'module', ...pathOf(draft, block, 'source') });
  }
  if (first === 'static') {
    return add(draft, draft.imports, block, second, { kind: 'static', ...pathOf(draft, block, 'source') });
  }
  throw fault(
    draft,
    block.span,
    `unknown kind of import "${first}"`,
    'allowed are module, static and plugin',
  );
}

function add<T>(draft: Draft, values: Map<string, T>, block: ConfigBlock, name: string, value: T): void {
  if (block.labels.length === 0) throw fault(draft, block.span, `the block "${block.type}" requires a name`);
  if (values.has(name)) throw fault(draft, block.span, `"${name}" is already configured`);
  values.set(name, value);
}

function attributeOf(draft: Draft, block: ConfigBlock, name: string): Value {
  const attribute = block.body.attributes.get(name);
  if (attribute) return attribute.value;
  throw fault(draft, block.span, `the block "${block.type}" requires the attribute "${name}"`);
}

function pathOf(draft: Draft, block: ConfigBlock, name: string): { path: string; span: Span } {
  const value = attributeOf(draft, block, name);
  const span = block.body.attributes.get(name)?.span ?? block.span;
  if (typeof value === 'string') return { path: value, span };
  throw fault(draft, span, `"${name}" must be a text`);
}

function mockOf(draft: Draft, block: ConfigBlock): ConfiguredImport {
  const module = block.body.blocks.find(({ type }) => type === 'module');
  if (module) return { kind: 'module', ...pathOf(draft, module, 'source') };
  return { kind: 'data', data: attributeOf(draft, block, 'data') };
}

/** Without any rule, the policy must pass. */
function rulesOf(draft: Draft, block: ConfigBlock): readonly Expectation[] | undefined {
  const attribute = block.body.attributes.get('rules');
  if (!attribute) return undefined;
  if (!(attribute.value instanceof MapValue)) throw fault(draft, attribute.span, '"rules" must be a map');
  return rulesIn(attribute.value);
}

/** A file may have several blocks `test`. */
function joined(
  some: readonly Expectation[] | undefined,
  more: readonly Expectation[] | undefined,
): readonly Expectation[] | undefined {
  return some && more ? [...some, ...more] : (some ?? more);
}

function rulesIn(map: MapValue): readonly Expectation[] | undefined {
  const rules = [...map.entries].map(([name, value]): Expectation => [String(name), value]);
  return rules.length === 0 ? undefined : rules;
}

/** JSON as HCL has it (`test.rules`), or as it was before: names with values, and rules right in `test`. */
function readJson(draft: Draft): void {
  const root = jsonRoot(draft);
  const sections = new Map(
    [...root.entries].map(([key, value]) => [String(key), section(draft, String(key), value)]),
  );
  const test = sections.get('test');
  draft.isLegacy = isLegacy(sections);
  const assigned = (name: string): [string, Value][] =>
    entriesOf(sections.get(name)).map(([key, value]) => [
      key,
      draft.isLegacy ? value : inner(value, 'value'),
    ]);
  for (const [name, value] of assigned('global')) draft.globals.set(name, value);
  for (const [name, value] of assigned('param')) draft.params.set(name, value);
  for (const [name, value] of entriesOf(sections.get('mock')))
    draft.imports.set(name, jsonMock(draft, value));
  for (const key of ['modules', 'module']) {
    for (const [name, value] of entriesOf(sections.get(key)))
      draft.imports.set(name, jsonModule(draft, name, value));
  }
  readJsonImports(draft, sections.get('import'));
  if (test) draft.rules = rulesIn(draft.isLegacy ? test : jsonRules(draft, test));
}

function jsonRoot(draft: Draft): MapValue {
  try {
    const root = parseJson(draft.source.text.replace(/^\uFEFF/, ''));
    if (root instanceof MapValue) return root;
  } catch (error) {
    if (error instanceof SentinelError || !(error instanceof NativeFault)) throw error;
    throw new SentinelSyntaxError(draft.source, START, error.message);
  }
  throw fault(draft, START, 'the text must be a JSON object');
}

function section(draft: Draft, name: string, value: Value): MapValue {
  if (value instanceof MapValue) return value;
  throw fault(draft, START, `"${name}" must be an object`);
}

function entriesOf(map: MapValue | undefined): [string, Value][] {
  return map ? [...map.entries].map(([key, value]) => [String(key), value]) : [];
}

function isLegacy(sections: ReadonlyMap<string, MapValue>): boolean {
  const test = sections.get('test');
  if (test && test.size > 0) return !(test.get('rules') instanceof MapValue);
  const isNew = (value: Value, keys: readonly string[]): boolean =>
    value instanceof MapValue &&
    value.size > 0 &&
    [...value.entries.keys()].every((key) => keys.includes(String(key)));
  return !(
    entriesOf(sections.get('global')).every(([, value]) => isNew(value, ['value'])) &&
    entriesOf(sections.get('param')).every(([, value]) => isNew(value, ['value'])) &&
    entriesOf(sections.get('mock')).every(([, value]) => isNew(value, ['data', 'module']))
  );
}

function jsonMock(draft: Draft, value: Value): ConfiguredImport {
  if (typeof value === 'string') return { kind: 'module', path: value, span: START };
  if (!(value instanceof MapValue))
    throw fault(draft, START, 'a mock must be an object or the path of a file');
  if (draft.isLegacy) return { kind: 'data', data: value };
  const module = value.get('module');
  if (module instanceof MapValue) return jsonModule(draft, 'module', module);
  return { kind: 'data', data: inner(value, 'data') };
}

/** What an object has under a name; the value itself if it has nothing there. */
function inner(value: Value, name: string): Value {
  const found = value instanceof MapValue ? value.get(name) : undefined;
  return found === undefined ? value : found;
}

function jsonModule(draft: Draft, name: string, value: Value): ConfiguredImport {
  const path = value instanceof MapValue ? (value.get('source') ?? value.get('path')) : undefined;
  if (typeof path !== 'string')
    throw fault(draft, START, `the module "${name}" requires the path of its file`);
  return { kind: 'module', path, span: START };
}

function readJsonImports(draft: Draft, imports: MapValue | undefined): void {
  for (const [kind, named] of entriesOf(imports)) {
    if (kind !== 'module' && kind !== 'static') continue;
    for (const [name, value] of entriesOf(section(draft, kind, named))) {
      const { path, span } = { span: START, ...jsonPath(draft, name, value) };
      draft.imports.set(name, { kind, path, span });
    }
  }
}

function jsonPath(draft: Draft, name: string, value: Value): { path: string } {
  const path = value instanceof MapValue ? value.get('source') : undefined;
  if (typeof path === 'string') return { path };
  throw fault(draft, START, `the import "${name}" requires the attribute "source"`);
}

function jsonRules(draft: Draft, test: MapValue): MapValue {
  const rules = test.get('rules');
  return rules === undefined ? new MapValue() : section(draft, 'rules', rules);
}

function fault(draft: Draft, span: Span, problem: string, hint?: string): SentinelSyntaxError {
  return new SentinelSyntaxError(draft.source, span, problem, hint);
}
