import { stringSet } from './coerce';
import type { FieldValues, Finding, Rule } from './field';
import { literal, type Phrase } from '../messages';

/** What a rule found in one field. An error unless said otherwise. */
export interface Problem extends Omit<Finding, 'severity' | 'rule' | 'field'> {
  readonly severity?: Finding['severity'];
}

/** A problem of a text, wherever it is used: it refers to no field. */
export interface TextProblem extends Problem {
  readonly problem: string;
  readonly received?: string;
  readonly allowed?: string;
  readonly cure: string;
}

/** A rule about one text. It does not look at a field that is left out. */
export function textRule(
  field: string,
  id: string,
  section: string,
  check: (text: string) => Problem | undefined,
): Rule {
  return fieldsRule([field], id, section, (values) => {
    const text = values[field];
    return typeof text === 'string' ? check(text) : undefined;
  });
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

/** A rule about one whole number. It does not look at a field that is left out. */
export function integerRule(
  field: string,
  id: string,
  section: string,
  check: (number: number) => Problem | undefined,
): Rule {
  return fieldsRule([field], id, section, (values) => {
    const number = values[field];
    return typeof number === 'number' ? check(number) : undefined;
  });
}

/** A rule about several fields together. What it finds is told of the first. */
export function fieldsRule(
  reads: readonly [field: string, ...others: readonly string[]],
  id: string,
  section: string,
  check: (values: FieldValues) => Problem | undefined,
): Rule {
  return {
    id,
    section,
    reads,
    check: (values) => {
      const problem = check(values);
      return problem ? [asFinding(reads[0], id, problem)] : [];
    },
  };
}

/** A required text that says nothing. */
export function notEmptyRule(field: string, section: string, cure: Phrase): Rule {
  return textRule(field, `${field.replaceAll('_', '-')}-not-empty`, section, (text) =>
    text.trim() === '' ? { problem: 'must not be empty', received: literal(text), cure } : undefined,
  );
}

function asFinding(field: string, rule: string, problem: Problem): Finding {
  return { severity: 'error', ...problem, rule, field };
}
