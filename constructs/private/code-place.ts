import { join, relative } from 'node:path';

/**
 * The folders of this package's code: the constructs, and the code that they share with other
 * parts.
 */
const OURS = [join(__dirname, '..'), join(__dirname, '..', '..', 'src')].map((folder) => join(folder, '/'));
const FRAME = /^ +at (?:.*\()?(?:file:\/\/)?(\/.*?|[A-Za-z]:\\.*?):(\d+):\d+\)?$/;

/** Returns the lines of a trace that are in the code of the app. */
function framesOfApp({ stack = '' }: Error): readonly string[] {
  return stack.split('\n').filter((line) => {
    const [, file = ''] = FRAME.exec(line) ?? [];
    return file !== '' && !file.includes('node_modules') && !OURS.some((folder) => file.startsWith(folder));
  });
}

/** Returns the place in the app's code where a trace was made: `main.ts:12`. */
export function placeInApp(trace: Error): string | undefined {
  const [frame = ''] = framesOfApp(trace);
  const [, file, line] = FRAME.exec(frame) ?? [];
  if (file === undefined) return undefined;
  const path = relative(process.cwd(), file);
  return `${path.startsWith('..') ? file : path}:${line}`;
}

/** Reduces the trace of an error to the lines of the app's code. */
export function traceApp(error: Error, trace: Error = error): void {
  const frames = framesOfApp(trace);
  if (frames.length > 0) error.stack = [`${error.name}: ${error.message}`, ...frames].join('\n');
}
