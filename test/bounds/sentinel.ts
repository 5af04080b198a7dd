import { VAULT_ENVIRONMENT } from '../../src/model/sentinel';
import {
  check,
  evaluate,
  faultsOf,
  format,
  fromHost,
  namesReadIn,
  newerFeatures,
  parse,
  parseInstant,
  parseJson,
  show,
  staticFaults,
} from '../../src/sentinel';
import { decimalInt, parseIntText } from '../../src/sentinel/values/convert';
import { SourceText } from '../../src/sentinel/source/source-text';
import { readTestConfiguration } from '../../src/sentinel/testing/configuration/test-configuration';
import { type Bound, fields, lists, row, times } from './rows';

const statements = (size: number) =>
  `${times(size, (index) => `a${index} = func(x) { return x is ${index} and "a" in ["a", "b"] }\n`)}main = rule { true }\n`;
const comments = (size: number) => `${'# one\n// two\n/* three */\n'.repeat(size)}main = true\n`;
const parenthesized = (levels: number) => `main = ${'('.repeat(levels)}true${')'.repeat(levels)}\n`;
const ofFile = (size: number) => parse(statements(size), 'it');
const configuration = (size: number) =>
  times(size, (index) => `mock "m${index}" {\n  data = {\n    a = [1, "b"]\n  }\n}\n`);

export const SENTINEL_BOUNDS: readonly Bound[] = [
  row('policy', 'parse, of statements', statements, (text) => parse(text, 'it')),
  row('policy', 'parse, of comments', comments, (text) => parse(text, 'it')),
  row(
    'policy',
    'parse, of an open text',
    (size) => `a = "${'\\"'.repeat(size)}`,
    (text) => parse(text, 'it'),
  ),
  row(
    'policy',
    'parse, of long numbers',
    (size) => `a = ${'1'.repeat(size)}\n`,
    (text) => parse(text, 'it'),
  ),
  row(
    'policy',
    'parse, of operators',
    (size) => `main = ${'true and '.repeat(size)}true\n`,
    (text) => parse(text, 'it'),
    { nested: (levels) => parse(parenthesized(levels), 'it'), deepest: 249 },
  ),
  row('policy', 'check', statements, (text) => check(text, 'it', VAULT_ENVIRONMENT), {
    nested: (levels) => {
      const [fault] = check(parenthesized(levels), 'it', VAULT_ENVIRONMENT);
      if (fault) throw new Error(fault.problem);
    },
    deepest: 249,
  }),
  row(
    'policy',
    'check, of conditions about one value',
    (size) => `main = rule { ${times(size, (index) => `request.path is not "p${index}"`, ' and ')} }\n`,
    (text) => check(text, 'it', VAULT_ENVIRONMENT),
  ),
  row(
    'policy',
    'check, of alternatives in a chain',
    (size) =>
      `main = rule { ${times(size, (index) => `(a.b${index} is 1 or a.c${index} is 2)`, ' and ')} }\na = {}\n`,
    (text) => check(text, 'it', VAULT_ENVIRONMENT),
  ),
  row(
    'policy',
    'check, of rules that name others twice',
    (size) =>
      `r0 = rule { request.path is "a" }\n${times(size, (index) => `r${index + 1} = rule { r${index} and r${index} }\n`)}main = r${size}\n`,
    (text) => check(text, 'it', VAULT_ENVIRONMENT),
  ),
  row(
    'policy',
    'check, of lists in a variable',
    (size) =>
      `a = [${times(size, (index) => `"${index}"`, ', ')}]\n${'print(request.path in a)\n'.repeat(size)}main = true\n`,
    (text) => check(text, 'it', VAULT_ENVIRONMENT),
  ),
  row(
    'policy',
    'check, of an invalid pattern',
    (size) => `main = request.path matches "${'(?P<a>b)'.repeat(size)}(?P=a)"\n`,
    (text) => check(text, 'it', VAULT_ENVIRONMENT),
  ),
  row(
    'policy',
    'check, of unknown names',
    (size) => `main = rule { ${times(size, (index) => `nam${index} `, 'and ')} }\n`,
    (text) => check(text, 'it', VAULT_ENVIRONMENT),
    { sizes: [32, 256] },
  ),
  row(
    'policy',
    'check, of unknown names in one line',
    (size) => `${times(size, (index) => `a${1_000 + index} = b${1_000 + index}; `)}main = true\n`,
    (text) => check(text, 'it', VAULT_ENVIRONMENT),
    { sizes: [256, 1_024] },
  ),
  row(
    'policy',
    'check, of long names',
    (size) => `${'a'.repeat(size)} = ${'a'.repeat(size)}b\nmain = true\n`,
    (text) => check(text, 'it', VAULT_ENVIRONMENT),
  ),
  row('policy', 'format', statements, (text) => format(text, 'it'), {
    nested: (levels) => format(parenthesized(levels), 'it'),
    deepest: 249,
  }),
  row('policy', 'format, of comments', comments, (text) => format(text, 'it')),
  row('policy', 'faultsOf', ofFile, (file) => faultsOf(file, VAULT_ENVIRONMENT)),
  row('policy', 'staticFaults', ofFile, staticFaults),
  row('policy', 'namesReadIn', ofFile, namesReadIn),
  row('policy', 'newerFeatures', ofFile, (file) =>
    newerFeatures(file, { newest: '0.18', certain: '0.18', host: 'it' }),
  ),
  row('policy', 'evaluate, of statements', ofFile, (file) => evaluate(file, { now: 0n }), {}),
  row(
    'policy',
    'evaluate, of a list in a loop',
    (size) =>
      parse(
        `a = [${times(size, String, ',')}]\nb = []\nfor a as v { append(b, v * 2) }\nmain = length(b) > 1\n`,
        'it',
      ),
    (file) => evaluate(file, { now: 0n }),
  ),
  row(
    'request',
    'fromHost',
    (size) => fields(size, (index) => [index, String(index)]),
    (value) => show(fromHost(value)),
    { nested: (levels) => fromHost(JSON.parse(lists(levels))), deepest: 1_001 },
  ),
  row(
    'policy',
    'parseJson',
    (size) => `[${times(size, (index) => `{"a":"b\\n${index}"}`, ',')}]`,
    parseJson,
    {
      nested: (levels) => parseJson(lists(levels)),
      deepest: 1_001,
    },
  ),
  row('policy', 'parseJson, of digits', (size) => '9'.repeat(size), parseJson, { sizes: [512, 8_192] }),
  row('policy', 'parseIntText', (size) => '9'.repeat(size), parseIntText, { sizes: [512, 8_192] }),
  row('policy', 'decimalInt', (size) => '9'.repeat(size), decimalInt, { sizes: [512, 8_192] }),
  row(
    'policy',
    'evaluate, of versions',
    (size) => {
      const digits = '9'.repeat(size);
      return parse(
        `import "version"\na = version.new("1.0.0-${digits}")\nmain = a.gt("1.0.0-1${digits}")\n`,
        'it',
      );
    },
    (file) => evaluate(file, { now: 0n }),
    { sizes: [512, 8_192] },
  ),
  row('policy', 'parseInstant', (size) => `2024-01-01T00:00:00.${'0'.repeat(size)}Z`, parseInstant, {
    sizes: [64, 8_192],
  }),
  row(
    'file',
    'readTestConfiguration',
    configuration,
    (text) => readTestConfiguration(new SourceText('it.hcl', text)),
    {
      nested: (levels) =>
        readTestConfiguration(
          new SourceText('it.hcl', `mock "m" {\n data = {\n a = ${lists(levels)}\n}\n}\n`),
        ),
      deepest: 198,
    },
  ),
  row(
    'file',
    'readTestConfiguration, in JSON',
    (size) => JSON.stringify({ mock: fields(size, () => ({ data: { a: [1] } })) }),
    (text) => readTestConfiguration(new SourceText('it.json', text)),
  ),
];
