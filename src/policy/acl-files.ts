import { readdirSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { isPlainFile } from '../files';
import { readBytes } from './text-file';

/** The file extensions of ACL policies in folders. A file that is passed by name may have any. */
export const ACL_EXTENSIONS: readonly string[] = ['.hcl', '.json', '.policy'];
/** The end of the names of files with tests of ACL policies. */
export const TEST_SUFFIX = '.test.hcl';
const OTHER_FOLDERS = ['node_modules', 'test', '.git', '.terraform'];
/** The files of other tools that lie beside policies. */
const OTHER_FILES =
  /^(\..*|sentinel\.hcl|terragrunt.*\.hcl|package(-lock)?\.json|tsconfig.*\.json|.*\.(tf|tfvars)\.json|.*\.(pkr|pkrvars|nomad|test|tfbackend|tftest|tfmock)\.hcl)$/;
/** The first words of policies, and common misspellings. Other HCL files begin with other words. */
const BEGINNINGS =
  /^(path|paths|pat|pth|paht|phat|patch|pathh|ppath|name|rule|rules|capabilities|allowed_parameters)$/i;
/** A word, and the characters that may follow it in HCL. */
const FIRST_WORD = /^(\w[\w-]*)\s*["={]/;
/** The maximum length in characters: no word of a policy is longer. */
const LONGEST_BEGINNING = 100;
const PASSED_OVER = /\s+|(?:#|\/\/)[^\n]*|\/\*[\s\S]*?\*\/|[$%]\{[^}]*\}/y;

/**
 * Returns the files of ACL policies in a folder and in the folders below it. Files of other tools
 * are left out.
 */
export function aclFilesIn(
  folder: string,
  extensions: readonly string[] = ACL_EXTENSIONS,
): readonly string[] {
  return filesIn(folder, (name) => extensions.includes(extname(name))).filter(
    (path) => !isOfOtherTool(path, basename(path)),
  );
}

/** Returns the files with tests of ACL policies in a folder and in the folders below it. */
export function aclTestsIn(folder: string): readonly string[] {
  return filesIn(folder, (name) => name.endsWith(TEST_SUFFIX));
}

function filesIn(folder: string, suits: (name: string) => boolean): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return OTHER_FOLDERS.includes(entry.name) ? [] : filesIn(path, suits);
      return suits(entry.name) && isPlainFile(path) ? [path] : [];
    });
}

/** Whether a file with the extension of a policy is clearly something else. */
export function isOfOtherTool(path: string, name: string): boolean {
  return isTextOfOtherTool(name, () => readLoosely(path));
}

/**
 * Whether a text in a file with the extension of a policy is clearly something else.
 *
 * @param textOf returns `undefined` if the text is not known.
 */
export function isTextOfOtherTool(name: string, textOf: () => string | undefined): boolean {
  if (OTHER_FILES.test(name)) return true;
  const extension = extname(name);
  if (extension !== '.hcl' && extension !== '.json') return false;
  const text = textOf();
  if (text === undefined) return false;
  if (extension === '.json') return isOtherJson(text);
  const [, first] = FIRST_WORD.exec(beginningOf(text)) ?? [];
  return first !== undefined && !BEGINNINGS.test(first);
}

/**
 * Returns the first word of an HCL text after white space, comments, and Terraform expressions and
 * directives.
 */
export function beginningOf(text: string): string {
  let at = 0;
  // One match after the other: a single pattern for all of them would try every way to divide them.
  for (PASSED_OVER.lastIndex = 0; PASSED_OVER.test(text);) at = PASSED_OVER.lastIndex;
  return text.slice(at, at + LONGEST_BEGINNING);
}

/**
 * Returns the text of a file, or `undefined` if it cannot be read: reading it as a policy then
 * reports the reason.
 */
function readLoosely(path: string): string | undefined {
  try {
    return readBytes(path).toString('utf8');
  } catch {
    return undefined;
  }
}

function isOtherJson(text: string): boolean {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read !== 'object' || read === null || !Object.hasOwn(read, 'path');
  } catch {
    return !text.includes('"path"');
  }
}
