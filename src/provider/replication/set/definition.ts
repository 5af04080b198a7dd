import { PERFORMANCE_PATH, type ObjectDefinition } from '../../../model';

/** How messages and hints speak of a set. Interface sections 2.3, 2.4, 3 and 4.3. */
export const REPLICATION_SET: ObjectDefinition = {
  name: 'perf_replication_set',
  title: 'performance replication set',
  path: PERFORMANCE_PATH,
  edition: 'enterprise',
  restricted: false,
  doc:
    'A performance replication set: its primary, its secondaries and their paths filters. An apply walks from what the ' +
    'clusters report to what is wanted, in the order that loses nothing; `steps` of the plan says which cluster is ' +
    'erased, promoted or demoted. What was interrupted goes on with the next apply. There are never two primaries, and ' +
    'no data is erased that was not named in `confirm_data_loss`.\n\n' +
    'To switch over, set `primary` to a present secondary, and list the old primary among the secondaries.',
  section: '3',
  fields: {},
  rules: [],
};
