import { readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { isPlainFile, readTextFile } from './text-file';

/** What files of ACL policies are called in folders. A file that is named itself may be called anything. */
export const ACL_EXTENSIONS: readonly string[] = ['.hcl', '.json', '.policy'];
const OTHER_FOLDERS = ['node_modules', 'test', '.git', '.terraform'];
/** Files of other tools, beside policies. */
const OTHER_FILES =
  /^(\..*|sentinel\.hcl|terragrunt.*\.hcl|package(-lock)?\.json|tsconfig.*\.json|.*\.(tf|tfvars)\.json|.*\.(pkr|pkrvars|nomad|tfbackend|tftest|tfmock)\.hcl)$/;
/** What policies begin with, as it is written and as it is misspelled. Other files in HCL begin with something else. */
const BEGINNINGS =
  /^(path|paths|pat|pth|paht|phat|patch|pathh|ppath|name|rule|rules|capabilities|allowed_parameters)$/i;
const FIRST_WORD = /^(?:\s|#.*|\/\/.*|\/\*[\s\S]*?\*\/|[$%]\{[^}]*\})*(\w+)/;

/** The files of ACL policies in a folder and in the folders below it. Files of other tools are passed over. */
export function aclFilesIn(
  folder: string,
  extensions: readonly string[] = ACL_EXTENSIONS,
): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return OTHER_FOLDERS.includes(entry.name) ? [] : aclFilesIn(path, extensions);
      const suits = extensions.includes(extname(entry.name)) && isPlainFile(path);
      return suits && !isOfOtherTool(path, entry.name) ? [path] : [];
    });
}

/** Whether a file that is called like a policy clearly is something else. */
export function isOfOtherTool(path: string, name: string): boolean {
  if (OTHER_FILES.test(name)) return true;
  const extension = extname(name);
  if (extension !== '.hcl' && extension !== '.json') return false;
  const text = readTextFile(path);
  if (extension === '.json') return isOtherJson(text);
  const [, first] = FIRST_WORD.exec(text) ?? [];
  return first !== undefined && !BEGINNINGS.test(first);
}

function isOtherJson(text: string): boolean {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read !== 'object' || read === null || !Object.hasOwn(read, 'path');
  } catch {
    return !text.includes('"path"');
  }
}
