/** The full texts of the refusals: the attribute, the problem, the reason and the cure. */
import {
  planForDestroy,
  planFor,
  type ClusterFacts,
  type Goal,
  type Observation,
} from '../../../../../src/provider/replication/set/planner';
import {
  cutOff,
  DENY,
  demoted,
  fresh,
  goal,
  gone,
  knowingUnlisted,
  primary,
  secondary,
  SET,
  upTo,
  used,
} from './observations';
import { shown } from '../support/refusals';

const knows = ['us', 'eu'] as const;
const pair = goal({ primary: 'us', secondaries: { eu: null }, knows });
const swapped = goal({ primary: 'eu', secondaries: { us: null }, knows });
const first = goal({ primary: 'us', secondaries: { eu: null } });

test.each<
  readonly [string, Goal, Observation, path: readonly string[], summary: string, detail: readonly string[]]
>([
  [
    'one cluster under two names',
    first,
    {
      us: { ...fresh, self: { id: 'id-1', place: 'https://10.0.0.1:8201' } },
      eu: { ...fresh, self: { id: 'id-1', place: 'https://10.0.0.1:8201' } },
    },
    ['secondaries', 'eu'],
    '"us" and "eu" are the same cluster',
    [
      'The addresses of both lead to the cluster with the id "id-1" (sys/health), and to the same active node (sys/leader).',
      "To do: correct the address of one of them in the provider's configuration, or list the cluster only once.",
    ],
  ],
  [
    'two primaries with one id, whose servers do not report their active nodes',
    pair,
    { us: { ...primary(), self: { id: 'id-1' } }, eu: { ...primary(), self: { id: 'id-1' } } },
    ['secondaries', 'eu'],
    '"us" and "eu" may be the same cluster',
    [
      'The addresses of both lead to the cluster with the id "id-1" (sys/health), and the addresses of their active nodes are not known (sys/leader).',
      "To do: correct the address of one of them in the provider's configuration, or list the cluster only once.",
      'If "eu" was restored from a snapshot of "us": give "eu" empty storage, initialize and unseal it, set up the login that Terraform uses, and plan again.',
    ],
  ],
  [
    'two secondaries with one id that get the ids of each other, whose servers do not report their own',
    goal({
      primary: 'us',
      secondaries: { eu: null, ap: null },
      ids: { eu: 'ap', ap: 'eu' },
      knows: ['us', 'eu', 'ap'],
    }),
    { us: primary({ ap: 'connected' }), eu: secondary('ap'), ap: secondary('ap') },
    ['secondaries', 'ap'],
    '"eu" and "ap" may be the same cluster',
    [
      'Both report the secondary id "ap" of one replication set, and their servers do not report different cluster ids (sys/health).',
      'To do: if they are one cluster, remove "ap" from secondaries.',
      'If they are two that get each other\'s ids, first give "ap" an id that no secondary has (id = ... in secondaries["ap"]) and apply. Then give each the id of the other, and apply again.',
    ],
  ],
  [
    'two secondaries with one id, whose servers do not report their own',
    goal({ primary: 'us', secondaries: { eu: null, ap: null } }),
    { us: primary({ x: 'connected' }), eu: secondary('x'), ap: secondary('x') },
    ['secondaries', 'ap'],
    '"eu" and "ap" may be the same cluster',
    [
      'Both report the secondary id "x" of one replication set, and their servers do not report different cluster ids (sys/health).',
      'To do: if they are one cluster, remove "ap" from secondaries.',
      'If they are two, disable replication on "ap" (vault write -f sys/replication/performance/secondary/disable), which keeps its data, and confirm the loss of its data with confirm_data_loss.',
    ],
  ],
  [
    'a last primary that is given up',
    goal({ primary: 'eu', abandoned: ['us'], knows }),
    { us: gone(primary({ eu: 'connected' })), eu: secondary('eu') },
    ['abandoned_clusters'],
    '"eu" can only take over from "us", which is in abandoned_clusters, by force',
    [
      'Whether "eu" has all writes of "us" can no longer be determined.',
      'To do: if the writes that only "us" has may be lost, set force_promotion = "eu". If "us" can be brought back, remove it from abandoned_clusters and wait for it.',
    ],
  ],
  [
    'a last primary that stepped down for a cluster that is not in the set',
    pair,
    {
      us: { ...demoted(), announced: { id: 'id-ap', name: 'ap' } } as Observation[string],
      eu: secondary('eu'),
    },
    ['primary'],
    '"us" must not be promoted: the last primary stepped down for "ap", which is not in this set',
    [
      'The ACL policy "vaultadmin-switchover" names "ap" (id "id-ap" in sys/health) as the cluster that takes over. It may be the primary now, or may become it: "us" would be a second primary.',
      'To do: if "ap" was added to the set by another configuration, apply that one, and manage the set in one state only. Or set primary to "ap" and add the other clusters to secondaries here. If "ap" will not come back, and the writes that only it has may be lost, set force_promotion to "us".',
    ],
  ],
  [
    'a storage that cannot replicate, of the primary',
    first,
    { us: { mode: 'unsupported' }, eu: used },
    ['primary'],
    '"us" cannot replicate: its storage does not support it',
    ['To do: move the cluster to a storage that supports replication, such as integrated storage (Raft).'],
  ],
  [
    'a storage that cannot replicate, of a cluster that leaves',
    goal({ primary: 'us', knows }),
    { us: primary(), eu: { mode: 'unsupported' } },
    [],
    '"eu" cannot replicate: its storage does not support it',
    ['To do: move the cluster to a storage that supports replication, such as integrated storage (Raft).'],
  ],
  [
    'a secondary of disaster recovery',
    first,
    { us: primary(), eu: { mode: 'dr_secondary' } },
    ['secondaries', 'eu'],
    'the address of "eu" leads to a secondary of disaster recovery',
    [
      'It contains a copy of its primary, and does not serve requests until it is promoted (HTTP 472).',
      `To do: correct the address of cluster "eu" in the provider's configuration, so that it leads to the cluster that serves requests. Or, after a disaster, promote the DR secondary first.`,
    ],
  ],
  [
    'a secondary of disaster recovery where a member was',
    goal({ primary: 'us', secondaries: { eu: null }, knows }),
    { us: primary(), eu: { mode: 'dr_secondary' } },
    ['secondaries', 'eu'],
    'the address of "eu" leads to a secondary of disaster recovery',
    [
      'It contains a copy of its primary, and does not serve requests until it is promoted (HTTP 472).',
      `To do: correct the address of cluster "eu" in the provider's configuration, so that it leads to the cluster that serves requests. Or, after a disaster, promote the DR secondary first. If "eu" is gone for good, remove it from secondaries, and add it to abandoned_clusters.`,
    ],
  ],
  [
    'three primaries',
    goal({ primary: 'us', secondaries: { eu: null, ap: null }, knows }),
    { us: primary(), eu: primary(), ap: primary() },
    ['primary'],
    '"us", "eu" and "ap" are all primaries of this replication set',
    [
      'There must never be more than one: writes to one of them are lost when it follows another. Clients may write to each of them now.',
      'To do: determine which one has the writes to keep, and save what it lacks from the others. Then demote the others (vault write -f sys/replication/performance/primary/demote), set primary to the remaining one and apply: the others follow it without being erased, but lose the writes that it lacks, which the plan asks to confirm with confirm_data_loss.',
    ],
  ],
  [
    'a primary of another set',
    first,
    { us: primary(), eu: primary({}, {}, 'set-2') },
    ['secondaries', 'eu'],
    '"eu" is the primary of another replication set',
    [
      'Cluster id of its set: "set-2".',
      'To do: remove "eu" from this set. Or, if its own set is no longer needed, disable replication first on its secondaries and then on it.',
    ],
  ],
  [
    'a primary outside of the set',
    first,
    { us: used, eu: primary() },
    ['primary'],
    '"us" cannot become the primary: "eu" is the primary, and "us" is not one of its secondaries',
    [
      'Status of "us": disabled.',
      'To do: set primary to "eu", add "us" to secondaries and apply. Then set primary to "us" and apply again.',
    ],
  ],
  [
    'a primary that belongs to another set',
    first,
    { us: secondary('us', 'set-2'), eu: primary() },
    ['primary'],
    '"us" cannot become the primary: "eu" is the primary, and "us" is not one of its secondaries',
    [
      '"us" is a secondary of another set. Cluster id of that set: "set-2".',
      'To do: to keep the data of "us", remove "eu" from this set. To continue with the data of "eu", set primary to "eu", disable replication on "us" (vault write -f sys/replication/performance/secondary/disable), and confirm the loss of its data with confirm_data_loss.',
    ],
  ],
  [
    'a primary that belongs to another set, and is not connected',
    first,
    { us: { ...secondary('us', 'set-2'), connected: false } as ClusterFacts, eu: primary() },
    ['primary'],
    '"us" cannot become the primary: "eu" is the primary, and "us" is not one of its secondaries',
    [
      '"us" is a secondary of another set. Cluster id of that set: "set-2".',
      'To do: to keep the data of "us", remove "eu" from this set. To continue with the data of "eu", set primary to "eu", disable replication on "us" (vault write -f sys/replication/performance/secondary/disable), and confirm the loss of its data with confirm_data_loss. If nobody can log in to "us", as it joined and never reached its primary: give "us" empty storage, initialize and unseal it, set up the login that Terraform uses, and plan again.',
    ],
  ],
  [
    'a primary that is unreachable',
    pair,
    { us: gone(primary()), eu: primary() },
    ['primary'],
    '"us" cannot be reached and so cannot become the primary: "eu" is the primary now',
    [
      '"us": no answer',
      'To do: set primary to "eu", which has taken over. Or restore "us" first. If it comes back as a primary, demote it before it accepts writes.',
    ],
  ],
  [
    'a secondary of another set',
    first,
    { us: primary(), eu: secondary('x', 'set-2') },
    ['secondaries', 'eu'],
    '"eu" is a secondary of another replication set',
    [
      'Cluster id of that set: "set-2".',
      'To do: remove "eu" from this set. Or disable replication on it first (vault write -f sys/replication/performance/secondary/disable), and confirm the loss of its data with confirm_data_loss.',
    ],
  ],
  [
    'a secondary of another set that is not connected to its primary',
    first,
    { us: primary(), eu: { ...secondary('x', 'set-2'), connected: false } as ClusterFacts },
    ['secondaries', 'eu'],
    '"eu" is a secondary of another replication set',
    [
      'Cluster id of that set: "set-2".',
      'To do: remove "eu" from this set. Or disable replication on it first (vault write -f sys/replication/performance/secondary/disable), and confirm the loss of its data with confirm_data_loss. If nobody can log in to "eu", as it joined and never reached its primary: give "eu" empty storage, initialize and unseal it, set up the login that Terraform uses, and plan again.',
    ],
  ],
  [
    'a former primary of another set',
    first,
    { us: primary(), eu: demoted('set-2') },
    ['secondaries', 'eu'],
    '"eu" is a secondary of another replication set',
    [
      'Cluster id of that set: "set-2".',
      'To do: remove "eu" from this set. Or disable replication on it first (vault write -f sys/replication/performance/secondary/disable), and confirm the loss of its data with confirm_data_loss.',
    ],
  ],
  [
    'a secondary that follows a primary that the set does not contain',
    pair,
    { us: fresh, eu: secondary('eu') },
    ['secondaries', 'eu'],
    '"eu" still holds the data of this replication set, but "us" is no longer its primary',
    [
      'Cluster id of the set: "set-1". "eu" is connected to its primary, which may accept writes: "eu" would be a second primary if it was promoted.',
      'To do: set primary to the cluster that "eu" follows (primaries in vault read sys/replication/performance/status). If that primary was disabled just now, wait a minute and plan again. To continue with the data of "us", disable replication on "eu" (vault write -f sys/replication/performance/secondary/disable), and confirm the loss of its data with confirm_data_loss.',
    ],
  ],
  [
    'a secondary that lost its primary',
    pair,
    { us: fresh, eu: { ...secondary('eu'), connected: false } as ClusterFacts },
    ['secondaries', 'eu'],
    '"eu" still holds the data of this replication set, but "us" is no longer its primary',
    [
      'Cluster id of the set: "set-1". Replication on "us" was disabled, or the cluster was replaced.',
      'To do: to keep the data of "eu", set primary and force_promotion to "eu", which then takes over. To continue with the data of "us", disable replication on "eu" (vault write -f sys/replication/performance/secondary/disable), and confirm the loss of its data with confirm_data_loss. If nobody can log in to "eu", as it joined and never reached its primary: give "eu" empty storage, initialize and unseal it, set up the login that Terraform uses, and plan again.',
    ],
  ],
  [
    'a secondary whose primary is the primary of another set',
    pair,
    { us: primary({}, {}, 'set-2'), eu: { ...secondary('eu'), connected: false } as ClusterFacts },
    ['secondaries', 'eu'],
    '"eu" still holds the data of this replication set, but "us" is no longer its primary',
    [
      'Cluster id of the set: "set-1". Replication on "us" was disabled, or the cluster was replaced.',
      'To do: to keep the data of "eu", remove "us" from this set, and set primary and force_promotion to "eu", which then takes over. To continue with the data of "us", disable replication on "eu" (vault write -f sys/replication/performance/secondary/disable), and confirm the loss of its data with confirm_data_loss. If nobody can log in to "eu", as it joined and never reached its primary: give "eu" empty storage, initialize and unseal it, set up the login that Terraform uses, and plan again.',
    ],
  ],
  [
    'a switchover at creation',
    goal({ primary: 'eu', secondaries: { us: null } }),
    { us: primary({ eu: 'connected' }), eu: secondary('eu') },
    ['primary'],
    '"eu" is already a secondary of a replication set',
    [
      'Its primary: "us".',
      'To do: import the set under the name of its current primary. Then change primary and apply to switch over.',
    ],
  ],
  [
    'a switchover at creation, without a primary',
    goal({ primary: 'eu', secondaries: { us: null } }),
    { us: demoted(), eu: secondary('eu') },
    ['primary'],
    '"eu" is already a secondary of a replication set',
    [
      'Its primary: none of the clusters of this set.',
      'To do: if another cluster is its primary, import the set under the name of that one. If no cluster is, promote one (vault write -f sys/replication/performance/secondary/promote) and import the set under its name: its secondaries keep their data. To give up that set, disable replication on "eu" (vault write -f sys/replication/performance/secondary/disable), which keeps its data, and apply again: all other clusters are then erased when they join.',
    ],
  ],
  [
    'a filtered successor',
    swapped,
    { us: primary({ eu: 'connected' }, { eu: DENY }), eu: secondary('eu') },
    ['primary'],
    '"eu" has a paths filter and lacks data: if it is promoted, the whole set loses that data',
    [
      'To do: with "us" still as primary, remove the paths filter of "eu" and apply. Once it has received everything, change primary.',
    ],
  ],
  [
    'secondaries that are not in the set',
    swapped,
    { us: primary({ eu: 'connected', ap: 'connected', mx: 'never' }), eu: secondary('eu') },
    ['primary'],
    '"us" has secondaries that are not in this set and would lose their primary: "ap" and "mx"',
    [
      '"eu" will replace it as the primary.',
      'To do: add the clusters with these ids to secondaries. Or revoke the ids that are not in use (vault write sys/replication/performance/primary/revoke-secondary id=...).',
    ],
  ],
  [
    'a last primary that follows another',
    pair,
    { us: secondary('us'), eu: secondary('eu') },
    ['primary'],
    '"us" follows a primary that is not in this set or does not answer',
    [
      'It was the primary when Terraform last saw it. "us" would be a second primary.',
      'To do: set primary to the cluster that is the primary now. Or demote that cluster first (vault write -f sys/replication/performance/primary/demote), once the clusters of this set have all its writes.',
    ],
  ],
  [
    'a last primary that was restored as a secondary',
    pair,
    { us: cutOff('us'), eu: cutOff('eu') },
    ['primary'],
    '"us" must not become the primary again: it is a secondary now, and may lack writes',
    [
      'It was the primary when Terraform last saw it, and did not step down: it was restored from a snapshot, or was given another primary. Its secondary id: "us".',
      'To do: if another cluster is the primary now, make sure that it answers, or set primary to it. If none is, and the writes that "us" lacks may be lost, set force_promotion to "us".',
    ],
  ],
  [
    'a last primary that was switched off',
    goal({ primary: 'eu', knows }),
    { us: used, eu: secondary('eu') },
    ['primary'],
    'could not determine whether "eu" has all writes of "us", the last primary',
    [
      'Status of "us": disabled.',
      'To do: if "us" will not come back, or if the writes that only it has may be lost, set force_promotion to "eu".',
    ],
  ],
  [
    'a last primary that was never asked',
    goal({ primary: 'eu', knows }),
    { us: { mode: 'unknown' }, eu: secondary('eu') },
    ['primary'],
    'could not determine whether "eu" has all writes of "us", the last primary',
    [
      'Status of "us": unknown.',
      'To do: if "us" will not come back, or if the writes that only it has may be lost, set force_promotion to "eu".',
    ],
  ],
  [
    'data',
    first,
    { us: used, eu: { mode: 'disabled', holds: ['a', 'b'] } },
    ['secondaries', 'eu'],
    '"eu" holds data, which would be erased if it joins the replication set',
    [
      'It holds: a, b.',
      'To do: save what you need and confirm the loss with confirm_data_loss = "eu" in secondaries["eu"]; or remove it from the set.',
    ],
  ],
  [
    'data that could not be determined',
    first,
    { us: used, eu: { mode: 'disabled' } },
    ['secondaries', 'eu'],
    '"eu" may hold data, which would be erased if it joins the replication set',
    [
      'Its data could not be determined. A cluster whose data is not known counts as not empty.',
      'To do: fix the cause, so that Terraform can look, and plan again. Or save what you need and confirm the loss with confirm_data_loss = "eu" in secondaries["eu"]; or remove it from the set.',
    ],
  ],
  [
    'data that could not be determined, with the reason',
    first,
    { us: used, eu: { mode: 'disabled', unseen: 'cannot read sys/mounts (403).' } },
    ['secondaries', 'eu'],
    '"eu" may hold data, which would be erased if it joins the replication set',
    [
      'Its data could not be determined: cannot read sys/mounts (403). A cluster whose data is not known counts as not empty.',
      'To do: fix the cause, so that Terraform can look, and plan again. Or save what you need and confirm the loss with confirm_data_loss = "eu" in secondaries["eu"]; or remove it from the set.',
    ],
  ],
  [
    'a confirmation that was used',
    goal({ primary: 'us', secondaries: { eu: null }, used: ['eu'], knows }),
    { us: primary({ eu: 'disconnected' }), eu: used },
    ['secondaries', 'eu'],
    '"eu" holds data, which would be erased if it joins the replication set',
    [
      'It holds: secrets engine "kv/".',
      'To do: save what you need. confirm_data_loss of "eu" was used up when the cluster joined or followed, and does not count again. If its data may be lost now, add something new to it, such as the date: confirm_data_loss = "eu 2025-12-31".',
    ],
  ],
  [
    'an old primary after a failover',
    goal({ primary: 'eu', secondaries: { us: null }, forced: true, knows: ['eu', 'us'] }),
    { us: demoted(), eu: primary() },
    ['secondaries', 'us'],
    '"us" may have writes that "eu" lacks, and would lose them by following it',
    [
      'It was a primary of this set and stepped down, and "eu" took over outside of Terraform, by force, or in an apply that was interrupted. Terraform cannot tell whether "eu" had received all writes by then.',
      'To do: save what you need and confirm the loss with confirm_data_loss = "us" in secondaries["us"]; or remove it from the set.',
    ],
  ],
  [
    'an old primary before a failover',
    goal({ primary: 'eu', secondaries: { us: null }, forced: true, knows }),
    { us: demoted(), eu: secondary('eu') },
    ['secondaries', 'us'],
    '"us" may have writes that "eu" lacks, and would lose them by following it',
    [
      'force_promotion lets "eu" take over without them.',
      'To do: remove force_promotion: a planned switchover waits until the new primary has all writes.',
      'Or save what you need and confirm the loss with confirm_data_loss = "us" in secondaries["us"]; or remove it from the set.',
    ],
  ],
  [
    'an old primary before a failover that an unlisted secondary prevents without force',
    knowingUnlisted(goal({ primary: 'eu', secondaries: { us: null }, forced: true, knows })),
    { us: demoted(), eu: secondary('eu') },
    ['secondaries', 'us'],
    '"us" may have writes that "eu" lacks, and would lose them by following it',
    [
      'force_promotion lets "eu" take over without them.',
      'To do: save what you need and confirm the loss with confirm_data_loss = "us" in secondaries["us"]; or remove it from the set.',
    ],
  ],
  [
    'a primary that would lose its own writes',
    pair,
    { us: demoted(), eu: primary() },
    ['primary'],
    '"us" may have writes that "eu" lacks, and would lose them by following it',
    [
      'It was a primary of this set and stepped down, and "eu" took over outside of Terraform, by force, or in an apply that was interrupted. Terraform cannot tell whether "eu" had received all writes by then. To become the primary, "us" would have to follow it first.',
      'To do: save what only "us" has. Set primary to "eu", add "us" to secondaries with confirm_data_loss = "us", and apply. Then set primary to "us" and apply again.',
    ],
  ],
  [
    'a secondary that does not follow the primary, which is to be replaced',
    goal({ primary: 'eu', secondaries: { us: null, ap: null }, knows: ['us', 'eu', 'ap'] }),
    { us: primary({ eu: 'connected' }), eu: secondary('eu'), ap: secondary('ap') },
    ['secondaries', 'ap'],
    '"ap" may have writes that "us" lacks, and would lose them by following it',
    [
      'It does not follow "us", which became the primary outside of Terraform, by force, or in an apply that was interrupted. Terraform cannot tell whether "us" had received all writes by then.',
      'To do: save what you need and confirm the loss with confirm_data_loss = "ap" in secondaries["ap"]; or remove it from the set.',
    ],
  ],
  [
    'a secondary that was left behind by a failover by hand',
    goal({ primary: 'eu', secondaries: { ap: null }, knows: ['us', 'eu', 'ap'] }),
    { us: gone(primary()), eu: primary(), ap: secondary('ap') },
    ['secondaries', 'ap'],
    '"ap" may have writes that "eu" lacks, and would lose them by following it',
    [
      'It does not follow "eu", which became the primary outside of Terraform, by force, or in an apply that was interrupted. Terraform cannot tell whether "eu" had received all writes by then.',
      'To do: save what you need and confirm the loss with confirm_data_loss = "ap" in secondaries["ap"]; or remove it from the set.',
    ],
  ],
  [
    'a failover to a secondary that has less',
    goal({
      primary: 'eu',
      secondaries: { ap: null },
      forced: true,
      abandoned: ['us'],
      knows: ['us', 'eu', 'ap'],
    }),
    { us: gone(primary()), eu: upTo(7, secondary('eu')), ap: upTo(9, secondary('ap')) },
    ['secondaries', 'ap'],
    '"ap" has writes that "eu" lacks, and would lose them by following it',
    [
      'Last write of the old primary that arrived: number 9 on "ap", number 7 on "eu".',
      'To do: set primary and force_promotion to "ap", which has the most data; or save what you need and confirm the loss with confirm_data_loss = "ap" in secondaries["ap"]; or remove it from the set.',
    ],
  ],
  [
    'a failover to a secondary that cannot be compared',
    goal({
      primary: 'eu',
      secondaries: { ap: null },
      forced: true,
      abandoned: ['us'],
      knows: ['us', 'eu', 'ap'],
    }),
    { us: gone(primary()), eu: upTo(7, secondary('eu')), ap: upTo(0, secondary('ap')) },
    ['secondaries', 'ap'],
    '"ap" may have writes that "eu" lacks, and would lose them by following it',
    [
      'The data of "ap" and "eu" could not be compared. Their replication status does not show which has more.',
      'To do: save what you need and confirm the loss with confirm_data_loss = "ap" in secondaries["ap"]; or remove it from the set.',
    ],
  ],
  [
    'a failover to a secondary that is filtered',
    goal({
      primary: 'eu',
      secondaries: { ap: null },
      forced: true,
      abandoned: ['us'],
      knows: ['us', 'eu', 'ap'],
      filters: { eu: DENY },
    }),
    { us: gone(primary()), eu: upTo(7, secondary('eu')), ap: upTo(7, secondary('ap')) },
    ['secondaries', 'ap'],
    '"ap" has data that "eu" never received, and would lose it by following "eu"',
    [
      'The paths filter of "eu" excludes data that "ap" has. The whole set would lose it.',
      'To do: set primary and force_promotion to "ap", which has the most data; or save what you need and confirm the loss with confirm_data_loss = "ap" in secondaries["ap"]; or remove it from the set.',
    ],
  ],
  [
    'a version that may lose data',
    pair,
    {
      us: primary({ eu: 'connected' }),
      eu: { ...secondary('eu-old'), self: { id: 'id-eu', version: '1.13.4' } },
    },
    ['secondaries', 'eu'],
    '"eu" may lose data if it gets another primary: its server has version 1.13.4',
    [
      'Known issue of Vault, "update-primary data loss": data that an allow filter includes may be deleted without a trace, and the merkle tree may be corrupted.',
      'To do: upgrade "eu" to 1.11.12, 1.12.9, 1.13.5, 1.14.1 or later first, and then its primary. Or remove "eu" from the set, and let it join again.',
    ],
  ],
])('the text of a refusal is complete: %s', (_what, wanted, observation, path, summary, detail) => {
  expect(planFor(wanted).refusals(observation).map(shown)).toEqual([
    { path, summary, detail: detail.join('\n') },
  ]);
});

test('a destroy of a set with secondaries outside of it is refused', () => {
  const stepPlan = planForDestroy({ primary: 'us', clusterId: SET, ids: { eu: 'eu' }, filters: {} }, []);
  const us = primary({ eu: 'connected', ap: 'connected' });
  expect(stepPlan.refusals({ us }).map(shown)).toEqual([
    {
      path: ['primary'],
      summary: '"us" has secondaries that are not in this set and would lose their primary: "ap"',
      detail:
        'This replication set will end.\n' +
        'To do: add the clusters with these ids to secondaries. Or revoke the ids that are not in use ' +
        '(vault write sys/replication/performance/primary/revoke-secondary id=...).',
    },
  ]);
  expect(stepPlan.refusals({ us: primary({ eu: 'connected' }) })).toEqual([]);
  expect(stepPlan.refusals({ us: secondary('us') })).toEqual([]);
  expect(stepPlan.refusals({ us: primary({ ap: 'connected' }, {}, 'set-2') })).toEqual([]);
});
