import { CODES } from './encodings';
import { formsOf, sightings } from './secret-forms';

const SECRET = 'canary-token-0123';

test.each(Object.entries(CODES))(
  'a form %s is seen: as it is, in JSON, and where NUL is shown',
  (_, write) => {
    const form = write(SECRET);
    expect(formsOf(SECRET)).toContain(form);
    for (const shown of [form, JSON.stringify(form), form.replaceAll('\0', '\\u0000')]) {
      expect(sightings([form], `it is ${shown} here`)).toEqual([form]);
    }
  },
);

test('what is hidden is not seen', () => {
  expect(sightings(formsOf(SECRET), 'it is (hidden) here')).toEqual([]);
});
