import { phrase } from '../../model/messages';
import { type LocatedMessage } from '../messages';
import { groupChanges, shortLine, type SensitiveChange } from '../../model';

/** The server always has this policy, so that creating it in Terraform overwrites it. */
export function overwritesPermanent(title: string): LocatedMessage {
  return {
    summary: `${title} exists on every server: its text will be overwritten`,
    details: 'Every token has this policy by default. To keep the current text, import the policy instead.',
  };
}

/** The server does not delete this policy. */
export function permanentStays(title: string): LocatedMessage {
  return {
    summary: `${title} cannot be deleted: the server keeps it unchanged`,
    details: 'It is only removed from the state. To restore its original text, apply that text first.',
  };
}

const MOST_SENSITIVE = 10;

const WHY_SENSITIVE: Readonly<Record<OfPaths['kind'], string>> = {
  policies: 'anyone who may write policies can grant themselves any permission',
  sudo: '"sudo" permits access to protected paths',
  system: 'paths below sys/ configure the cluster, or expose everything that it stores',
  auth: 'paths below auth/ decide who gets tokens, and with which policies',
};

type OfPaths = Exclude<SensitiveChange, { kind: 'shadowed-deny' }>;

/** A change of a policy allows requests that reviewers should look at. */
export function widens(title: string, sensitive: readonly SensitiveChange[]): LocatedMessage {
  const lines = [...linesOfPaths(sensitive), ...sensitive.flatMap(lineOfDeny)];
  const more = lines.length - MOST_SENSITIVE;
  return {
    summary: `${title}: the change allows sensitive requests`,
    details: [
      'Newly allowed:',
      ...lines.slice(0, MOST_SENSITIVE).map((line) => `- ${line}`),
      ...(more > 0 ? [`- and ${more} more`] : []),
    ],
    cures: 'make sure that all of this is intended',
  };
}

export function notCompared(title: string): LocatedMessage {
  return {
    summary: `${title}: the effect of the change could not be determined`,
    details: phrase`Too many rules or parameter values apply to the same requests, so the comparison
      was stopped. Newly allowed sensitive requests are not listed.`,
    cures: 'compare the texts yourself, or split the policy',
  };
}

export function stopped(title: string): LocatedMessage {
  return {
    summary: `cannot plan ${title}: stopped`,
    details: 'Terraform was stopped before the change was compared.',
  };
}

function linesOfPaths(sensitive: readonly SensitiveChange[]): readonly string[] {
  return (Object.keys(WHY_SENSITIVE) as (keyof typeof WHY_SENSITIVE)[]).flatMap((kind) => {
    const changes = sensitive.flatMap((each) => (each.kind === kind ? [each.change] : []));
    return groupChanges(changes).map((group) => `${shortLine(group)}: ${WHY_SENSITIVE[kind]}`);
  });
}

function lineOfDeny(change: SensitiveChange): readonly string[] {
  if (change.kind !== 'shadowed-deny') return [];
  const { deny, by, pattern } = change;
  const [denied, decides] = [deny, by].map(({ path }) => JSON.stringify(path));
  return [
    `${pattern}: the rule for ${denied} still denies it, but the rule for ${decides} now takes precedence`,
  ];
}
