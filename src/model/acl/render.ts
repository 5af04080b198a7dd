import { isRecord } from '../../text';
import type { AclControlGroup, AclRule } from './policy';

/** A rule to be written. TTLs are seconds, or duration text such as `10m`. */
export interface AclRuleSource extends Omit<AclRule, 'minWrappingTtl' | 'maxWrappingTtl' | 'controlGroup'> {
  /** The comment above the rule. */
  readonly comment?: string;
  readonly minWrappingTtl?: number | string;
  readonly maxWrappingTtl?: number | string;
  readonly controlGroup?: AclControlGroupSource;
}

export interface AclControlGroupSource extends Omit<AclControlGroup, 'ttl'> {
  readonly ttl?: number | string;
}

/**
 * Writes rules as HCL policy text: in the order given, indented by two blanks, with a blank line
 * between rules. `${…}` is not escaped, because HCL 1 and tokens of the CDK need it as it is.
 */
export function renderAclPolicy(rules: readonly AclRuleSource[]): string {
  return rules.map(renderRule).join('\n');
}

function renderRule(rule: AclRuleSource): string {
  const comment =
    rule.comment === undefined ? [] : rule.comment.split(/\r?\n/).map((line) => `# ${line}`.trimEnd());
  const body = [
    argument('capabilities', rule.capabilities),
    argument('required_parameters', rule.requiredParameters),
    argument('allowed_parameters', rule.allowedParameters),
    argument('denied_parameters', rule.deniedParameters),
    argument('min_wrapping_ttl', rule.minWrappingTtl),
    argument('max_wrapping_ttl', rule.maxWrappingTtl),
    argument('mfa_methods', rule.mfaMethods),
    argument('subscribe_event_types', rule.subscribeEventTypes),
    ...controlGroup(rule.controlGroup),
  ].flat();
  return [...comment, ...block(`path ${quote(rule.path)}`, body), ''].join('\n');
}

function controlGroup(group: AclControlGroupSource | undefined): readonly string[] {
  if (!group) return [];
  const factors = group.factors.flatMap((factor) => {
    const identity = [
      argument('group_ids', factor.groupIds.length > 0 ? factor.groupIds : undefined),
      argument('group_names', factor.groupNames.length > 0 ? factor.groupNames : undefined),
      argument('approvals', factor.approvals),
    ].flat();
    const { controlledCapabilities: controlled } = factor;
    return block(`factor ${quote(factor.name)}`, [
      ...argument('controlled_capabilities', controlled.length > 0 ? controlled : undefined),
      ...block('identity', identity),
    ]);
  });
  return block('control_group', [...argument('ttl', group.ttl), ...factors]);
}

function block(head: string, lines: readonly string[]): readonly string[] {
  return [`${head} {`, ...lines.map((line) => `  ${line}`), '}'];
}

function argument(name: string, value: unknown): readonly string[] {
  if (value === undefined) return [];
  if (!isRecord(value)) return [`${name} = ${inline(value)}`];
  return block(
    `${name} =`,
    Object.entries(value).map(([key, inner]) => `${quote(key)} = ${inline(inner)}`),
  );
}

function inline(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (isRecord(value)) {
    return `{ ${Object.entries(value)
      .map(([key, inner]) => `${quote(key)} = ${inline(inner)}`)
      .join(', ')} }`;
  }
  return String(value);
}

/** Matches expressions as a whole, and the characters that have to be escaped. */
// eslint-disable-next-line no-control-regex -- control characters have to be escaped
const TO_ESCAPE = /(\$\{[^{}"\\\n]*\})|\$(?=\{)|["\\\0-\x1f\x7f-\x9f]/gu;

/**
 * Returns a quoted string. The `$` of a `${` that is never closed is escaped: it would otherwise
 * include the rest of the text.
 */
function quote(text: string): string {
  return `"${text.replace(TO_ESCAPE, (match, interpolation?: string) => interpolation ?? escape(match))}"`;
}

function escape(char: string): string {
  switch (char) {
    case '"':
    case '\\':
      return `\\${char}`;
    case '\n':
      return '\\n';
    case '\r':
      return '\\r';
    case '\t':
      return '\\t';
    default:
      return `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
  }
}
