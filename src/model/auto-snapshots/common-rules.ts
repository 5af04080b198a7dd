import type { Rule } from '../definition/field';
import { genericNameRule } from '../definition/generic-name';
import { durationRule, integerRule, notEmptyRule, textRule } from '../definition/rules';
import { field, phrase, literal } from '../messages';

export const COMMON_RULES: readonly Rule[] = [
  genericNameRule(),
  durationRule('interval', {
    allowed: 'whole seconds, at least one: 3600, "90m" or "24h"',
    cure: 'set it to the time between two snapshots',
  }),
  integerRule('retain', 'retain-positive', (retain) =>
    retain < 1
      ? {
          problem: 'must be at least 1',
          received: String(retain),
          allowed: 'the number of snapshots to keep, 1 or more',
          cure: 'set it to 1 or more, or remove it for the default of 1',
        }
      : undefined,
  ),
  notEmptyRule('path_prefix', 'set it to the directory, or the prefix within the bucket'),
  notEmptyRule('file_prefix', 'set it to a prefix, or remove it for the default'),
  textRule('file_prefix', 'file-prefix-without-slash', (prefix) =>
    prefix.includes('/')
      ? {
          problem: 'must not contain a slash',
          received: literal(prefix),
          allowed: phrase`the beginning of a file name within ${field('path_prefix')}`,
          cure: phrase`write ${literal(prefix.slice(prefix.lastIndexOf('/') + 1))}, and the rest in ${field('path_prefix')}`,
        }
      : undefined,
  ),
];

/**
 * A rule for the storage types whose objects are named `path_prefix` + `file_prefix`, with nothing
 * in between. Servers accept a `path_prefix` without a slash at its end, but then do not write into
 * the intended folder.
 */
export const PATH_PREFIX_ENDS_WITH_SLASH: Rule = {
  ...textRule('path_prefix', 'path-prefix-ends-with-slash', (prefix) =>
    prefix.trim() !== '' && !prefix.endsWith('/')
      ? {
          problem: 'must end with a slash for this storage type',
          received: literal(prefix),
          cure: `write ${JSON.stringify(`${prefix}/`)}`,
        }
      : undefined,
  ),
  serverAccepts: true,
};
