import { readdirSync, statSync, watch as watchFolder } from 'node:fs';
import { dirname, join } from 'node:path';
import { printError, printLines, type Output } from '../output/print';
import { UserError } from '../errors';

/** The milliseconds in which several changes are handled as one. */
const SETTLED = 100;

/**
 * Calls a function, and calls it again after each change of a file, until the process is ended.
 *
 * @param pathsNow returns the files and folders to watch, with all folders below them.
 */
export function runOnChanges(pathsNow: () => readonly string[], run: () => void, output: Output): void {
  let timer: NodeJS.Timeout | undefined;
  const again = () => {
    try {
      run();
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      printError(error.message);
    }
    // A change may have added folders, or other sources of policies.
    const watchers = [...new Set(pathsNow().flatMap(foldersAt))].map((folder) =>
      watchFolder(folder, () => {
        clearTimeout(timer);
        timer = setTimeout(() => {
          for (const watcher of watchers) watcher.close();
          again();
        }, SETTLED);
      }),
    );
    printLines(output, ['Waiting for changes; Ctrl-C ends it.']);
  };
  again();
}

const SKIPPED = ['node_modules', '.git', '.terraform'];

function foldersAt(path: string): readonly string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  return found.isDirectory() ? foldersIn(path) : [dirname(path)];
}

function foldersIn(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  const below = entries.filter((entry) => entry.isDirectory() && !SKIPPED.includes(entry.name));
  return [folder, ...below.flatMap(({ name }) => foldersIn(join(folder, name)))];
}
