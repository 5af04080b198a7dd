import type { CommandFinding, FindingsReport } from './finding';

const COMMANDS = { error: 'error', warning: 'warning', note: 'notice' } as const;

/** Returns commands for a workflow of GitHub Actions, which show each finding beside its line. */
export function githubCommands({ findings, summary }: FindingsReport): string {
  return [...findings.map(commandFor), ` ${data(summary)}`].map((line) => `${line}\n`).join('');
}

function commandFor({ severity, policy, place, file, line, column, message, rule }: CommandFinding): string {
  const properties = Object.entries({
    file,
    line: file === undefined ? undefined : line,
    col: file === undefined || line === undefined ? undefined : column,
    title: `${policy}: ${rule}`,
  }).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${property(String(value))}`]));
  const text = file === undefined ? `${place}: ${message}` : message;
  return `::${COMMANDS[severity]} ${properties.join(',')}::${data(text)}`;
}

/** Escapes a text for the runner: `%` first, because the other escapes contain it. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
