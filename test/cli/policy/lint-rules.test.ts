import { lintAclPolicy } from '../../../src/model';
import { ALL_IDS, withoutIgnored } from '../../../src/policy/accepted-findings';
import { LINT_RULES } from '../../../src/cli/policy/answers/lint-rules';

const idsOf = (text: string) => withoutIgnored(text, lintAclPolicy(text), []).map(({ id }) => id);

test('each finding has an explanation', () => {
  expect(LINT_RULES.map(({ id }) => id).sort()).toEqual([...ALL_IDS].sort());
});

test.each(LINT_RULES.map((rule) => [rule.id, rule]))(
  'the bad example of %s has this finding, and the good one has none',
  (id, rule) => {
    if (rule.bad !== undefined) expect(idsOf(rule.bad)).toContain(id);
    if (rule.good !== undefined) expect(idsOf(rule.good)).toEqual([]);
  },
);
