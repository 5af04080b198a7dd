import { ACL_POLICY, describeFinding, EGP_POLICY, RGP_POLICY } from '../../../src/model';
import { findingsOf, rulesBroken } from './support';

describe.each([[ACL_POLICY], [RGP_POLICY], [EGP_POLICY]])(
  'the name of an object of kind $title',
  (definition) => {
    const others = new Set(['policy', 'enforcement_level', 'paths'].map((field) => `${field}-required`));
    const broken = (name: string) => rulesBroken(definition, { name }).filter((rule) => !others.has(rule));

    test.each([
      ['ops'],
      ['team/app'],
      ['dev.hcl'],
      ['policies/dev.json5'],
      ['a.b-c_d'],
      ['a b'],
      ['é'],
      ['a..b'],
      ['.a'],
      ['ops.'],
      ['...'],
      ['rooted'],
    ])('the policy name %j has no findings', (name) => {
      expect(broken(name)).toEqual([]);
    });

    test.each([
      ['', ['name-not-empty']],
      ['  ', ['name-not-empty']],
      [' ops', ['name-trimmed']],
      ['ops\t', ['name-trimmed', 'name-fits-a-path']],
      ['Ops', ['name-lower-case']],
      ['cafe\u0301', ['name-composed']],
      ['policies/dev.hcl', ['name-no-file']],
      ['./prod.sentinel', ['name-no-file', 'name-fits-a-path']],
      ['root', ['name-not-reserved']],
      ['Root', ['name-lower-case', 'name-not-reserved']],
      ['response-wrapping', ['name-not-reserved']],
      ['control-group', ['name-not-reserved']],
      ['/ops', ['name-fits-a-path']],
      ['a//b', ['name-fits-a-path']],
      ['a/../b', ['name-fits-a-path']],
      ['./a', ['name-fits-a-path']],
      ['a\nb', ['name-fits-a-path']],
      ['a\u007fb', ['name-fits-a-path']],
    ])('the policy name %j breaks the rules %j', (name, rules) => {
      expect(broken(name)).toEqual(rules);
    });
  },
);

test.each([
  ['name-not-empty', '', 'ACL policy: name must not be empty; received ""; set it to the name of the policy'],
  [
    'name-trimmed',
    ' ops ',
    'ACL policy " ops ": name must not begin or end with spaces; received " ops "; write "ops"',
  ],
  [
    'name-composed',
    'cafe\u0301',
    'ACL policy "cafe\u0301": name is not in the Unicode form NFC, which has a letter and its accent as one character; received "cafe\u0301"; ' +
      'allowed: names in this form, because Terraform converts all texts to it; ' +
      'write "caf\u00e9"; a policy that exists under the other name has to be created again',
  ],
  [
    'name-lower-case',
    'Ops-ÄB',
    'ACL policy "Ops-ÄB": name must be lower case; received "Ops-ÄB"; ' +
      'allowed: lower-case letters, since the server converts names to lower case; write "ops-äb"',
  ],
  [
    'name-no-file',
    'policies/dev.hcl',
    'ACL policy "policies/dev.hcl": name is the path of a file; received "policies/dev.hcl"; ' +
      'allowed: the name by which tokens and roles refer to the policy; write "dev", if that is its name',
  ],
  [
    'name-not-reserved',
    'root',
    'ACL policy "root": name is reserved for a built-in policy; received "root"; ' +
      'allowed: any name except "root", "response-wrapping", "control-group"; choose another name',
  ],
  [
    'name-fits-a-path',
    'ops/',
    'ACL policy "ops/": name must not end with a slash; received "ops/"; ' +
      'allowed: a name that is valid at the end of a request path; choose another name',
  ],
  [
    'name-fits-a-path',
    'a\u0000b',
    'ACL policy "a\\u0000b": name must not contain control characters; received "a\\u0000b"; ' +
      'allowed: a name that is valid at the end of a request path; choose another name',
  ],
])('the rule %s describes the problem of %j', (rule, name, line) => {
  const [finding] = findingsOf(ACL_POLICY, rule, { name, policy: 'path "a" {}' });
  expect(finding && describeFinding(ACL_POLICY, name, finding).line).toBe(line);
});
