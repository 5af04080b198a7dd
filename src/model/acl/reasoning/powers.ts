import type { Effort } from '../effort';
import { isWidening, type AclChange } from './diff';
import { contains, overlap, patternOf, readPatternText } from './pattern';
import type { ComparedOperation } from './request-difference';

/** Something dangerous that a change of policies makes possible. */
export interface GainedPower {
  /** Words that follow "may now". */
  readonly text: string;
  readonly change: AclChange;
}

interface Power {
  readonly text: string;
  readonly operations: readonly ComparedOperation[];
  /** The paths within a namespace. */
  readonly paths: readonly string[];
}

const WRITE = ['create', 'update', 'patch'] as const;
const CHANGE = [...WRITE, 'delete'] as const;

/** The most dangerous powers come first. */
const POWERS: readonly Power[] = [
  {
    text: 'grant itself any policy',
    operations: WRITE,
    paths: [
      'sys/policies/acl/*',
      'sys/policy/*',
      'identity/entity',
      'identity/entity/*',
      'identity/group',
      'identity/group/*',
    ],
  },
  {
    text: 'create tokens and logins with other policies',
    operations: WRITE,
    paths: [
      ...['auth/token/create', 'auth/token/create-orphan', 'auth/token/create/*', 'auth/token/roles/*'],
      ...['auth/+/role/*', 'auth/+/users/*', 'auth/+/groups/*', 'auth/+/map/*', 'auth/+/certs/*'],
    ],
  },
  {
    text: 'create tokens with full permissions, or unseal with new keys',
    operations: WRITE,
    paths: [
      'sys/generate-root/*',
      'sys/generate-recovery-token/*',
      'sys/rekey/*',
      'sys/rekey-recovery-key/*',
      'sys/unseal',
    ],
  },
  {
    text: 'read all that the cluster stores',
    operations: ['read'],
    paths: ['sys/raw/*', 'sys/storage/raft/snapshot'],
  },
  { text: 'turn off or redirect audit devices', operations: CHANGE, paths: ['sys/audit/*'] },
  {
    text: 'change or remove the policies that bind others',
    operations: CHANGE,
    paths: ['sys/policies/rgp/*', 'sys/policies/egp/*'],
  },
  { text: 'delete policies', operations: ['delete'], paths: ['sys/policies/acl/*', 'sys/policy/*'] },
  {
    text: 'disable or redirect replication',
    operations: CHANGE,
    paths: ['sys/replication/*'],
  },
  { text: 'seal the cluster', operations: WRITE, paths: ['sys/seal', 'sys/step-down'] },
  {
    text: 'mount, move or remove engines and logins',
    operations: CHANGE,
    paths: ['sys/mounts/*', 'sys/auth/*', 'sys/remount'],
  },
];

/** The folders that hold no secrets. */
const NO_SECRETS = ['sys', 'auth', 'identity', 'cubbyhole'];

/**
 * Returns what a change of policies makes possible, by decreasing danger: each power once, with the
 * first change that grants it.
 *
 * @param changes the result of `diffPolicySets`.
 * @throws TooComplexError if it takes more than the effort given.
 */
export function gainedPowers(changes: readonly AclChange[], effort: Effort): readonly GainedPower[] {
  const widening = changes.filter(isWidening).map((change) => {
    const { pattern, except } = change;
    effort.spend(1 + except.length);
    return { change, own: readPatternText(pattern), exceptions: except.map(readPatternText) };
  });
  const found = POWERS.flatMap(({ text, operations, paths }): readonly GainedPower[] => {
    // A namespace may stand in front.
    const wanted = paths.flatMap((path) => [patternOf(path), patternOf(`+/${path}`)]);
    const gained = widening.find(
      ({ change: { operation }, own, exceptions }) =>
        operations.includes(operation) &&
        wanted.some(
          (path) =>
            overlap(own, path, effort) && !exceptions.some((exception) => contains(exception, path, effort)),
        ),
    );
    return gained ? [{ text, change: gained.change }] : [];
  });
  const secrets = widening.find(({ change, own: { segments, isPrefix } }) => {
    const names = segments.map(({ text }) => text).filter((text) => text !== '');
    const isMount = names.length <= 1 || names.at(-1) === 'data';
    return change.operation === 'read' && isPrefix && isMount && !NO_SECRETS.includes(names[0] ?? '');
  });
  return secrets ? [...found, { text: 'read all secrets of a mount', change: secrets.change }] : found;
}
