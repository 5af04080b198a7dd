import type { ReplayedPolicies, WrittenPolicy } from '../../../model';
import { counted } from '../../output/counted';
import type { Account, Counted, Reading, Tally } from './account';

const MOST_SHOWN = 20;

interface Shown {
  readonly today: ReplayedPolicies | undefined;
  readonly against: ReplayedPolicies | undefined;
  readonly output?: string | undefined;
}

/** The report for people. */
export function reportLines(
  reading: Reading,
  account: Account,
  { today, against, output }: Shown,
): readonly string[] {
  const { undetermined, missing } = account;
  return [
    readingLine(reading),
    ...(today ? todayLines(account) : []),
    ...(against ? againstLines(account) : []),
    ...(undetermined > 0
      ? [
          `${counted(undetermined, 'request')} could not be decided: a policy is not known, or it depends on a value of which ` +
            'only a hash is logged, or on an identity.',
        ]
      : []),
    ...Array.from(
      missing,
      ([name, count]) => `  policy ${JSON.stringify(name)} is not known (${counted(count, 'request')})`,
    ),
    ...(output === undefined ? [] : [`The policy for what was done is in ${output}.`]),
  ];
}

function readingLine({ requests, allowed, unreadable, first, last }: Reading): string {
  const span = first === '' ? '' : ` from ${first} to ${last}`;
  const refused = requests - allowed;
  const passedOver = unreadable > 0 ? ` ${counted(unreadable, 'line')} could not be read.` : '';
  return `${counted(requests, 'request')}${span}: ${allowed} let through, ${refused} refused.${passedOver}`;
}

function todayLines({ reproduced, refusedToday, allowedToday }: Account): readonly string[] {
  return [
    `Today's policies decide as the server did on ${counted(reproduced, 'request')}.`,
    ...tallyLines(refusedToday, 'let through then, and refused by the policies of today'),
    ...tallyLines(allowedToday, 'refused then, and allowed by the policies of today'),
  ];
}

function againstLines({ refusedThen, allowedThen }: Account): readonly string[] {
  if (refusedThen.total + allowedThen.total === 0) return ['The new policies decide as the server did.'];
  return [
    ...tallyLines(refusedThen, 'let through then, and refused by the new policies'),
    ...tallyLines(allowedThen, 'refused then, and allowed by the new policies'),
  ];
}

function tallyLines(tally: Tally, what: string): readonly string[] {
  if (tally.total === 0) return [];
  const all = tally.list();
  const more = all.length - MOST_SHOWN;
  return [
    `${counted(tally.total, 'request')} ${tally.total === 1 ? 'was' : 'were'} ${what}:`,
    ...all.slice(0, MOST_SHOWN).map((each) => `  ${countedText(each)}`),
    ...(more > 0 ? [`  and ${more} more kinds of requests (--json lists them)`] : []),
  ];
}

function countedText({ operation, path, policies, count, last }: Counted): string {
  const times = count === 1 ? 'once' : `${count} times`;
  return `${operation} ${path}  ${times}, last ${last}, by ${policies.join(', ')}`;
}

/** What stands above the rules of a written policy. */
export function policyComment(
  { general, unwritable, rules }: WrittenPolicy,
  { allowed, first, last }: Reading,
  namespace: string,
): readonly string[] {
  const within = namespace === '' ? '' : ` in the namespace ${JSON.stringify(namespace)}`;
  const parameters = rules.every(({ allowedParameters }) => !allowedParameters)
    ? ['Each rule allows any parameters, whatever was sent.']
    : [];
  return [
    `Allows what ${counted(allowed, 'request')}${within} did, from ${first} to ${last}.`,
    'Not in it is what the policy "default" allows to every token.',
    ...parameters,
    ...(general.length > 0 ? ['Beyond what was done it allows:'] : []),
    ...general.map((each) => `- ${generalText(each)}`),
    ...(unwritable.length > 0
      ? ['No rule can name these paths, which it would take for patterns or expressions:']
      : []),
    ...unwritable.map((path) => `- ${JSON.stringify(path)}`),
  ];
}

function generalText({ rule: { path, capabilities }, used, of }: WrittenPolicy['general'][number]): string {
  const done = of === 'paths' ? `${used} of these paths were used` : `for ${counted(used, 'request')}`;
  return `${capabilities.join(', ')} on ${JSON.stringify(path)} (${done})`;
}

/** The same for programs. */
export function reportJson(
  reading: Reading,
  account: Account,
  written: WrittenPolicy | undefined,
  { today, against }: Shown,
): object {
  const { reproduced, undetermined, missing } = account;
  return {
    ...reading,
    undetermined,
    unknownPolicies: Object.fromEntries(missing),
    ...(today && {
      today: {
        reproduced,
        refused: account.refusedToday.list(),
        allowed: account.allowedToday.list(),
      },
    }),
    ...(against && {
      against: { refused: account.refusedThen.list(), allowed: account.allowedThen.list() },
    }),
    ...(written && {
      policy: written.text,
      beyond: written.general.map(({ rule: { path, capabilities }, used, of }) => ({
        path,
        capabilities,
        used,
        of,
      })),
      unwritable: written.unwritable,
    }),
  };
}
