import type { LocatedMessage } from '../messages';

/** Warns that every server has this policy, so that creating it in Terraform overwrites it. */
export function overwritesPermanent(title: string): LocatedMessage {
  return {
    summary: `${title} exists on every server: its text will be overwritten`,
    details: 'Every token has this policy by default. To keep the current text, import the policy instead.',
  };
}

/** Warns that the server does not delete this policy. */
export function permanentStays(title: string): LocatedMessage {
  return {
    summary: `${title} cannot be deleted: the server keeps it unchanged`,
    details: 'It is only removed from the state. To restore its original text, apply that text first.',
  };
}
