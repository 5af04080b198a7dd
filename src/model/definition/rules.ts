import { stringSet } from './coerce';
import type { FieldValues, Finding, Rule } from './field';
import { shortDurationProblem } from '../durations';
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
  return fieldsRule([field], id, (values) => check(stringSet(values[field]) ?? []));
}

/** Returns a rule about one whole number. An absent field is not checked. */
export function integerRule(field: string, id: string, check: (number: number) => Problem | undefined): Rule {
  return fieldsRule([field], id, (values) => {
    const number = values[field];
    return typeof number === 'number' ? check(number) : undefined;
  });
}

/** Returns the rule that a duration is at least one second. An absent field is not checked. */
export function durationRule(
  field: string,
  { allowed, cure }: Required<Pick<Problem, 'allowed' | 'cure'>>,
): Rule {
  return fieldsRule([field], `${field}-positive`, ({ [field]: value }) => {
    if (typeof value !== 'string' && typeof value !== 'number') return undefined;
    const problem = shortDurationProblem(value);
    return problem === undefined ? undefined : { problem, received: literal(value), allowed, cure };
  });
}

/** The fields that a rule reads. Its findings are about the first one. */
export type FieldsRead = readonly [field: string, ...others: readonly string[]];

/** Returns a rule about several fields together. Its findings name the first field. */
export function fieldsRule(
  reads: FieldsRead,
  id: string,
  check: (values: FieldValues) => Problem | readonly Problem[] | undefined,
): Rule {
  const [field] = reads;
  return {
    id,
    reads,
    check: (values) => {
      const found = check(values);
      if (!found) return NO_FINDINGS;
      return [found].flat().map((problem) => ({ severity: 'error', ...problem, rule: id, field }));
    },
  };
}

const NO_FINDINGS: readonly Finding[] = [];

/** Returns the rule that a required text must not be blank. */
export function notEmptyRule(field: string, cure: Phrase): Rule {
  return textRule(field, `${field.replaceAll('_', '-')}-not-empty`, (text) =>
    text.trim() === '' ? { problem: 'must not be empty', received: literal(text), cure } : undefined,
  );
}
