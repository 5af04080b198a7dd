/**
 * The files of the pages. Executables contain another module in place of this one, see
 * `scripts/executables/programs.mjs`.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Returns the text of a file of the pages. The executable contains these files instead. */
export function pageFile(name: string): string {
  return readFileSync(join(__dirname, 'static', name), 'utf8');
}

/** Returns the text of a file of the library that draws curves. */
export function plotFile(name: 'uPlot.esm.js' | 'uPlot.min.css'): string {
  return readFileSync(join(dirname(require.resolve('uplot/package.json')), 'dist', name), 'utf8');
}
