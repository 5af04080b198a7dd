import type { Rule } from '../definition/field';
import { lowerCaseNameRule } from '../definition/generic-name';
import { textRule } from '../definition/rules';
import { IMMUTABLE_POLICIES } from './default-policy';
import { policyText } from './policy-text';
import { literal } from '../messages';
import { hasControlCharacter } from '../../text';

/** The path of a file with a policy, and the name of the file without its extension. */
const FILE_PATH = /\/([^/]+)\.(?:hcl|sentinel)$/;

/** The server's rules for the names of all kinds of policies. */
export const NAME_RULES: readonly Rule[] = [
  textRule('name', 'name-not-empty', (name) =>
    name.trim() === ''
      ? {
          problem: 'must not be empty',
          received: literal(name),
          cure: 'set it to the name of the policy',
        }
      : undefined,
  ),
  textRule('name', 'name-trimmed', (name) =>
    name.trim() !== name && name.trim() !== ''
      ? {
          problem: 'must not begin or end with spaces',
          received: literal(name),
          cure: `write ${JSON.stringify(name.trim())}`,
        }
      : undefined,
  ),
  lowerCaseNameRule(),
  {
    ...textRule('name', 'name-composed', (name) =>
      name.normalize() === name
        ? undefined
        : {
            problem: 'is not in the Unicode form NFC, which has a letter and its accent as one character',
            received: literal(name),
            allowed: 'names in this form, because Terraform converts all texts to it',
            cure: `write ${JSON.stringify(name.normalize())}; a policy that exists under the other name has to be created again`,
          },
    ),
    serverAccepts: true,
  },
  textRule('name', 'name-not-reserved', (name) =>
    IMMUTABLE_POLICIES.includes(name.trim().toLowerCase())
      ? {
          problem: 'is reserved for a built-in policy',
          received: literal(name),
          allowed: `any name except ${IMMUTABLE_POLICIES.map((reserved) => JSON.stringify(reserved)).join(', ')}`,
          cure: 'choose another name',
        }
      : undefined,
  ),
  {
    ...textRule('name', 'name-no-file', (name) => {
      const [, base] = FILE_PATH.exec(name) ?? [];
      return base === undefined
        ? undefined
        : {
            severity: 'warning',
            problem: 'is the path of a file',
            received: literal(name),
            allowed: 'the name by which tokens and roles refer to the policy',
            cure: `write ${JSON.stringify(base)}, if that is its name`,
          };
    }),
    serverAccepts: true,
  },
  textRule('name', 'name-fits-a-path', (name) => {
    const fault = pathFault(name);
    return fault === undefined
      ? undefined
      : {
          problem: `must not ${fault}`,
          received: literal(name),
          allowed: 'a name that is valid at the end of a request path',
          cure: 'choose another name',
        };
  }),
];

/** Returns the reason why a request's path cannot end with a name. */
function pathFault(name: string): string | undefined {
  if (hasControlCharacter(name)) return 'contain control characters';
  if (name.startsWith('/')) return 'begin with a slash';
  if (name.endsWith('/')) return 'end with a slash';
  if (name.split('/').some((segment) => segment === '.' || segment === '..'))
    return 'contain the segments "." or ".."';
  if (name.includes('//')) return 'contain an empty segment';
  return undefined;
}

/**
 * Returns a rule about the policy document, decoded if it is written in base64. An empty document
 * is not checked, because another rule refuses it.
 */
export function documentRule(id: string, check: Parameters<typeof textRule>[2]): Rule {
  return textRule('policy', id, (policy) => (isEmpty(policy) ? undefined : check(policyText(policy))));
}

export const POLICY_NOT_EMPTY: Rule = textRule('policy', 'policy-not-empty', (policy) =>
  isEmpty(policy)
    ? {
        problem: 'must not be empty',
        received: literal(policy),
        cure: 'set it to the policy document; one with only a comment grants nothing',
      }
    : undefined,
);

function isEmpty(policy: string): boolean {
  return policy.trim() === '';
}
