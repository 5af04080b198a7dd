import { StoryError } from './steps';

/** The last line in which Terraform says what it will do, or what it did. */
export function summary(output: string): string {
  const line = output
    .split('\n')
    .findLast((text) => /^(Plan:|Apply complete!|Destroy complete!|No changes\.)/.test(text));
  if (!line) throw new StoryError('terraform did not say what it did');
  return line.trim();
}

/** What a reviewer sees of the changes that a plan makes. */
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
