import { UNKNOWN } from '../../../../src/plugin';
import { addressesOf } from '../../../../src/provider/replication/set/wanted';

const none = { primary: 'us', primary_cluster_addr: null, primary_cluster_addrs: null };

test.each<readonly [string, Partial<Parameters<typeof addressesOf>[0]>, Readonly<Record<string, string>>]>([
  ['none is given', {}, {}],
  ['one is given', { primary_cluster_addr: 'https://a:8201' }, { us: 'https://a:8201' }],
  ['each cluster has its own', { primary_cluster_addrs: { eu: 'https://b:8201' } }, { eu: 'https://b:8201' }],
  ['it is not known yet', { primary_cluster_addr: UNKNOWN }, {}],
  ['none of several is known yet', { primary_cluster_addrs: UNKNOWN }, {}],
  [
    'one of several is not known yet',
    { primary_cluster_addrs: { us: UNKNOWN, eu: 'https://b:8201' } },
    { eu: 'https://b:8201' },
  ],
])('the addresses of a set: %s', (_case, given, addresses) => {
  expect(addressesOf({ ...none, ...given })).toEqual(addresses);
});
