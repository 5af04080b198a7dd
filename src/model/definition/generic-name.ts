import type { Rule } from './field';
import { textRule } from './rules';

const GENERIC_NAME = /^[A-Za-z0-9_](?:[\w.-]*[A-Za-z0-9_])?$/;

/** The pattern of names that are one segment of a path. A server has no such path for any other name. */
export function genericNameRule(section: string, field = 'name'): Rule {
  return textRule(field, `${field.replaceAll('_', '-')}-fits-a-path`, section, (name) =>
    GENERIC_NAME.test(name)
      ? undefined
      : {
          problem: 'cannot be part of a path',
          received: JSON.stringify(name),
          allowed: 'letters, digits and "_", between them also "-" and "."',
          cure: 'choose another name',
        },
  );
}
