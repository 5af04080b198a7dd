import { Defect, defectText, failedAssertion } from '../../src/plugin/defect';
import { MisfitError } from '../../src/plugin/wire/encode-value';

test.each<[error: unknown, expected: string]>([
  [new Defect('thing has no update'), 'thing has no update'],
  [
    new MisfitError('expected a string, got a number', ['rules', 0]),
    'rules.0: expected a string, got a number',
  ],
  [new Error('out of luck'), 'out of luck'],
  ['a text', 'a text'],
])('the message names the assertion that failed: %s', (error, expected) => {
  expect(failedAssertion(error)).toBe(expected);
  const [summary, detail] = defectText(error);
  expect(summary).toBe('Provider failed unexpectedly');
  expect(detail.split('\n')[0]).toBe(
    `This is a defect of the provider, not of the configuration: ${expected}`,
  );
});

test('the message about an error of the engine names its kind and the function', () => {
  function readName(object: { name: string } | undefined): string {
    return object!.name;
  }
  let caught: unknown;
  try {
    readName(undefined);
  } catch (error) {
    caught = error;
  }
  expect(failedAssertion(caught)).toBe(
    "TypeError: Cannot read properties of undefined (reading 'name') (in readName)",
  );
});
