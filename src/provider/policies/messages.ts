import type { Message } from '../objects';

/** The server always has this policy, so that creating it in Terraform overwrites it. */
export function overwritesPermanent(title: string): Message {
  return [
    `${title} exists on every server: its text is overwritten`,
    'Every token has this policy unless told otherwise. To keep what the server has, import the policy instead.',
  ];
}

/** The server does not delete this policy. */
export function permanentStays(title: string): Message {
  return [
    `${title} cannot be deleted: the server keeps it as it is`,
    'It is only removed from the state. To have its original text again, write that text before.',
  ];
}
