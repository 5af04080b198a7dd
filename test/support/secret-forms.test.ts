import { CODES } from './encodings';
import { formsOf, sightings } from './secret-forms';

const SECRET = 'canary-token-0123';

test.each(Object.entries(CODES))(
  'the form %s is found: as it is, in JSON, and with visible control characters',
  (_, write) => {
    const form = write(SECRET);
    expect(formsOf(SECRET)).toContain(form);
    for (const shown of [form, JSON.stringify(form), form.replaceAll('\0', '\\u0000')]) {
      expect(sightings([form], `it is ${shown} here`)).toEqual([form]);
    }
  },
);

test('a text that hides the secret has no sightings', () => {
  expect(sightings(formsOf(SECRET), 'it is (hidden) here')).toEqual([]);
});
