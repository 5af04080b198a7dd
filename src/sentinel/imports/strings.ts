import { intArgument, listArgument, strict, textArgument, unexpected } from '../values/arguments';
import { type RunContext, type NativeFunction, type Value } from '../values/value';
import { walkTo } from '../values/walks';

type TextFunction = (...texts: string[]) => Value;

export const STRINGS: Readonly<Record<string, Value>> = {
  has_prefix: onTexts('has_prefix', 2, (text = '', prefix = '') => text.startsWith(prefix)),
  has_suffix: onTexts('has_suffix', 2, (text = '', suffix = '') => text.endsWith(suffix)),
  trim_prefix: onTexts('trim_prefix', 2, (text = '', prefix = '') =>
    text.startsWith(prefix) ? text.slice(prefix.length) : text,
  ),
  trim_suffix: onTexts('trim_suffix', 2, (text = '', suffix = '') =>
    suffix !== '' && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text,
  ),
  to_lower: onTexts('to_lower', 1, (text = '') => text.toLowerCase()),
  to_upper: onTexts('to_upper', 1, (text = '') => text.toUpperCase()),
  trim: onTexts('trim', 2, (text = '', cut = '') => trimEnd(trimStart(text, cut), cut)),
  trim_left: onTexts('trim_left', 2, (text = '', cut = '') => trimStart(text, cut)),
  trim_right: onTexts('trim_right', 2, (text = '', cut = '') => trimEnd(text, cut)),
  trim_space: onTexts('trim_space', 1, (text = '') => withoutOuterBlanks(text)),
  split: strict('strings.split', [2, 2], ([value, separator], caller) => {
    if (Array.isArray(value)) return value;
    const text = textArgument('strings.split', value);
    caller.allocate(text.length);
    return splitText(text, textArgument('strings.split', separator));
  }),
  join: strict('strings.join', [2, 2], ([list, separator], caller) => {
    const parts: string[] = [];
    addJoinable(listArgument('strings.join', list), parts, 0);
    const between = textArgument('strings.join', separator);
    const size = parts.reduce((sum, part) => sum + part.length, 0) + between.length * (parts.length - 1);
    caller.allocate(Math.max(0, size));
    return parts.join(between);
  }),
  replace: strict('strings.replace', [3, 4], ([value, old, next, times], caller) => {
    const [text, from, to] = [value, old, next].map((each) => textArgument('strings.replace', each));
    const limit = times === undefined ? -1n : intArgument('strings.replace', times);
    return replaceText(text ?? '', from ?? '', to ?? '', Number(limit), caller);
  }),
};

function onTexts(name: string, count: number, run: TextFunction): NativeFunction {
  const title = `strings.${name}`;
  return strict(title, [count, count], (args, caller) => {
    const texts = args.map((each) => textArgument(title, each));
    const result = run(...texts);
    return typeof result === 'string' ? allocated(result, caller) : result;
  });
}

function allocated(text: string, caller: RunContext): string {
  caller.allocate(text.length);
  return text;
}

function splitText(text: string, separator: string): Value[] {
  return separator === '' ? Array.from(text) : text.split(separator);
}

/** Adds the elements of nested lists as texts. */
function addJoinable(list: readonly Value[], parts: string[], depth: number): void {
  walkTo(depth);
  for (const element of list) {
    if (Array.isArray(element)) addJoinable(element, parts, depth + 1);
    else if (typeof element === 'string') parts.push(element);
    else if (typeof element === 'bigint' || typeof element === 'number' || typeof element === 'boolean')
      parts.push(String(element));
    else throw unexpected('strings.join', 'strings, numbers and booleans in its list', element);
  }
}

function replaceText(text: string, from: string, to: string, limit: number, caller: RunContext): string {
  if (limit === 0 || (from === to && from !== '')) return text;
  const parts = from === '' ? emptyParts(text) : text.split(from);
  const replaced = limit < 0 ? parts.length - 1 : Math.min(limit, parts.length - 1);
  caller.allocate(text.length + replaced * to.length);
  return (
    parts.slice(0, replaced + 1).join(to) +
    parts
      .slice(replaced + 1)
      .map((part) => from + part)
      .join('')
  );
}

/**
 * Returns the parts of a text around an empty separator, which is found before each character and
 * at the end.
 */
function emptyParts(text: string): string[] {
  return ['', ...Array.from(text), ''];
}

function trimStart(text: string, cut: string): string {
  const set = new Set(cut);
  let at = 0;
  for (const character of text) {
    if (!set.has(character)) break;
    at += character.length;
  }
  return text.slice(at);
}

function trimEnd(text: string, cut: string): string {
  const set = new Set(cut);
  const characters = Array.from(text);
  let length = characters.length;
  while (length > 0 && set.has(characters[length - 1] ?? '')) length--;
  return characters.slice(0, length).join('');
}

const BLANK = /[\s\u0085]/u;

function withoutOuterBlanks(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && BLANK.test(text[start]!)) start++;
  while (start < end && BLANK.test(text[end - 1]!)) end--;
  return text.slice(start, end);
}
