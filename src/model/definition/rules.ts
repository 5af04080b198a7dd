import { stringSet } from './coerce';
import type { FieldValues, Finding, Rule } from './field';
import { literal, type Phrase } from '../messages';

/** A problem of one field. It is an error unless it has another severity. */
export interface Problem extends Omit<Finding, 'severity' | 'rule' | 'field'> {
  readonly severity?: Finding['severity'];
}

/** A problem of a text that refers to no field, so that it can be used anywhere. */
export interface TextProblem extends Problem {
  readonly problem: string;
  readonly received?: string;
  readonly allowed?: string;
  readonly cure: string;
}

/** Returns a rule about one text. An absent field is not checked. */
export function textRule(field: string, id: string, check: (text: string) => Problem | undefined): Rule {
  return fieldsRule([field], id, (values) => {
    const text = values[field];
    return typeof text === 'string' ? check(text) : undefined;
  });
}

/** Returns a rule about a set of texts. An absent field is not checked. */
export function setRule(
  field: string,
  id: string,
  check: (texts: readonly string[]) => readonly Problem[],
): Rule {
  return {
    id,
    reads: [field],
    check: (values) => check(stringSet(values[field]) ?? []).map((problem) => asFinding(field, id, problem)),
  };
}

/** Returns a rule about one whole number. An absent field is not checked. */
export function integerRule(field: string, id: string, check: (number: number) => Problem | undefined): Rule {
  return fieldsRule([field], id, (values) => {
    const number = values[field];
    return typeof number === 'number' ? check(number) : undefined;
  });
}

/** Returns a rule about several fields together. Its findings name the first field. */
export function fieldsRule(
  reads: readonly [field: string, ...others: readonly string[]],
  id: string,
  check: (values: FieldValues) => Problem | undefined,
): Rule {
  return {
    id,
    reads,
    check: (values) => {
      const problem = check(values);
      return problem ? [asFinding(reads[0], id, problem)] : [];
    },
  };
}

/** Returns the rule that a required text must not be blank. */
export function notEmptyRule(field: string, cure: Phrase): Rule {
  return textRule(field, `${field.replaceAll('_', '-')}-not-empty`, (text) =>
    text.trim() === '' ? { problem: 'must not be empty', received: literal(text), cure } : undefined,
  );
}

function asFinding(field: string, rule: string, problem: Problem): Finding {
  return { severity: 'error', ...problem, rule, field };
}
