import { linesOf, type ExaminedPolicy, type CommandFinding, type FindingsReport } from './finding';

/**
 * Returns a report in the format of JUnit: each policy or test is a case, which fails if it has
 * errors.
 */
export function junitXml({ command, cases, findings }: FindingsReport): string {
  const tests = casesOf(cases, findings).map((each) => ({
    ...each,
    errors: each.found.filter(({ severity }) => severity === 'error'),
  }));
  const failures = tests.filter(({ errors }) => errors.length > 0).length;
  const counts = `tests="${tests.length}" failures="${failures}" errors="0"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${xml(command)}" ${counts}>`,
    `  <testsuite name="${xml(command)}" ${counts}>`,
    ...tests.flatMap(({ policy, place, found, errors }) => [
      `    <testcase classname="${xml(policy)}" name="${xml(place)}">`,
      ...errors
        .slice(0, 1)
        .map(
          ({ message, rule }) =>
            `      <failure type="${xml(rule)}" message="${xml(message)}">${xml(linesOf(errors))}</failure>`,
        ),
      ...(found.length > errors.length
        ? [`      <system-out>${xml(linesOf(found.filter((each) => !errors.includes(each))))}</system-out>`]
        : []),
      '    </testcase>',
    ]),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function casesOf(
  cases: readonly ExaminedPolicy[],
  findings: readonly CommandFinding[],
): readonly (ExaminedPolicy & { readonly found: readonly CommandFinding[] })[] {
  const all = new Map<string, ExaminedPolicy & { readonly found: CommandFinding[] }>();
  const at = ({ policy, place }: ExaminedPolicy) => {
    const key = JSON.stringify([policy, place]);
    const known = all.get(key) ?? { policy, place, found: [] };
    all.set(key, known);
    return known.found;
  };
  cases.forEach(at);
  for (const finding of findings) at(finding).push(finding);
  return [...all.values()];
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/**
 * Escapes a text for XML. Line breaks are escaped because they would become spaces in attributes;
 * other control characters were replaced before.
 */
function xml(text: string): string {
  return text
    .replace(/[&<>"]/g, (character) => ENTITIES[character]!)
    .replaceAll('\n', '&#10;')
    .replace(/[\uFFFE\uFFFF]/g, '\uFFFD');
}
