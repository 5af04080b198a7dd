import type { Rule } from './field';
import { textRule } from './rules';
import { literal } from '../messages';

const GENERIC_NAME = /^[A-Za-z0-9_](?:[\w.-]*[A-Za-z0-9_])?$/;

/**
 * Returns the rule for names that are one segment of a path. Servers have no path for any other
 * name.
 */
export function genericNameRule(field = 'name'): Rule {
  return textRule(field, `${field.replaceAll('_', '-')}-fits-a-path`, (name) =>
    GENERIC_NAME.test(name)
      ? undefined
      : {
          problem: 'is not valid as part of a path',
          received: literal(name),
          allowed: 'letters, digits and "_", between them also "-" and "."',
          cure: 'choose another name',
        },
  );
}

/**
 * Returns the rule for names that servers convert to lower case: another spelling would name the
 * same object.
 */
export function lowerCaseNameRule(): Rule {
  return textRule('name', 'name-lower-case', (name) =>
    name.toLowerCase() === name
      ? undefined
      : {
          problem: 'must be lower case',
          received: literal(name),
          allowed: 'lower-case letters, since the server converts names to lower case',
          cure: `write ${JSON.stringify(name.toLowerCase())}`,
        },
  );
}
