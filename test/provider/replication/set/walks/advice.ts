/** The actions of an operator who reads the error of an apply. */
export type Advice =
  | { readonly kind: 'again' | 'unforce' }
  | { readonly kind: 'confirm' | 'reclaim' | 'disable' | 'initialize'; readonly cluster: string }
  | {
      readonly kind: 'primary';
      readonly cluster: string;
      readonly forced: boolean;
      /** Whose loss is confirmed at the same time. */
      readonly confirm?: string;
      /** Whose paths filter is removed at the same time. */
      readonly unfilter?: string;
    }
  | { readonly kind: 'demote'; readonly clusters: readonly string[]; readonly remaining?: string }
  | { readonly kind: 'revoke'; readonly cluster: string; readonly ids: readonly string[] }
  | { readonly kind: 'import'; readonly cluster?: string };

/** The first that fits is taken. */
const READINGS: readonly (readonly [pattern: RegExp, read: (match: RegExpExecArray) => Advice])[] = [
  [
    /^.*?"(\w+)" (?:and|,).* (?:both|all) primaries of this replication set/,
    ({ 0: line }) => {
      const [first, ...others] = namesIn(line.split(' are ')[0]!);
      return { kind: 'demote', clusters: others, remaining: first! };
    },
  ],
  [
    /"(\w+)" is in abandoned_clusters, but answers/,
    ([, cluster]) => ({ kind: 'reclaim', cluster: cluster! }),
  ],
  [
    /remove "\w+" from this set\b.*To continue with the data of .*disable replication on "(\w+)"/,
    ([, cluster]) => ({ kind: 'disable', cluster: cluster! }),
  ],
  [
    / is the primary of another replication set/,
    ({ input }) => ({ kind: 'disable', cluster: namesIn(input.split(':').slice(1).join(':'))[0]! }),
  ],
  [
    /Set primary to "(\w+)", add "(\w+)" to secondaries with/,
    ([, cluster, loser]) => ({ kind: 'primary', cluster: cluster!, forced: false, confirm: loser! }),
  ],
  [
    /with "(\w+)" (?:still )?as primary, remove the paths filter of "(\w+)"/,
    ([, cluster, other]) => ({ kind: 'primary', cluster: cluster!, forced: false, unfilter: other! }),
  ],
  [
    /set primary to "(\w+)" and add the other clusters to secondaries/,
    ([, cluster]) => ({ kind: 'primary', cluster: cluster!, forced: false }),
  ],
  [/set primary back to "(\w+)"/, ([, cluster]) => ({ kind: 'primary', cluster: cluster!, forced: false })],
  // Unless it is said for the case that nothing else helps: see otherwise().
  [
    /(?<!never reached its primary: )give "(\w+)" empty storage/,
    ([, cluster]) => ({ kind: 'initialize', cluster: cluster! }),
  ],
  [/confirm_data_loss = "(\w+)/, ([, cluster]) => ({ kind: 'confirm', cluster: cluster! })],
  [
    /set primary and force_promotion to "(\w+)"/,
    ([, cluster]) => ({ kind: 'primary', cluster: cluster!, forced: true }),
  ],
  [
    // See otherwise().
    /(?<!If that primary is gone, )set force_promotion(?: =| to) "(\w+)"/,
    ([, cluster]) => ({ kind: 'primary', cluster: cluster!, forced: true }),
  ],
  [/set primary to "(\w+)"/, ([, cluster]) => ({ kind: 'primary', cluster: cluster!, forced: false })],
  [/import the set under the name of its current primary/, () => ({ kind: 'import' })],
  [
    /remove "(\w+)" from this set\. Or disable replication on it/,
    ([, cluster]) => ({ kind: 'disable', cluster: cluster! }),
  ],
  [
    /disable replication on (?:it|"(\w+)")/,
    ({ 1: cluster, input }) => ({ kind: 'disable', cluster: cluster ?? namesIn(input)[1]! }),
  ],
  [
    /"(\w+)" has secondaries that are not in this set[^:]*: (.*)/,
    ([, cluster, ids]) => ({ kind: 'revoke', cluster: cluster!, ids: namesIn(ids!) }),
  ],
  [
    /another secondary of "(\w+)" has the id "([\w-]+)"/,
    ([, cluster, id]) => ({ kind: 'revoke', cluster: cluster!, ids: [id!] }),
  ],
  [/^Provider produced inconsistent final plan/, () => ({ kind: 'again' })],
  [
    /To do: (?:plan again|apply again|fix the cause|pause the writers|wait until|correct what)/,
    () => ({ kind: 'again' }),
  ],
];

export function adviceIn(error: string): Advice | undefined {
  for (const [pattern, read] of READINGS) {
    const match = pattern.exec(error);
    if (match) return read(match);
  }
  return undefined;
}

/** The advice of the error for the case that its first one does not help. */
export function otherwise(error: string): Advice | undefined {
  const empty = /If nobody can log in to "(\w+)"/.exec(error)?.[1];
  if (empty !== undefined) return { kind: 'initialize', cluster: empty };
  const last = /If that primary is gone, set force_promotion to "(\w+)"/.exec(error)?.[1];
  return last === undefined ? undefined : { kind: 'primary', cluster: last, forced: true };
}

function namesIn(text: string): string[] {
  return [...text.matchAll(/"([\w-]+)"/g)].map(([, name]) => name!);
}
