import { inWords, list, type Step } from '../../../../../src/provider/replication/set/planner';

const FOLLOW = {
  kind: 'follow',
  cluster: 'eu',
  primary: 'us',
  id: 'eu-1',
  filter: null,
  mayLose: false,
} as const;
const FILTER = { kind: 'set_filter', cluster: 'us', id: 'eu-1' } as const;
const PROMOTE = { kind: 'promote', cluster: 'eu', predecessors: ['us', 'ap'], forced: false } as const;

test.each<readonly [Step, string]>([
  [
    { kind: 'enable_primary', cluster: 'us' },
    'us: become the primary of a new replication set (keeps its data)',
  ],
  [
    { kind: 'demote', cluster: 'us', successor: 'eu', forced: false },
    'us: wait until eu has all its writes, then step down as the primary (keeps its data)',
  ],
  [
    { kind: 'demote', cluster: 'us', successor: 'eu', forced: true },
    'us: step down as the primary, BY FORCE if necessary (writes that eu never received are lost)',
  ],
  [PROMOTE, 'eu: become the primary, once it has all writes of us and ap (keeps its data)'],
  [
    { ...PROMOTE, fallback: 'us' },
    'eu: become the primary, once it has all writes of us and ap (keeps its data); otherwise us becomes the primary again, and its secondaries follow it as before',
  ],
  [{ ...PROMOTE, predecessors: [] }, 'eu: become the primary again (keeps its data)'],
  [
    { ...PROMOTE, forced: true },
    'eu: become the primary, BY FORCE if necessary (writes that it never received are lost)',
  ],
  [
    { kind: 'join', cluster: 'eu', primary: 'us', id: 'eu-1', filter: null },
    'eu: ERASE ALL DATA of this cluster, then join us as its secondary "eu-1", unfiltered',
  ],
  [FOLLOW, 'eu: follow us as its secondary "eu-1", unfiltered (keeps its data)'],
  [
    { ...FOLLOW, mayLose: true },
    'eu: follow us as its secondary "eu-1", unfiltered (keeps what us has; LOSES writes that us lacks)',
  ],
  [
    { ...FOLLOW, filter: { mode: 'deny', paths: [] } },
    'eu: follow us as its secondary "eu-1", unfiltered (keeps its data)',
  ],
  [
    { ...FILTER, filter: null },
    'us: remove the paths filter of secondary "eu-1", which then receives everything',
  ],
  [
    { ...FILTER, filter: { mode: 'deny', paths: ['b/', 'a/'] } },
    'us: write the paths filter of secondary "eu-1": without a/, b/ (removes from it what the filter withholds)',
  ],
  [
    { ...FILTER, filter: { mode: 'allow', paths: ['b/', 'a/'] } },
    'us: write the paths filter of secondary "eu-1": with only a/, b/ (removes from it what the filter withholds)',
  ],
  [
    { ...FILTER, filter: { mode: 'allow', paths: [] } },
    'us: write the paths filter of secondary "eu-1": without any secret or auth mount (removes from it what the filter withholds)',
  ],
  [{ kind: 'leave', cluster: 'eu' }, 'eu: leave the replication set (keeps its data)'],
  [{ kind: 'forget', cluster: 'us', id: 'eu-1' }, 'us: revoke secondary "eu-1", and remove its paths filter'],
  [{ kind: 'disable_primary', cluster: 'us' }, 'us: end the replication set (keeps its data)'],
])('the step %j has its text', (step, words) => {
  expect(inWords(step)).toBe(words);
});

test('names are joined by commas and "and" in a sentence', () => {
  expect([[], ['us'], ['us', 'eu'], ['us', 'eu', 'ap']].map((names) => list(names))).toEqual([
    '',
    '"us"',
    '"us" and "eu"',
    '"us", "eu" and "ap"',
  ]);
  expect(list(['us', 'eu'], 'or')).toBe('"us" or "eu"');
});
