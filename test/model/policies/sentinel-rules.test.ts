import { describeFinding, EGP_POLICY, RGP_POLICY } from '../../../src/model';
import { findingsOf, rulesBroken } from './support';

describe.each([[RGP_POLICY], [EGP_POLICY]])('the document of an object of kind $title', (definition) => {
  const values = (policy: string) => ({ name: 'a', policy, enforcement_level: 'advisory', paths: ['a'] });

  test.each([
    ['main = rule { true }'],
    ['import "strings"\n# a comment (\nmain = rule { strings.has_prefix("}", request.path) }'],
    [Buffer.from('main = rule { true }').toString('base64')],
  ])('the document has no findings: %s', (policy) => {
    expect(rulesBroken(definition, values(policy))).toEqual([]);
  });

  test.each([[''], ['\n']])('the document breaks a rule if it is blank: %j', (policy) => {
    expect(rulesBroken(definition, values(policy))).toEqual(['policy-not-empty']);
  });

  test.each([
    [
      'main = rule {\n  all([1, 2]\n}',
      'policy-parses',
      'policy cannot be parsed: expected ")" to close "(" of line 2, found the end of the line ' +
        '(line 2, column 13); received "all([1, 2]"; ',
    ],
    [
      'main = ruel { true }',
      'policy-parses',
      'policy cannot be parsed: expected the end of the statement, found "{" (line 1, column 13); ' +
        'received "main = ruel { true }"; did you mean "rule" instead of "ruel"?',
    ],
    [
      'mian = rule { true }',
      'policy-runs',
      'policy can never run: the policy has no "main" (line 1, column 1); ' +
        'received "mian = rule { true }"; did you mean "main" instead of "mian"?',
    ],
    [
      'path "secret/*" {\n  capabilities = ["read"]\n}\n',
      'policy-parses',
      'policy is an ACL policy, not a Sentinel policy; declare it with the resource of an ACL policy',
    ],
    [
      'hours.sentinel',
      'policy-parses',
      'policy is the name of a file, not a Sentinel policy; received "hours.sentinel"; give the text that the file contains',
    ],
    [
      './policies/my-hours.sentinel',
      'policy-parses',
      'policy is the name of a file, not a Sentinel policy; received "./policies/my-hours.sentinel"; give the text that the file contains',
    ],
    [
      'import "tfplan/v2" as plan\nmain = rule { plan.x }',
      'policy-runs',
      'policy can never run: the import "tfplan/v2" is not available (line 1, column 8); ' +
        'received "import \\"tfplan/v2\\" as plan"; ',
    ],
  ])('the document with a fault is refused: %j', (policy, rule, line) => {
    expect(rulesBroken(definition, values(policy))).toEqual([rule]);
    const [finding] = findingsOf(definition, rule, values(policy));
    expect(finding && describeFinding(definition, 'a', finding).line).toContain(
      `${definition.title} "a": ${line}`,
    );
  });

  test('the document is not checked if a comment excludes it', () => {
    expect(rulesBroken(definition, values('# vault-admin: unchecked\nmain = future { true }'))).toEqual([]);
    expect(rulesBroken(definition, values('main = "# vault-admin: unchecked" {'))).toEqual(['policy-parses']);
  });
});
