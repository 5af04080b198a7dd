import { CodeExpression, Printer, quoted } from '../../../src/cli/adopt/app/code';
import {
  camelCase,
  memberName,
  pascalCase,
  slug,
  UniqueNames,
  variableName,
} from '../../../src/cli/adopt/app/names';

const print = (value: Parameters<Printer['print']>[0]) => new Printer().print(value);

test.each([
  ['plain', `'plain'`],
  [`it's "quoted"`, `'it\\'s "quoted"'`],
  ['two\nlines\\', `'two\\nlines\\\\'`],
])('a text is written in quotes, with escapes: %j', (text, code) => {
  expect(quoted(text)).toBe(code);
});

test.each([
  ['${x} and %{y}', `'$\${x} and %%{y}'`],
  ['$ % {x}', `'$ % {x}'`],
])('a text that Terraform would take for an expression is escaped: %s', (text, code) => {
  expect(print(text)).toBe(code);
});

test('values of all kinds are printed, and what they need is imported', () => {
  const printer = new Printer();
  const value = {
    cluster: CodeExpression.local('cluster'),
    level: CodeExpression.member('EnforcementLevel', 'ADVISORY'),
    interval: CodeExpression.call('Duration', 'hours', 24),
    'not-a-name': true,
    left: undefined,
    none: {},
  };
  expect(printer.print(value)).toBe(`{
  cluster,
  level: EnforcementLevel.ADVISORY,
  interval: Duration.hours(24),
  'not-a-name': true,
  none: {},
}`);
  expect(printer.imports).toEqual(['Duration', 'EnforcementLevel']);
});

test('a list is printed in one line if it fits', () => {
  expect(print(['a', 'b'])).toBe(`['a', 'b']`);
  const long = 'x'.repeat(60);
  expect(print([long, long])).toBe(`[\n  '${long}',\n  '${long}',\n]`);
});

test('names are unique, whatever their case', () => {
  const names = new UniqueNames();
  expect(['ops', 'Ops', 'ops'].map((name) => names.take(name))).toEqual(['ops', 'Ops-2', 'ops-3']);
  expect(names.all).toEqual(['ops', 'Ops-2', 'ops-3']);
});

test('names are converted to the letters and the case of their kind', () => {
  expect(slug('acl', 'team/a', 'übung 1.x_y')).toBe('acl-team-a-bung-1-x_y');
  expect(variableName('us-east', '', 'pki.signing', 'pin')).toBe('us_east_pki_signing_pin');
  expect(camelCase('aws_s3-bucket')).toBe('awsS3Bucket');
  expect(pascalCase('us-east')).toBe('UsEast');
  expect(memberName('hard-mandatory')).toBe('HARD_MANDATORY');
});
