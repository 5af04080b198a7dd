import { renderAdvice } from '../../../model/messages';
import type { ReplayedPolicies, WrittenPolicy } from '../../../model';
import { counted } from '../../output/lists';
import type { Account, Counted, AuditLogCounts, Tally } from './account';

const MOST_SHOWN = 20;

interface Shown {
  readonly today: ReplayedPolicies | undefined;
  readonly against: ReplayedPolicies | undefined;
  readonly output?: string | undefined;
}

/** Returns the report for people. */
export function reportLines(
  reading: AuditLogCounts,
  account: Account,
  { today, against, output }: Shown,
): readonly string[] {
  const { undetermined, missing } = account;
  return [
    readingLine(reading),
    ...(undetermined > 0
      ? [
          `${counted(undetermined, 'request')} could not be decided: a policy is unknown, or the decision depends on a hashed ` +
            'value or on an identity.',
        ]
      : []),
    ...Array.from(
      missing,
      ([name, count]) => `  policy ${JSON.stringify(name)} is unknown (${counted(count, 'request')})`,
    ),
    ...(missing.size > 0
      ? [
          renderAdvice(
            'pass all policies of the tokens (--policies, --cluster). The name of a file is the name of its policy',
          ),
        ]
      : []),
    ...(today ? todayLines(account) : []),
    ...(against ? againstLines(reading, account) : []),
    ...(output === undefined ? [] : [`The policy was written to ${output}.`]),
  ];
}

function readingLine({ requests, allowed, unreadable, first, last }: AuditLogCounts): string {
  const span = first === '' ? '' : ` from ${first} to ${last}`;
  const refused = requests - allowed;
  const skipped = unreadable > 0 ? ` Skipped ${unreadableText(unreadable)}.` : '';
  return `${counted(requests, 'request')}${span}: ${allowed} allowed, ${refused} denied.${skipped}`;
}

/** Returns the text about lines that are not entries of an audit log. */
export function unreadableText(count: number): string {
  return `${counted(count, 'line')} that ${count === 1 ? 'is not an entry' : 'are not entries'} of an audit log in JSON`;
}

function todayLines({ reproduced, refusedToday, allowedToday }: Account): readonly string[] {
  return [
    `The current policies decide ${counted(reproduced, 'request')} as the server did.`,
    ...tallyLines(refusedToday, 'allowed, but would be denied by the current policies'),
    ...tallyLines(allowedToday, 'denied, but would be allowed by the current policies'),
  ];
}

function againstLines(
  { requests }: AuditLogCounts,
  { undetermined, refusedThen, allowedThen }: Account,
): readonly string[] {
  if (refusedThen.total + allowedThen.total === 0) {
    if (undetermined === 0) return ['The proposed policies decide every request as the server did.'];
    return undetermined === requests
      ? []
      : ['The proposed policies decide all other requests as the server did.'];
  }
  return [
    ...tallyLines(refusedThen, 'allowed, but would be denied by the proposed policies'),
    ...tallyLines(allowedThen, 'denied, but would be allowed by the proposed policies'),
  ];
}

function tallyLines(tally: Tally, what: string): readonly string[] {
  if (tally.total === 0) return [];
  const all = tally.list();
  const more = all.length - MOST_SHOWN;
  return [
    `${counted(tally.total, 'request')} ${tally.total === 1 ? 'was' : 'were'} ${what}:`,
    ...all.slice(0, MOST_SHOWN).map((each) => `  ${countedText(each)}`),
    ...(more > 0 ? [`  and ${more} more kinds of requests (listed by --json)`] : []),
  ];
}

function countedText({ operation, path, policies, count, last }: Counted): string {
  const times = count === 1 ? 'once' : `${count} times`;
  return `${operation} ${path}  ${times}, last ${last}, policies: ${policies.join(', ')}`;
}

/** Returns the comment above the rules of a written policy. */
export function policyComment(
  { general, unwritable, rules }: WrittenPolicy,
  { allowed, first, last }: AuditLogCounts,
  namespace: string,
): readonly string[] {
  const within = namespace === '' ? '' : ` in the namespace ${JSON.stringify(namespace)}`;
  const parameters = rules.every(({ allowedParameters }) => !allowedParameters)
    ? ['All parameters are allowed.']
    : [];
  return [
    `Generated from ${counted(allowed, 'allowed request')}${within}, from ${first} to ${last}.`,
    'Requests that the policy "default" allows are not included.',
    ...parameters,
    ...(general.length > 0 ? ['Rules that allow more than these requests:'] : []),
    ...general.map((each) => `- ${generalText(each)}`),
    ...(unwritable.length > 0
      ? ['Paths that are not included, because a rule would treat them as patterns or templates:']
      : []),
    ...unwritable.map((path) => `- ${JSON.stringify(path)}`),
  ];
}

function generalText({ rule: { path, capabilities }, used, of }: WrittenPolicy['general'][number]): string {
  const done = of === 'paths' ? `${used} of these paths were used` : `covers ${counted(used, 'request')}`;
  return `${capabilities.join(', ')} on ${JSON.stringify(path)} (${done})`;
}

/** The JSON that `policy from-audit` prints. @public */
export interface FromAuditReport extends AuditLogCounts {
  /** Requests that could not be decided. */
  readonly undetermined: number;
  /** Requests by the names of policies that are unknown. */
  readonly unknownPolicies: Readonly<Record<string, number>>;
  /** The decisions of today's policies. Absent if no policies were given. */
  readonly today?: TodayJson;
  /** The decisions of the policies of `--against`. */
  readonly against?: DecidedOtherwise;
  /** The policy that was written. */
  readonly policy?: string;
  /** Rules that allow more than the logged requests. */
  readonly beyond?: readonly RuleBeyond[];
  /** Paths that no rule can name. */
  readonly unwritable?: WrittenPolicy['unwritable'];
}

/** Requests that policies decide differently from the server. */
interface DecidedOtherwise {
  /** Requests that the server allowed, and the policies refuse. */
  readonly refused: readonly Counted[];
  /** Requests that the server refused, and the policies allow. */
  readonly allowed: readonly Counted[];
}

interface TodayJson extends DecidedOtherwise {
  /** The number of requests that the policies decide as the server did. */
  readonly reproduced: number;
}

interface RuleBeyond {
  readonly path: string;
  readonly capabilities: readonly string[];
  readonly used: number;
  /** The explanation of the count `used`. */
  readonly of: WrittenPolicy['general'][number]['of'];
}

/** Returns the report as JSON for programs. */
export function reportJson(
  reading: AuditLogCounts,
  account: Account,
  written: WrittenPolicy | undefined,
  { today, against }: Shown,
): FromAuditReport {
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
