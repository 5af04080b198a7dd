import { Distances } from '../../src/view/page/distances';
import { pageState } from '../../src/view/page/page-state';

const TEXT = 'a\tb\u200bc\u202ed\u001be\u3164f\nb';

test('texts of servers cannot run code in the page, or contain invisible characters', () => {
  const replication = {
    mode: 'secondary',
    secondary_id: TEXT,
    state: TEXT,
    cluster_id: TEXT,
    primary_cluster_addr: TEXT,
    known_primary_cluster_addrs: [TEXT],
    primaries: [],
    last_remote_wal: 7,
  } as const;
  const failures = [{ subject: TEXT, message: TEXT }];
  const clusters = [{ name: TEXT, address: TEXT, version: TEXT, failures, replication }];
  const distances = new Distances();
  distances.add(1, clusters);
  const state = pageState({
    time: 1,
    clusters,
    problems: [{ cluster: TEXT, text: TEXT }],
    keys: [{ cluster: TEXT, name: TEXT, testedAt: 1, error: TEXT }],
    snapshots: [{ cluster: TEXT, name: TEXT, state: TEXT, url: TEXT }],
    distances,
  });
  const { problems } = state as { problems: readonly { text: string }[] };
  expect(problems[0]!.text).toBe('a\\tb\\u200bc\\u202ed\\u001be\\u3164f\\nb');
  const shown: string[] = [];
  JSON.stringify(state, (_name, member: unknown) => {
    if (typeof member === 'string') shown.push(member);
    return member;
  });
  const invisible = /(?!\n)[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;
  expect(shown.filter((each) => invisible.test(each))).toEqual([]);
  expect(shown.filter((each) => each.includes('\n') && !each.startsWith('<svg '))).toEqual([]);
  expect(shown.length).toBeGreaterThan(8);
});
