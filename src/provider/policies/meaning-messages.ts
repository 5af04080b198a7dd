import {
  groupChanges,
  shortLine,
  type AclChange,
  type PolicyChange,
  type SensitiveChange,
} from '../../model';
import { phrase } from '../../model/messages';
import type { LocatedMessage } from '../messages';

const MOST_SENSITIVE = 10;

/** Warns of the requests that a change of a policy allows or denies. */
export function changed(title: string, change: PolicyChange): LocatedMessage {
  const { allowed, denied, sensitive } = change;
  const plain =
    denied.length === 0 ? 'more' : allowed.length === 0 ? 'less' : 'some requests and denies others';
  const effect = sensitive.length > 0 ? 'sensitive requests' : plain;
  return { summary: `${title}: the change allows ${effect}`, ...effectOf(change) };
}

/** Warns that a policy replaces a policy with another name, or in another namespace. */
export function replaced(title: string, former: string, change: PolicyChange): LocatedMessage {
  const where = title === former ? ' in another namespace, or on another cluster' : '';
  return {
    summary: `${title} replaces ${former}${where}`,
    ...effectOf(change, ['Allowed by the new policy:', 'No longer allowed by the former policy:']),
    cures: [
      ...cureOf(change),
      'give the new policy to the tokens and roles that need it: they refer to policies by their names',
    ],
  };
}

/** Warns that a policy is deleted, and which requests are then denied. */
export function deleted(title: string, denied: readonly string[]): LocatedMessage {
  return { summary: `${title} will be deleted`, ...effectOf({ allowed: [], denied, sensitive: [] }) };
}

function effectOf(
  change: PolicyChange,
  [nowAllowed, nowDenied] = ['Newly allowed:', 'No longer allowed:'],
): Pick<LocatedMessage, 'details' | 'cures'> {
  const { allowed, denied, sensitive } = change;
  const section = (heading: string, lines: readonly string[]) =>
    lines.length > 0 ? [heading, ...lines.map((line) => `- ${line}`)] : [];
  return {
    details: [
      ...section('Newly allowed, and sensitive:', linesOfSensitive(sensitive)),
      ...section(nowAllowed, allowed),
      ...section(nowDenied, denied),
    ],
    cures: cureOf(change),
  };
}

function linesOfSensitive(sensitive: PolicyChange['sensitive']): readonly string[] {
  const lines = linesOf(sensitive);
  const more = lines.length - MOST_SENSITIVE;
  return [...lines.slice(0, MOST_SENSITIVE), ...(more > 0 ? [`and ${more} more`] : [])];
}

function cureOf({ sensitive }: PolicyChange): readonly string[] {
  return sensitive.length > 0 ? ['make sure that all of this is intended'] : [];
}

export function notCompared(title: string): LocatedMessage {
  return {
    summary: `${title}: the effect of the change could not be determined`,
    details: phrase`Too many rules or parameter values apply to the same requests, so the comparison
      was stopped. What is newly allowed, and what no longer, is not listed.`,
    cures: 'compare the texts yourself, or split the policy',
  };
}

export function stopped(title: string): LocatedMessage {
  return {
    summary: `cannot plan ${title}: stopped`,
    details: 'Terraform was stopped before the change was compared.',
  };
}

/** Removes repeated changes. Each keeps its most dangerous description. */
function linesOf(sensitive: readonly SensitiveChange[]): readonly string[] {
  const seen = new Set<AclChange>();
  return [...new Set(sensitive.map(({ text }) => text))].flatMap((text) => {
    const may = `a token may now ${text}`;
    const same = sensitive.filter((each) => each.text === text);
    const denies = same.flatMap((each) => ('change' in each ? [] : [`${each.pattern}: ${may}`]));
    const changes = same.flatMap((each) => ('change' in each && !seen.has(each.change) ? [each.change] : []));
    for (const change of changes) seen.add(change);
    return [...groupChanges(changes).map((group) => `${shortLine(group)}: ${may}`), ...denies];
  });
}
