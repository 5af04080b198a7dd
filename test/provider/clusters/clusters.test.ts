import { UNKNOWN } from '../../../src/plugin';
import { Clusters } from '../../../src/provider/clusters';
import type { ClusterSettings } from '../../../src/provider/configuration';

const surroundings = { env: {}, mask: () => {} };
const settings = (name: string, unknown: readonly string[] = []): ClusterSettings => ({
  name,
  options: { address: 'http://127.0.0.1:1', token: 'hvs.test' },
  usualTokenFile: false,
  unknown,
});

/** The context of a handler for a Terraform that supports deferred actions, or does not. */
function asking(deferralAllowed: boolean) {
  const deferred: string[] = [];
  const defer = (reason: string): never => {
    deferred.push(reason);
    throw new Error('deferred');
  };
  return {
    deferred,
    context: { clientCapabilities: { deferralAllowed }, defer } as unknown as Parameters<
      Clusters['client']
    >[2],
  };
}

describe('the cluster of an object', () => {
  const several = new Clusters([settings('us'), settings('eu')], surroundings);

  test.each([
    ['the given name', several, 'eu', 'eu'],
    ['the only cluster, if none is given', new Clusters([settings('us')], surroundings), null, 'us'],
    ['unknown, if the given name is unknown', several, UNKNOWN, UNKNOWN],
    [
      'the given name, while the names of clusters are unknown',
      new Clusters(UNKNOWN, surroundings),
      'us',
      'us',
    ],
    [
      'unknown, if none is given and the names of clusters are unknown',
      new Clusters(UNKNOWN, surroundings),
      null,
      UNKNOWN,
    ],
  ] as const)('the name of the cluster is returned: %s', (_, clusters, given, name) => {
    expect(clusters.nameOf(given, 'it')).toBe(name);
  });

  test('nameOf refuses a cluster that is not configured', () => {
    expect(() => several.nameOf('uk', 'it')).toThrow('it: cluster "uk" is not configured');
  });

  test('nameOf refuses an object without a cluster if there are several clusters', () => {
    expect(() => several.nameOf(null, 'it')).toThrow('it: cluster is not set');
  });
});

describe('a client for an object', () => {
  const object = { cluster: 'us', namespace: '' };

  test('the calls of one namespace share one client, whose namespace begins with that of the cluster', async () => {
    const cluster = { ...settings('us'), options: { ...settings('us').options, namespace: 'admin' } };
    const clusters = new Clusters([cluster], surroundings);
    const { context } = asking(false);
    const inTeam = await clusters.client({ ...object, namespace: 'team' }, 'it', context);
    expect(inTeam.namespace).toBe('admin/team');
    expect(await clusters.client({ ...object, namespace: 'team' }, 'it', context)).toBe(inTeam);
    expect((await clusters.client(object, 'it', context)).namespace).toBe('admin');
    await clusters.close();
  });

  test('a client for a cluster that is no longer configured is refused', () => {
    const clusters = new Clusters([settings('eu')], surroundings);
    expect(() => clusters.client(object, 'it', asking(true).context)).toThrow(
      'it on cluster "us": the cluster is no longer configured',
    );
  });

  test.each([
    ['clusters', new Clusters(UNKNOWN, surroundings), 'it: the cluster cannot be reached yet'],
    [
      'an address',
      new Clusters([settings('us', ['address'])], surroundings),
      'it on cluster "us": the cluster cannot be reached yet',
    ],
  ])('a client is deferred or refused while %s is unknown', (_, clusters, message) => {
    const allowed = asking(true);
    expect(() => clusters.client(object, 'it', allowed.context)).toThrow('deferred');
    expect(allowed.deferred).toEqual(['provider_config_unknown']);

    const refused = asking(false);
    expect(() => clusters.client(object, 'it', refused.context)).toThrow(message);
    expect(refused.deferred).toEqual([]);
  });
});
