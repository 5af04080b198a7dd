import { decide, denialTexts } from '../../src/enforcement';
import { egp, NOW, READ, rgp } from './support';

const texts = (policies: Parameters<typeof decide>[0], isTraced = true) =>
  denialTexts(decide(policies, READ, { now: NOW }), isTraced);

test('a denial has the output and the evaluated rules, main first', () => {
  const policy = egp(`
role_type_check = rule { print("TYPE: ", request.operation) and false }
precond = rule { true }
unread = rule { true }

main = rule when precond {
  role_type_check
}
`);
  expect(texts([policy])).toEqual([
    `egp standard policy "root/guard" evaluation resulted in denial.

The specific error was:
<nil>

A trace of the execution for policy "root/guard" is available:

Result: false

Description: <none>

print() output:

TYPE:  read


Rule "main" (root/guard:6:1) = false
Rule "precond" (root/guard:3:1) = true
Rule "role_type_check" (root/guard:2:1) = false`,
    'permission denied',
  ]);
});

test('a denial has the description of the policy or of main, and the note of soft-mandatory', () => {
  const first = rgp('# Nobody gets in.\n\nmain = rule { false }', {
    level: 'soft-mandatory',
    namespace: 'team/',
  });
  const second = rgp('# Not today.\nmain = rule { false }', { name: 'second' });
  expect(texts([first, second])).toEqual([
    `rgp standard policy "team/role" evaluation resulted in denial.

The specific error was:
<nil>

A trace of the execution for policy "team/role" is available:

Result: false

Description: Nobody gets in.

Rule "main" (team/role:3:1) = false

Note: specifying an override of the operation would have succeeded.`,
    `rgp standard policy "root/second" evaluation resulted in denial.

The specific error was:
<nil>

A trace of the execution for policy "root/second" is available:

Result: false

Description: Not today.

Rule "main" (root/second:2:1) = false`,
    'permission denied',
  ]);
});

test('a denial has the error with which the policy stopped', () => {
  expect(texts([egp('main = rule { int(request.path) > 1 }')])).toEqual([
    `egp standard policy "root/guard" evaluation resulted in denial.

The specific error was:
root/guard:1:15: strconv.ParseInt: parsing "secret/data/app": invalid syntax

A trace of the execution for policy "root/guard" is available:

Result: false

Description: <none>`,
    'permission denied',
  ]);
});

test('a denial without a trace has neither output nor evaluated rules', () => {
  const policy = egp('x = print("secret")\nmain = rule { x and false }', { level: 'soft-mandatory' });
  expect(texts([policy], false)).toEqual([
    `egp standard policy "root/guard" evaluation resulted in denial.

The specific error was:
<nil>

Note: specifying an override of the operation would have succeeded.`,
    'permission denied',
  ]);
});

test.each([
  ['contains itself', 'x = {}\nx["x"] = x\nmain = rule { x }', /^\{"x": …\}$/],
  ['is endless', 'x = [1]\nfor range(40) as _ { x = [x, x] }\nmain = rule { x }', /^\[{41}1\].*…$/],
])('the value of a rule that %s is cut', (_, policy, shown) => {
  const [, value = ''] =
    /\n\nRule "main" \(root\/guard:3:1\) = (.*)$/.exec(texts([egp(policy)])[0] ?? '') ?? [];
  expect(value).toMatch(shown);
  expect(value.length).toBeLessThanOrEqual(10_001);
});

test('the output of a policy is cut', () => {
  const text = texts([egp('s = "x"\nfor range(18) as _ { s += s }\nprint(s)\nmain = false')])[0] ?? '';
  expect(text).toMatch(/x…\n\(162144 more characters\)\n/);
  expect(text.length).toBeLessThan(101_000);
});
