import type { ClusterRequest, Procedure, Request } from '../../../../../src/provider/replication/set/decide';
import { checkRights } from '../../../../../src/provider/replication/set/decide/rights';
import type { Observation, Step } from '../../../../../src/provider/replication/set/planner';
import { primary, secondary } from '../planner/observations';

type Asked = Extract<ClusterRequest, { readonly kind: 'capabilities' }>;

const CALLS = 'sys/replication/performance';
const FILTER = { mode: 'deny', paths: ['legal/'] };
const NOTES = ['sys/policies/acl/vaultadmin-switchover', 'sys/policies/acl/vaultadmin-takeover'];
const observation: Observation = { us: primary({ eu: 'connected' }), eu: secondary('eu') };

/**
 * Checks the rights for steps, and returns the paths that are looked up, by cluster.
 *
 * @param granted the capabilities on a path. Default: all
 */
function looksUp(
  steps: readonly Step[],
  granted: (cluster: string, path: string) => readonly string[] = () => ['root'],
  present: Observation = observation,
): Readonly<Record<string, readonly string[]>> {
  const asked: Record<string, readonly string[]> = {};
  const answer = (request: Request): unknown => {
    if (request.kind === 'all') return request.procedures.map(run);
    const { cluster, paths } = request as Asked;
    asked[cluster] = [...paths].sort();
    return Object.fromEntries(paths.map((path) => [path, granted(cluster, path)]));
  };
  const run = (procedure: Procedure<unknown>): unknown => {
    let next = procedure.next();
    while (next.done !== true) next = procedure.next(answer(next.value));
    return next.value;
  };
  run(checkRights('the set', steps, { ids: ['eu'], observation: present }));
  return asked;
}

const demotion: Step = { kind: 'demote', cluster: 'us', successor: 'eu', forced: false };
const promotion: Step = { kind: 'promote', cluster: 'eu', predecessors: ['us'], forced: false };
const join: Step = { kind: 'join', cluster: 'eu', primary: 'us', id: 'eu', filter: FILTER };

test.each<[string, readonly Step[], Readonly<Record<string, readonly string[]>>]>([
  [
    'a switchover',
    [demotion, promotion],
    {
      us: [...NOTES, `${CALLS}/primary/demote`],
      eu: [...NOTES, `${CALLS}/primary/paths-filter/eu`, `${CALLS}/secondary/promote`],
    },
  ],
  [
    'a forced promotion',
    [{ ...promotion, forced: true }],
    { eu: [`${CALLS}/primary/paths-filter/eu`, `${CALLS}/secondary/promote`] },
  ],
  [
    'a join with a filter',
    [join],
    {
      us: [
        `${CALLS}/primary/paths-filter/eu`,
        `${CALLS}/primary/revoke-secondary`,
        `${CALLS}/primary/secondary-token`,
      ],
      eu: [`${CALLS}/secondary/enable`],
    },
  ],
  [
    'a change of a filter',
    [{ kind: 'set_filter', cluster: 'us', id: 'eu', filter: FILTER }],
    {
      us: [`${CALLS}/primary/paths-filter/eu`],
    },
  ],
  [
    'a revocation',
    [{ kind: 'forget', cluster: 'us', id: 'eu' }],
    {
      us: [`${CALLS}/primary/paths-filter/eu`, `${CALLS}/primary/revoke-secondary`],
    },
  ],
  [
    'a new address',
    [{ kind: 'redirect', cluster: 'eu', primary: 'us', id: 'eu', address: 'a' }],
    {
      eu: [`${CALLS}/secondary/update-primary`],
    },
  ],
  ['a removal', [{ kind: 'leave', cluster: 'eu' }], { eu: [`${CALLS}/secondary/disable`] }],
])(
  'the rights for %s are looked up on the clusters that get its requests, and on no other',
  (_what, steps, paths) => {
    expect(looksUp(steps)).toEqual(paths);
  },
);

test('the rights on a cluster that does not answer are not looked up', () => {
  const silent = { ...observation, eu: { ...secondary('eu'), unreachable: 'timeout' } };
  expect(looksUp([demotion, promotion], undefined, silent)).toEqual({
    us: [...NOTES, `${CALLS}/primary/demote`],
  });
});

test('a right that is missing on one cluster is an error that names the cluster, the path and the rights', () => {
  const denied = (cluster: string, path: string) =>
    cluster === 'eu' && path.endsWith('/promote') ? ['read'] : ['root'];
  expect(() => looksUp([demotion, promotion], denied)).toThrow(
    `the set: the token of cluster "eu" lacks permissions for the plan`,
  );
  expect(() => looksUp([demotion], denied)).not.toThrow();
});
