import {
  escapeExpression,
  excessOf,
  isNestedDeeper,
  literalForTerraform,
  matchesGlob,
  nearestOf,
  parseForeignJson,
  Redactor,
  trimmed,
  visible,
  visibleLines,
} from '../../src/text';
import { type Bound, lists, row, times } from './rows';

const EFFORT =
  'places where secrets begin are compared with each of them; the search pays for it, and hides the rest of the text past a number of steps for each byte';

export const TEXT_BOUNDS: readonly Bound[] = [
  row(
    'policy',
    'matchesGlob, of many parts',
    (size) => '*ab'.repeat(size),
    (glob) => matchesGlob(glob, glob),
  ),
  row(
    'policy',
    'matchesGlob, of parts that almost fit',
    (size) => 'ab'.repeat(size),
    (text) => matchesGlob(`${'*ab'.repeat(text.length / 2)}*c`, text),
  ),
  row('file', 'escapeExpression', (size) => '.*'.repeat(size), escapeExpression, { sizes: [64, 8_192] }),
  row(
    'server',
    'isNestedDeeper',
    (size) => '{"a":[1,"\\""]},'.repeat(size),
    (text) => isNestedDeeper(text, 100),
    {
      nested: (levels) => isNestedDeeper('['.repeat(levels), Infinity),
      deepest: Infinity,
    },
  ),
  row('plan', 'parseForeignJson', (size) => `[${'[1],'.repeat(size)}1]`, parseForeignJson, {
    nested: (levels) => void parseForeignJson(lists(levels)),
    deepest: 1_000,
  }),
  row(
    'request',
    'excessOf',
    (size) => '[1,2],'.repeat(size),
    (text) => excessOf(text, { depth: 9, entries: 9 }),
  ),
  row(
    'argument',
    'nearestOf',
    (size) => 'ab'.repeat(size),
    (text) => nearestOf(text, ['capabilities', 'path']),
  ),
  row(
    'argument',
    'nearestOf, of words that are foreign too',
    (size) => 'ab'.repeat(size),
    (text) => nearestOf(text, [text]),
    { sizes: [256, 1_024] },
  ),
  row('server', 'visible', (size) => 'a\u001b[2J\u202e'.repeat(size), visible),
  row('server', 'visibleLines', (size) => 'a\u001b[2J\n'.repeat(size), visibleLines),
  row('server', 'literalForTerraform', (size) => '$${%{'.repeat(size), literalForTerraform),
  row(
    'server',
    'trimmed',
    (size) => `${'/'.repeat(size)}a${'/'.repeat(size)}`,
    (text) => trimmed(text, '/'),
  ),
  row(
    'server',
    'Redactor.hide, of a long text',
    (size) => '{"a":"hvs.CAES\\u0041%41"}'.repeat(size),
    (text) => new Redactor(['hvs.CAESabcdefgh']).hide(text),
    {
      nested: (levels) => new Redactor([`{"a":${lists(levels)}}`]).hide(lists(levels)),
      deepest: Infinity,
    },
  ),
  row(
    'server',
    'Redactor.hide, of many secrets',
    (size) => Array.from({ length: size }, (_, index) => `hvs.secret-${index}-secret`),
    (secrets) => new Redactor(secrets).hide(secrets.join(' ')),
    { sizes: [16, 64], growth: 2, reason: EFFORT, size: 'answer of a server' },
  ),
  row(
    'server',
    'Redactor.hide, of a long secret',
    (size) => times(size, (index) => `${index % 10}a`),
    (secret) => new Redactor([secret]).hide(secret),
  ),
  row(
    'server',
    'Redactor.hide, of a secret that almost occurs everywhere',
    (size) => 'a'.repeat(size),
    (text) => new Redactor([`${'a'.repeat(text.length / 2)}b`]).hide(text),
    { growth: 2, reason: EFFORT, size: 'answer of a server' },
  ),
];
