import { stringSet } from './coerce';
import type { Finding, Rule } from './field';

/** What a rule found in one field. An error unless said otherwise. */
export interface Problem extends Omit<Finding, 'severity' | 'rule' | 'field'> {
  readonly severity?: Finding['severity'];
}

/** A rule about one text. It does not look at a field that is left out. */
export function textRule(
  field: string,
  id: string,
  section: string,
  check: (text: string) => Problem | undefined,
): Rule {
  return {
    id,
    section,
    reads: [field],
    check: (values) => {
      const text = values[field];
      const problem = typeof text === 'string' ? check(text) : undefined;
      return problem ? [asFinding(field, id, problem)] : [];
    },
  };
}

/** A rule about a set of texts. It does not look at a field that is left out. */
export function setRule(
  field: string,
  id: string,
  section: string,
  check: (texts: readonly string[]) => readonly Problem[],
): Rule {
  return {
    id,
    section,
    reads: [field],
    check: (values) => check(stringSet(values[field]) ?? []).map((problem) => asFinding(field, id, problem)),
  };
}

function asFinding(field: string, rule: string, problem: Problem): Finding {
  return { severity: 'error', ...problem, rule, field };
}
