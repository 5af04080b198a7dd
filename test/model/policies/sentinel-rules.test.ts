import { describeFinding, EGP_POLICY, RGP_POLICY } from '../../../src/model';
import { findingsOf, rulesBroken } from './support';

describe.each([[RGP_POLICY], [EGP_POLICY]])('the document of an object of kind $title', (definition) => {
  const values = (policy: string) => ({ name: 'a', policy, enforcement_level: 'advisory', paths: ['a'] });

  test.each([
    ['main = rule { true }'],
    ['import "strings"\n# a comment (\nmain = rule { strings.has_prefix("}", request.path) }'],
    [Buffer.from('main = rule { true }').toString('base64')],
  ])('%s is fine', (policy) => {
    expect(rulesBroken(definition, values(policy))).toEqual([]);
  });

  test.each([[''], ['\n']])('%j is empty', (policy) => {
    expect(rulesBroken(definition, values(policy))).toEqual(['policy-not-empty']);
  });

  test('does not balance', () => {
    const policy = 'main = rule {\n  all([1, 2]\n}';
    expect(rulesBroken(definition, values(policy))).toEqual(['policy-balanced']);
    const [finding] = findingsOf(definition, 'policy-balanced', values(policy));
    expect(finding && describeFinding(definition, 'a', finding).line).toBe(
      `${definition.title} "a": policy is no Sentinel document: "}" does not close the "(" of line 2, column 6 ` +
        '(line 3, column 1); received "}"; close that one with ")" first',
    );
  });
});
