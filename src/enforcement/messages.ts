import {
  cutList,
  cutText,
  docComment,
  fileDescription,
  type Outcome,
  showTraced,
  sortedRules,
} from '../sentinel';
import type { Decision, Verdict } from './decide';

/**
 * Returns the texts of a refusal: one for each policy that denies the request, and `permission
 * denied`. The server shows them as a list.
 *
 * @param isTraced whether to include the evaluated rules and the output.
 */
export function denialTexts({ denials }: Decision, isTraced: boolean): readonly string[] {
  return [...denials.map((verdict) => denialText(verdict, isTraced)), 'permission denied'];
}

function denialText({ policy, error, outcome }: Verdict, isTraced: boolean): string {
  const { kind, fullName, level } = policy;
  const parts = [
    `${kind} standard policy "${fullName}" evaluation resulted in denial.`,
    `The specific error was:\n${error?.message ?? '<nil>'}`,
    ...(isTraced && outcome ? trace(fullName, outcome) : []),
    ...(level === 'soft-mandatory'
      ? ['Note: specifying an override of the operation would have succeeded.']
      : []),
  ];
  return parts.join('\n\n');
}

function trace(fullName: string, outcome: Outcome): readonly string[] {
  const { printed, rules } = outcome;
  return [
    `A trace of the execution for policy "${fullName}" is available:`,
    'Result: false',
    `Description: ${descriptionOf(outcome) ?? '<none>'}`,
    ...(printed.length > 0 ? [`print() output:`, `${cutText(printed.join('\n'))}\n`] : []),
    ...(rules.length > 0
      ? [
          cutList(
            sortedRules(rules).map(
              ({ name, source, span, value }) =>
                `Rule "${name}" (${source.place(span.start)}) = ${showTraced(value)}`,
            ),
            'rule',
          ).join('\n'),
        ]
      : []),
  ];
}

function descriptionOf({ file, rules }: Outcome): string | undefined {
  const main = rules.find(({ name }) => name === 'main');
  return fileDescription(file) ?? (main && docComment(file, main.span.start));
}
