import { UNKNOWN } from '../../../../src/plugin';
import { addressesOf } from '../../../../src/provider/replication/set/wanted';

const none = { primary: 'us', primary_cluster_addr: null, primary_cluster_addrs: null };

test.each<readonly [string, Partial<Parameters<typeof addressesOf>[0]>, Readonly<Record<string, string>>]>([
  ['none, if none is given', {}, {}],
  [
    'that of the primary, if one is given',
    { primary_cluster_addr: 'https://a:8201' },
    { us: 'https://a:8201' },
  ],
  [
    'one for each cluster, if several are given',
    { primary_cluster_addrs: { eu: 'https://b:8201' } },
    { eu: 'https://b:8201' },
  ],
  ['none, if it is not known yet', { primary_cluster_addr: UNKNOWN }, {}],
  ['none, if several are not known yet', { primary_cluster_addrs: UNKNOWN }, {}],
  [
    'the known ones, if one of several is not known yet',
    { primary_cluster_addrs: { us: UNKNOWN, eu: 'https://b:8201' } },
    { eu: 'https://b:8201' },
  ],
])('the known addresses of a set are %s', (_case, given, addresses) => {
  expect(addressesOf({ ...none, ...given })).toEqual(addresses);
});
