import { StoryError } from './steps';

/** The last line in which Terraform says what it will do, or what it did. */
export function summary(output: string): string {
  const line = output
    .split('\n')
    .findLast((text) => /^(Plan:|Apply complete!|Destroy complete!|No changes\.)/.test(text));
  if (!line) throw new StoryError('terraform did not say what it did');
  return line.trim();
}

/** The changes of a plan, as a reviewer sees them. */
export function changes(output: string): string {
  const lines = output.split('\n');
  const start = lines.findIndex(
    (line) => line.includes('Terraform will perform') || line.includes('OpenTofu will perform'),
  );
  const end = lines.findIndex((line) => line.startsWith('Plan:'));
  return lines
    .slice(start + 1, end)
    .filter((line) => line.trim() !== '')
    .join('\n');
}

/** Terraform's refusal of a command: the first error, and the first line of its explanation. */
export function refusal(output: string): string {
  const [, problem, explanation] = /Error: ([^]*?)\n\n(?:\s*with [^]*?\n\n)?(.*)/.exec(output) ?? [];
  if (problem === undefined) throw new StoryError('terraform did not say why it refuses');
  return `${problem}\n${explanation}`;
}

/** The warnings of the checks of a plan or an apply, one a line. */
export function warnings(output: string): readonly string[] {
  const blocks = output.matchAll(/Warning: [^\n]*\n\n[^]*?\n\n([^]*?)\n(?:\n|$)/g);
  return [...blocks].map(([, text = '']) => text.replace(/\s+/g, ' ').trim());
}

/** The steps of a replication set, as its plan lists them: one a line. */
export function plannedSteps(output: string): string {
  const [, list] = /steps\s+= \[\n([^]*?)\n\s*\]/.exec(changes(output)) ?? [];
  if (list === undefined) throw new StoryError('the plan lists no steps');
  const isNew = (line: string): boolean => !/^\s*-/.test(line);
  const textOf = (line: string): string => line.replace(/^[\s+~]*"(.*)",?$/, '$1').replaceAll('\\"', '"');
  return list.split('\n').filter(isNew).map(textOf).join('\n');
}
