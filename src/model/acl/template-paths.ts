import type { Effort } from './effort';
import { templateParts } from './template';

/**
 * A part of a pattern. `segment`: any characters of one segment; `one`: one character of any kind;
 * `any`: any number of characters.
 */
type Token = { readonly character: string } | 'segment' | 'one' | 'any';

/** Whether a templated rule may apply to a path, depending on the values of its templates. */
export function mayBeFilledAs(rulePath: string, path: string, effort: Effort): boolean {
  const isPrefix = rulePath.endsWith('*');
  const tokens = tokensOf(isPrefix ? rulePath.slice(0, -1) : rulePath);
  effort.spend(tokens.length);
  // A list of a folder may be written without its final slash.
  const shorter = path.endsWith('/') ? path.length - 1 : path.length;
  let reached = withSkipped([0], tokens);
  for (let index = 0; index < path.length; index++) {
    if (reached.includes(tokens.length) && (isPrefix || index === shorter)) return true;
    effort.spend(1 + reached.length);
    reached = afterCharacter(reached, tokens, path[index]!);
    if (reached.length === 0) return false;
  }
  return reached.includes(tokens.length);
}

function tokensOf(path: string): readonly Token[] {
  return templateParts(path).texts.flatMap((text, index) => [
    ...(index === 0 ? [] : (['one', 'any'] as const)),
    ...tokensOfText(text),
  ]);
}

function tokensOfText(text: string): readonly Token[] {
  return text
    .split('/')
    .flatMap((segment, index): readonly Token[] => [
      ...(index === 0 ? [] : [{ character: '/' }]),
      ...(segment === '+' ? (['segment'] as const) : segment.split('').map((character) => ({ character }))),
    ]);
}

/** Returns the possible positions in the tokens after one more character, in ascending order. */
function afterCharacter(
  reached: readonly number[],
  tokens: readonly Token[],
  character: string,
): readonly number[] {
  const next: number[] = [];
  for (const at of reached) {
    const token = tokens[at];
    if (token === undefined) continue;
    if (token === 'any' || (token === 'segment' && character !== '/')) next.push(at);
    else if (token === 'one' || (token !== 'segment' && token.character === character)) next.push(at + 1);
  }
  return withSkipped(next, tokens);
}

/** Adds the positions that are reached if tokens stand for an empty text. */
function withSkipped(reached: readonly number[], tokens: readonly Token[]): readonly number[] {
  const all: number[] = [];
  for (const first of reached) {
    for (let at = Math.max(first, (all.at(-1) ?? -1) + 1); ; at++) {
      all.push(at);
      const token = tokens[at];
      if (token !== 'segment' && token !== 'any') break;
    }
  }
  return all;
}
