import { SentinelSyntaxError } from '../../source/errors';
import { timeOf } from '../../imports/time';
import { isTimeZone } from '../../imports/time-zone';
import type { SourceText, Span } from '../../source/source-text';
import { showTraced } from '../../values/show';
import { MapValue, NativeFault, type Value } from '../../values/value';
import { parseHcl, type ConfigBody, type ConfigBlock } from './hcl';
import { jsonRoot } from './json-body';

/** The source of an import in a test. */
export type ConfiguredImport =
  | { readonly kind: 'data'; readonly data: Value }
  | { readonly kind: 'module'; readonly path: string; readonly span: Span }
  | { readonly kind: 'static'; readonly path: string; readonly span: Span };

/** The contents of a test file. */
export type TestConfiguration = Readonly<Draft>;

/** The configuration of the import `time`. */
interface TimeSettings {
  /** The time zone of `time.now`, such as `Europe/Berlin`. */
  readonly zone?: string;
  /** The value of `time.now` in nanoseconds since 1970. */
  readonly now?: bigint;
}

/** The enforcement levels: an advisory policy refuses nothing. */
const LEVELS = ['advisory', 'soft-mandatory', 'hard-mandatory'] as const;
export type SentinelLevel = (typeof LEVELS)[number];

/** A policy that a configuration names. */
export interface ConfiguredPolicy {
  readonly name: string;
  /** The path relative to the configuration, or a remote source. */
  readonly source: string;
  readonly level: SentinelLevel;
  readonly params: ReadonlyMap<string, Value>;
  readonly span: Span;
}

/** The expected value of a rule. */
type Expectation = readonly [rule: string, expected: Value];

/** A configuration while it is read. */
interface Draft {
  readonly source: SourceText;
  readonly globals: Map<string, Value>;
  readonly params: Map<string, Value>;
  readonly imports: Map<string, ConfiguredImport>;
  /** The plugins, which are programs of their own, with the position of their name. */
  readonly plugins: Map<string, Span>;
  time: TimeSettings;
  readonly policies: ConfiguredPolicy[];
  /** The expected values of rules, from every block `test`; `undefined` if the policy must pass. */
  rules: readonly Expectation[] | undefined;
  /** Whether the file is in the JSON format from before HCL. */
  isLegacy: boolean;
}

const START: Span = { start: 0, end: 0 };

/** Reads a test file: JSON if its name ends so, otherwise HCL. */
export function readTestConfiguration(source: SourceText): TestConfiguration {
  if (!source.name.endsWith('.json')) return configurationIn(source, parseHcl(source));
  const draft = draftOf(source);
  readJson(draft);
  return draft;
}

/** Reads a configuration that is already parsed, from HCL or its JSON form. */
export function configurationIn(source: SourceText, body: ConfigBody): TestConfiguration {
  const draft = draftOf(source);
  readHcl(draft, body);
  return draft;
}

function draftOf(source: SourceText): Draft {
  return {
    source,
    globals: new Map(),
    params: new Map(),
    imports: new Map(),
    plugins: new Map(),
    time: {},
    policies: [],
    rules: undefined,
    isLegacy: false,
  };
}

function readHcl(draft: Draft, body: ConfigBody): void {
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
      return readPolicy(draft, block, first);
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
  if (second === undefined) return;
  if (first === 'plugin') {
    if (second === 'time') readTime(draft, block);
    else draft.plugins.set(second, block.span);
    return;
  }
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

function readPolicy(draft: Draft, { span, body: { attributes } }: ConfigBlock, name: string): void {
  const source = attributes.get('source')?.value ?? `${name}.sentinel`;
  const params = attributes.get('params')?.value;
  const written = attributes.get('enforcement_level');
  const level = written ? LEVELS.find((each) => each === written.value) : 'advisory';
  if (!level) {
    const problem = `the enforcement level of "${name}" is not valid`;
    throw fault(draft, written?.span ?? span, problem, `allowed are ${LEVELS.join(', ')}`);
  }
  if (typeof source !== 'string') return;
  draft.policies.push({
    ...{ name, source, level, span },
    params: new Map(entriesOf(params instanceof MapValue ? params : undefined)),
  });
}

/** Reads `import "plugin" "time"`, with `timezone` and, as in older versions, `fixed_time`. */
function readTime(draft: Draft, block: ConfigBlock): void {
  const attribute = block.body.attributes.get('config');
  if (attribute?.value instanceof MapValue) setTime(draft, attribute.value, attribute.span);
}

function setTime(draft: Draft, config: MapValue, span: Span): void {
  const zone = config.get('timezone');
  const fixed = config.get('fixed_time');
  if (zone !== undefined && (typeof zone !== 'string' || !isTimeZone(zone))) {
    const hint = 'write a name such as "UTC" or "Europe/Berlin"';
    throw fault(draft, span, `timezone is not a known time zone: ${showTraced(zone)}`, hint);
  }
  draft.time = {
    ...(zone !== undefined && { zone }),
    ...(fixed !== undefined && { now: fixedTime(draft, fixed, span) }),
  };
}

function fixedTime(draft: Draft, fixed: Value, span: Span): bigint {
  try {
    return timeOf(fixed);
  } catch (error) {
    if (error instanceof NativeFault) throw fault(draft, span, `fixed_time is not valid: ${error.message}`);
    throw error;
  }
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

/**
 * Returns the expected values of rules; `undefined` if there are none, so that the policy must
 * pass.
 */
function rulesOf(draft: Draft, block: ConfigBlock): readonly Expectation[] | undefined {
  const attribute = block.body.attributes.get('rules');
  if (!attribute) return undefined;
  if (!(attribute.value instanceof MapValue)) throw fault(draft, attribute.span, '"rules" must be a map');
  return rulesIn(attribute.value);
}

/** Joins the expected values of several blocks `test`. */
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

/**
 * Reads the JSON form of HCL (`test.rules`), or the older format, which has names with values, and
 * rules directly in `test`.
 */
function readJson(draft: Draft): void {
  const root = jsonRoot(draft.source);
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

/** Returns a member of an object; the object itself if the member is missing. */
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
    if (kind === 'plugin') {
      const time = named instanceof MapValue ? named.get('time') : undefined;
      const config = time instanceof MapValue ? time.get('config') : undefined;
      if (config instanceof MapValue) setTime(draft, config, START);
      for (const [name] of entriesOf(section(draft, kind, named))) draft.plugins.set(name, START);
    }
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
