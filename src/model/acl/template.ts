import { tryParseDuration } from '../durations';
import type { AclPolicy, AclRule } from './policy';

/** The identity of a token, as templates in paths (`{{identity…}}`) refer to it. */
export interface AclIdentity {
  /** The entity. Absent for tokens without an identity. */
  readonly entity?: AclEntity;
  /** The groups of the entity, inherited ones included. */
  readonly groups?: readonly AclGroup[];
}

export interface AclEntity extends AclNamed {
  readonly aliases?: readonly AclAlias[];
}

export interface AclAlias extends AclNamed {
  /** The accessor of the auth method of the alias. */
  readonly mountAccessor: string;
  readonly customMetadata?: Readonly<Record<string, string>>;
}

export interface AclGroup extends AclNamed {
  readonly id: string;
}

interface AclNamed {
  readonly id?: string;
  readonly name?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** The values for templates. */
interface TemplateValues {
  readonly identity?: AclIdentity | undefined;
  /** The value of `{{time.now}}`, in seconds since 1970. */
  readonly now: number;
  /**
   * Leave a rule out if a value holds `*` or `+`, as servers from 1.19.17, 1.20.11, 1.21.6 and
   * 2.0.1 on do.
   */
  readonly refuseGlobs: boolean;
  /** Leave a rule out if a value holds a slash. */
  readonly refuseSlashes: boolean;
}

/**
 * Whether a path contains `{{…}}`, which the server replaces by facts about the token's identity,
 * or by the time.
 */
export function isTemplated(path: string): boolean {
  return path.includes('{{');
}

/** Whether rules of a policy change with the time. */
export function changesWithTime({ rules }: AclPolicy): boolean {
  return rules.some(({ path }) => /\{\{\s*time\./.test(path));
}

/**
 * Refuses braces that do not pair up. The server checks the text between them only when a token
 * uses the policy.
 */
export function checkTemplate(
  path: string,
  refuse: (message: string, fault: { readonly kind: 'braces-of-template' }) => Error,
): void {
  const [before = '', ...pieces] = path.split('{{');
  if (before.includes('}}') || pieces.some((piece) => piece.split('}}').length !== 2)) {
    throw refuse('failed to validate policy templating: unbalanced templating characters', {
      kind: 'braces-of-template',
    });
  }
}

/**
 * Returns the rules of a policy for one token. Rules with a template without a value are left out.
 */
export function filledRules({ rules }: AclPolicy, values: TemplateValues): readonly AclRule[] {
  return rules.flatMap((rule): readonly AclRule[] => {
    if (!isTemplated(rule.path)) return [rule];
    const path = filledPath(rule.path, values);
    return path === undefined ? [] : [{ ...rule, path }];
  });
}

/**
 * The texts of a path around its templates, and the selectors of the templates. There is one more
 * text than selectors.
 */
interface TemplateParts {
  readonly texts: readonly string[];
  readonly selectors: readonly string[];
}

export function templateParts(path: string): TemplateParts {
  const [first = '', ...pieces] = path.split('{{');
  const texts = [first];
  const selectors: string[] = [];
  for (const piece of pieces) {
    const end = piece.indexOf('}}');
    if (end < 0) {
      texts.push(`${texts.pop()!}{{${piece}`);
      continue;
    }
    selectors.push(piece.slice(0, end).trim());
    texts.push(piece.slice(end + 2));
  }
  return { texts, selectors };
}

/** Returns the selectors of the templates of a path. */
export function selectorsOf(path: string): readonly string[] {
  return templateParts(path).selectors;
}

const ID = /^identity\.(entity|entity\.aliases\.[^.]+|groups\.(ids|names)\.[^.]+)\.id$/;

/**
 * Whether people choose the text that a selector stands for. Other texts, such as ids and times,
 * contain no `*` and no `+`.
 */
export function isChosenByPeople(selector: string): boolean {
  return selector.startsWith('identity.') && !ID.test(selector);
}

/** Returns the path with a value for each of its templates. */
export function withValues(path: string, valueFor: (selector: string) => string): string {
  const { texts, selectors } = templateParts(path);
  const filled = texts.map((text, index) => (index === 0 ? text : valueFor(selectors[index - 1]!) + text));
  return filled.join('').replace(/^\//, '');
}

function filledPath(path: string, values: TemplateValues): string | undefined {
  const [start = '', ...pieces] = path.split('{{');
  let filled = start;
  for (const piece of pieces) {
    const [selector = '', rest = ''] = piece.split('}}');
    const value = valueOf(selector.trim(), values);
    if (value === undefined || value === '') return undefined;
    if (values.refuseGlobs && /[*+]/.test(value)) return undefined;
    if (values.refuseSlashes && value.includes('/')) return undefined;
    filled += value + rest;
  }
  return filled.replace(/^\//, '');
}

function valueOf(selector: string, { identity = {}, now }: TemplateValues): string | undefined {
  const { entity, groups = [] } = identity;
  const [kind, ...rest] = selector.split('.');
  if (kind === 'time') return timeOf(rest.join('.'), now);
  const [which, ...of] = rest;
  if (kind !== 'identity') return undefined;
  if (which === 'entity') return entity && ofEntity(entity, of);
  if (which !== 'groups') return undefined;
  const [by, key, ...field] = of;
  if (by !== 'ids' && by !== 'names') return undefined;
  const group = groups.find(({ id, name }) => (by === 'ids' ? id : name) === key);
  return group && ofNamed(group, field);
}

function ofEntity(entity: AclEntity, [field, accessor, ...rest]: readonly string[]): string | undefined {
  if (field !== 'aliases')
    return ofNamed(entity, [field ?? '', ...(accessor === undefined ? [] : [accessor]), ...rest]);
  const alias = entity.aliases?.find(({ mountAccessor }) => mountAccessor === accessor);
  if (!alias) return undefined;
  const [name, ...keys] = rest;
  return name === 'custom_metadata' ? textAt(alias.customMetadata, keys) : ofNamed(alias, rest);
}

function ofNamed(named: AclNamed, [field, ...keys]: readonly string[]): string | undefined {
  if (field === 'metadata') return textAt(named.metadata, keys);
  if (keys.length > 0) return undefined;
  return field === 'id' ? named.id : field === 'name' ? named.name : undefined;
}

/** Returns a text of metadata. Its keys may hold dots. */
function textAt(
  metadata: Readonly<Record<string, string>> | undefined,
  keys: readonly string[],
): string | undefined {
  const key = keys.join('.');
  return metadata && Object.hasOwn(metadata, key) ? metadata[key] : undefined;
}

function timeOf(selector: string, now: number): string | undefined {
  const match = /^now(?:\.(plus|minus)\.(.+))?$/.exec(selector);
  if (!match) return undefined;
  const [, sign, duration] = match;
  if (duration === undefined) return String(Math.floor(now));
  const seconds = tryParseDuration(duration);
  if (seconds === undefined) return undefined;
  return String(Math.floor(sign === 'plus' ? now + seconds : now - seconds));
}
