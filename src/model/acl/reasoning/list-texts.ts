import type { Described } from './describe';
import { patternKey, patternText, type PathPattern } from './pattern';

/**
 * Joins a folder with everything below it into one pattern: `secret/` and `secret/+/*` become
 * `secret/*`.
 */
export function joinFolders(all: readonly Described[]): readonly Described[] {
  const folders = new Map<string, Described>();
  for (const each of all) if (each.except.length === 0) folders.set(patternKey(each.pattern), each);
  const joined = new Set<Described>();
  const result = all.map((each) => {
    const folder = folderOf(each.pattern);
    const found = folder && folders.get(patternKey(folder));
    if (!found) return each;
    joined.add(found);
    return { ...each, withFolder: true };
  });
  return result.filter((each) => !joined.has(each));
}

/** Returns the texts of the exceptions of lists. */
export function listTextsOf(patterns: readonly PathPattern[]): readonly string[] {
  const all = new Set(patterns.map(patternKey));
  const joined = new Set<string>();
  const texts = patterns.map((pattern) => {
    const folder = folderOf(pattern);
    if (!folder || !all.has(patternKey(folder))) return { pattern, text: listTextOf(pattern) };
    joined.add(patternKey(folder));
    return { pattern, text: patternText(pattern) };
  });
  return texts.filter(({ pattern }) => !joined.has(patternKey(pattern))).map(({ text }) => text);
}

/** Returns the folder of a pattern that names everything in one folder. */
function folderOf({ segments, isPrefix }: PathPattern): PathPattern | undefined {
  const isContent = isPrefix && segments.length > 1 && segments.at(-1)!.text === '';
  return isContent ? { segments: segments.slice(0, -1), isPrefix: false } : undefined;
}

/** Returns the text of a list as the server sees it: the folder with its final slash. */
export function listTextOf(pattern: PathPattern): string {
  const folder = folderOf(pattern);
  if (folder) return `${patternText(folder)}/+/*`;
  return pattern.isPrefix ? patternText(pattern) : `${patternText(pattern)}/`;
}
