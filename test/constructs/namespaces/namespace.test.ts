import {
  AclPolicy,
  Namespace,
  PolicyDocument,
  VaultCluster,
  ResourceProvider,
  type NamespaceProps,
} from '../../../constructs';
import { synthesize } from '../support/synthesize';

function namespaces(resourceProvider: ResourceProvider, props: Partial<NamespaceProps> = {}) {
  return synthesize((stack) => {
    const cluster = new VaultCluster(stack, 'Cluster', { name: 'us', resourceProvider });
    const team = new Namespace(stack, 'Team', { cluster, ...props });
    const app = new Namespace(stack, 'App', { cluster, path: 'app', namespace: team.pathFq });
    const document = PolicyDocument.fromText('# none');
    new AclPolicy(stack, 'Ops', { cluster, policyName: 'ops', namespace: app.pathFq, document });
  });
}

test.each([ResourceProvider.VAULTADMIN, ResourceProvider.UPSTREAM])(
  'with %s, namespaces are resources of vaultadmin, and resources within them refer to them',
  (resourceProvider) => {
    const { resource } = namespaces(resourceProvider, {
      path: 'team',
      customMetadata: { owner: 'ops' },
      forceDestroy: true,
    });
    expect(resource!.vaultadmin_namespace).toEqual({
      Team: expect.objectContaining({
        provider: 'vaultadmin',
        cluster: 'us',
        path: 'team',
        custom_metadata: { owner: 'ops' },
        force_destroy: true,
      }),
      App: expect.objectContaining({
        path: 'app',
        namespace: '${vaultadmin_namespace.Team.path_fq}',
      }),
    });
    const type = resourceProvider === ResourceProvider.VAULTADMIN ? 'vaultadmin_acl_policy' : 'vault_policy';
    expect(resource![type]!.Ops).toMatchObject({ namespace: '${vaultadmin_namespace.App.path_fq}' });
  },
);

test('a namespace without a path has the name of its construct', () => {
  const { resource } = namespaces(ResourceProvider.VAULTADMIN);
  expect(resource!.vaultadmin_namespace!.Team).toMatchObject({ path: 'stack-team' });
});

test.each([
  [{ path: 'team/app' }, 'path must be one name, without slashes; received "team/app"; set path to "app"'],
  [{ path: 'sys' }, 'path cannot be the name of a namespace; received "sys"'],
  [{ path: 'team', namespace: 'a b' }, 'namespace cannot be the path of a namespace; received "a b"'],
])('the properties %j are refused', (props, text) => {
  expect(() => namespaces(ResourceProvider.VAULTADMIN, props)).toThrow(text);
});

test('two namespaces of one path are refused', () => {
  expect(() =>
    synthesize((stack) => {
      const cluster = new VaultCluster(stack, 'Cluster');
      new Namespace(stack, 'A', { cluster, path: 'team' });
      new Namespace(stack, 'B', { cluster, path: 'team' });
    }),
  ).toThrow('namespace "team" on cluster "default" is written');
});
