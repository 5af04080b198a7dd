import { TextDocument } from 'vscode-languageserver-textdocument';
import { AclText } from '../../src/language-server/acl-tokens';
import { completionsAt } from '../../src/language-server/completion';
import { diagnosticsOf } from '../../src/language-server/diagnostics';
import { hoverAt } from '../../src/language-server/hover';
import { type Bound, lists, row } from './rows';

const policy = (size: number) =>
  Array.from({ length: size }, (_, index) => `path "sys/raw/${index}" { capabilities = ["list"] }`).join(
    '\n',
  );
/** Returns a policy whose findings are all in one line, after a character of two UTF-16 units. */
const line = (size: number) => `/* 😀 */ ${policy(size).replaceAll('\n', ' ')}`;
const open = (text: string) => TextDocument.create('file:///a.hcl', 'hcl', 1, text);
const nested = (levels: number) => `path "a" {\n allowed_parameters = { p = ${lists(levels)} }\n}\n`;

export const LANGUAGE_SERVER_BOUNDS: readonly Bound[] = [
  row(
    'policy',
    'AclText',
    (size) => 'path "a" { x = [ "b\n'.repeat(size),
    (text) => new AclText(text),
    {
      nested: (levels) => new AclText(nested(levels)),
      deepest: Infinity,
    },
  ),
  row(
    'policy',
    'AclText, of heredocs',
    (size) => 'path "a" { x = <<A\n}\nA\n'.repeat(size),
    (text) => new AclText(text),
  ),
  row('policy', 'diagnosticsOf', (size) => open(policy(size)), diagnosticsOf, {
    nested: (levels) => diagnosticsOf(open(nested(levels))),
    deepest: Infinity,
  }),
  row('policy', 'diagnosticsOf, of one line', (size) => open(line(size)), diagnosticsOf),
  row(
    'policy',
    'hoverAt',
    (size) => open(policy(size)),
    (document) => hoverAt(document, 8),
    { nested: (levels) => hoverAt(open(nested(levels)), 8), deepest: Infinity },
  ),
  row(
    'policy',
    'completionsAt',
    (size) => open(policy(size)),
    (document) => completionsAt(document, 8),
    { nested: (levels) => completionsAt(open(nested(levels)), 8), deepest: Infinity },
  ),
];
