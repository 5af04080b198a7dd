/**
 * The options of the scripts in package.json, the argument of the scripts that write pages, and the
 * start of tests.
 */
import { spawnSync } from 'node:child_process';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError } from 'commander';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A new line within a paragraph. */
const WITHIN_PARAGRAPH = /(?<!\n)\n(?!\n)/g;

/**
 * Returns the command `npm run NAME --`, to which a script adds its options. For an unknown option
 * or a value that is not valid, the command prints one line with the known options, and exits with
 * 1.
 *
 * @param description paragraphs, whose lines the help divides for its own width.
 */
export function npmRun(name, description) {
  const command = new Command(`npm run ${name} --`)
    .description(description.replaceAll(WITHIN_PARAGRAPH, ' '))
    .showSuggestionAfterError(false);
  return command.configureOutput({
    outputError: (text, write) => write(`${text.trimEnd()}; options: ${optionsOf(command)}\n`),
  });
}

/**
 * Returns the argument of this program: the file or folder that it writes. For anything else, the
 * program prints one line, and exits with 1.
 *
 * @param standard the path without an argument.
 */
export function targetArgument(standard) {
  return new Command(`node scripts/${basename(process.argv[1])}`)
    .argument('[target]', 'the file or folder to write', standard)
    .showSuggestionAfterError(false)
    .parse().processedArgs[0];
}

/**
 * Runs tests, and ends this process with their exit code.
 *
 * @param args the arguments of Jest.
 * @param variables the environment variables in addition to those of this process.
 */
export function runJest(args, variables) {
  const { status } = spawnSync(
    process.execPath,
    [join(root, 'node_modules', 'jest', 'bin', 'jest.js'), ...args],
    { cwd: root, stdio: 'inherit', env: { ...process.env, ...variables } },
  );
  process.exit(status ?? 1);
}

function optionsOf(command) {
  const options = command.createHelp().visibleOptions(command);
  return options.map(({ flags }) => flags).join(', ');
}

/** Parses the value of an option that is a number. */
export function number(text) {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value)) return value;
  throw new InvalidArgumentError('allowed: a number');
}

/** Adds the value of an option that may be given several times. */
export function collect(value, previous = []) {
  return [...previous, value];
}
