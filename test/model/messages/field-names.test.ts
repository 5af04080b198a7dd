import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const MODEL = join(__dirname, '..', '..', '..', 'src', 'model');

/** Matches a line of a finding with a word that can only be the name of a field. */
const NAME_IN_TEXT = /\b(?:problem|received|allowed|cure): .*\b[a-z0-9]+_[a-z0-9_]+\b/;

/** Matches literals in references of a template, code between texts, and lists of values. */
const NO_TEXT = /\$\{[^{}]*\}|\b\w+\([^()]*\)|values\.\w+|allowed: \[(?:'\w+'(?:, )?)+\]/g;

test('texts of the model refer to fields by references, and not by plain names', () => {
  const files = readdirSync(MODEL, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  expect(files.length).toBeGreaterThan(100);
  const found = files.flatMap((name) =>
    readFileSync(join(MODEL, name), 'utf8')
      .split('\n')
      .filter(
        (line) => NAME_IN_TEXT.test(line.replace(NO_TEXT, '')) && /['`]/.test(line.replace(NO_TEXT, '')),
      )
      .map((line) => `${name}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});
