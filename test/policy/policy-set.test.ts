import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Policy as UpstreamPolicy } from '@cdktf/provider-vault/lib/policy';
import { App, TerraformStack, TerraformVariable } from 'cdktf';
import {
  AclPolicy,
  Capability,
  PolicyDocument,
  PolicyStatement,
  VaultCluster,
  ResourceProvider,
} from '../../constructs';
import { PolicySet, PolicySourceError, type PolicySetOptions } from '../../src/policy';
import { temporaryFolder } from '../support/temporary-folder';

const READ_APP = 'path "secret/data/app/*" { capabilities = ["read"] }';
const WRITE_APP = 'path "secret/data/app/*" { capabilities = ["update"] }';

let folder: string;
beforeAll(() => {
  folder = temporaryFolder('policy-set');
  mkdirSync(join(folder, 'policies', 'test'), { recursive: true });
  writeFileSync(join(folder, 'policies', 'Reader.hcl'), READ_APP);
  writeFileSync(
    join(folder, 'policies', 'writer.json'),
    '{"path": {"secret/data/app/*": {"capabilities": ["update"]}}}',
  );
  writeFileSync(join(folder, 'policies', 'test', 'case.hcl'), 'mock "time" { }');
  writeFileSync(join(folder, 'broken.hcl'), 'path "a" { capabilities = ["raed"] }');
  mkdirSync(join(folder, 'empty'));
});

/**
 * Declares policies of both providers, one with a variable in its name and paths, and one on
 * another cluster.
 */
function app(): { readonly app: App; readonly us: TerraformStack; readonly eu: TerraformStack } {
  const root = new App({ outdir: join(folder, 'out') });
  const us = new TerraformStack(root, 'us');
  const cluster = new VaultCluster(us, 'Cluster', {
    name: 'us',
    resourceProvider: ResourceProvider.VAULTADMIN,
  });
  const upstream = new VaultCluster(us, 'Upstream', { name: 'old' });
  const team = new TerraformVariable(us, 'team', { type: 'string' }).stringValue;
  const statement = (path: string, capability: Capability) =>
    new PolicyStatement({ paths: [path], capabilities: [capability] });
  const policy = new AclPolicy(us, 'Reader', { cluster, policyName: 'reader' });
  policy.addStatements(statement('secret/data/app/*', Capability.READ));
  new AclPolicy(us, 'Team', {
    cluster,
    policyName: `team-${team}`,
    namespace: 'ns1',
    statements: [statement(`secret/data/${team}/*`, Capability.READ)],
  });
  new UpstreamPolicy(us, 'Raw', {
    provider: upstream.providerFor(us),
    name: 'raw',
    policy: 'path "raw/$${literal}" { capabilities = ["list"] }',
  });
  const eu = new TerraformStack(root, 'eu');
  new AclPolicy(eu, 'Reader', {
    cluster: new VaultCluster(eu, 'Cluster', { name: 'eu', resourceProvider: ResourceProvider.VAULTADMIN }),
    policyName: 'reader',
    statements: [statement('secret/data/app/*', Capability.UPDATE)],
  });
  return { app: root, us, eu };
}

const VALUES = { values: { 'var.team': 'red' } };

describe('PolicySet.of', () => {
  test('reads a stack: constructs, other bindings, and expressions with the given values', () => {
    const policies = PolicySet.of(app().us, VALUES);
    expect(policies.names).toEqual(['reader', 'team-red', 'raw']);
    expect(policies.allows('read', 'secret/data/app/x')).toBe(true);
    expect(policies.allows('read', 'ns1/secret/data/red/x')).toBe(true);
    expect(policies.allows('read', 'secret/data/red/x')).toBe(false);
    expect(policies.allows('list', 'raw/${literal}')).toBe(true);
  });

  test('reads a single construct', () => {
    const { us } = app();
    expect(PolicySet.of(us.node.findChild('Reader')).names).toEqual(['reader']);
  });

  test('reads the policies of a folder, without its tests', () => {
    const policies = PolicySet.of(join(folder, 'policies'));
    expect(policies.names).toEqual(['reader', 'writer']);
    expect(policies.only('reader').allows('update', 'secret/data/app/x')).toBe(false);
    expect(policies.allows('update', 'secret/data/app/x')).toBe(true);
  });

  test('reads texts: one, several with names, and a list of sources', () => {
    expect(PolicySet.of(READ_APP).allows('read', 'secret/data/app/x')).toBe(true);
    expect(PolicySet.of({ r: READ_APP, w: WRITE_APP }).names).toEqual(['r', 'w']);
    expect(PolicySet.of([{ w: WRITE_APP }, join(folder, 'policies', 'Reader.hcl')]).names).toEqual([
      'w',
      'reader',
    ]);
  });
});

describe('a PolicySourceError', () => {
  const failure = (run: () => unknown): string => {
    try {
      run();
    } catch (error) {
      expect(error).toBeInstanceOf(PolicySourceError);
      return (error as Error).message.replaceAll(`${folder}/`, '');
    }
    throw new Error('nothing was refused');
  };

  test.each<[string, () => unknown, string]>([
    [
      'that a file does not exist',
      () => PolicySet.of(join(folder, 'none.hcl')),
      'none.hcl was not found\nTo do: name a file or a folder of policies.',
    ],
    [
      'that a folder is empty',
      () => PolicySet.of(join(folder, 'empty')),
      'empty contains no ACL policy\n' +
        'Expected: a construct with ACL policies, or a folder with files that end in .hcl, .json, .policy.',
    ],
    [
      'that a policy does not parse',
      () => PolicySet.of(join(folder, 'broken.hcl')),
      'broken.hcl:1:6: the policy cannot be parsed: path "a": invalid capability "raed"',
    ],
    [
      'that only Terraform knows a name',
      () => PolicySet.of(app().us),
      'us/Team/Resource: "name" contains values that only Terraform knows: ${var.team}\n' +
        "To do: give a value for what it refers to, as in { values: { 'var.team': 'red' } }",
    ],
    [
      'to choose a policy that does not exist',
      () => PolicySet.of({ a: READ_APP }).only('b'),
      'policy "b" not found\nAvailable: a.',
    ],
    [
      'to choose a cluster without policies',
      () => PolicySet.of(app().us, VALUES).on('eu'),
      'no policy is written to cluster "eu"\nClusters with policies: us, old.',
    ],
    [
      'to ask about policies of one name that differ',
      () => PolicySet.of(app().app, VALUES).allows('read', 'secret/data/app/x'),
      'policy "reader" exists more than once, with different texts: us/Reader/Resource, eu/Reader/Resource\n' +
        'To do: choose a cluster, with on("us"), or create the set from one stack.',
    ],
  ])('occurs, because it is an error %s', (_what, run, message) => {
    expect(failure(run)).toBe(message);
  });
});

test('the method on() returns the policies of one cluster', () => {
  const policies = PolicySet.of(app().app, VALUES);
  expect(policies.on('us').allows('read', 'secret/data/app/x')).toBe(true);
  expect(policies.on('eu').allows('read', 'secret/data/app/x')).toBe(false);
});

test('the method only() finds the policy "default" of servers', () => {
  const policies = PolicySet.of({ a: READ_APP });
  expect(policies.allows('update', 'auth/token/renew-self')).toBe(false);
  expect(policies.only('a', 'default').allows('update', 'auth/token/renew-self')).toBe(true);
  const own = PolicySet.of({ a: READ_APP, default: WRITE_APP }).only('a', 'default');
  expect(own.allows('update', 'auth/token/renew-self')).toBe(false);
});

test('allows() considers parameters, wrapping and the version of the server', () => {
  const wrapped = PolicySet.of('path "a" { capabilities = ["update"] min_wrapping_ttl = "1m" }');
  expect(wrapped.allows('update', '/v1/a')).toBe(false);
  expect(wrapped.allows('update', 'a', { wrapTtl: '5m' })).toBe(true);
  const listed = {
    folder: 'path "kv/*" { capabilities = ["list"] } path "kv/team/+" { capabilities = ["deny"] }',
  };
  expect(PolicySet.of(listed, { serverVersion: '1.21.0' }).allows('list', 'kv/team/app')).toBe(false);
  expect(PolicySet.of(listed, { serverVersion: '2.0.3' }).allows('list', 'kv/team/app')).toBe(true);
});

test('explain() returns the rule, the sufficient policies, and a text', () => {
  const policies = PolicySet.of({ a: READ_APP, b: 'path "secret/*" { capabilities = ["deny"] }' });
  expect(policies.explain('read', 'secret/data/app/x')).toMatchObject({
    allowed: true,
    rule: { path: 'secret/data/app/*' },
    allowedBy: ['a'],
    text: [
      'read secret/data/app/x is allowed.',
      '',
      'The deciding rule:',
      '  path "secret/data/app/*"  read  (a)',
      '',
      'Other matching rules, which have no effect:',
      '  path "secret/*"  deny  (b): its first "+" or "*" comes earlier',
      '',
      'Policies that allow it on their own: a',
      '',
      'By the rules of server version 1.21.0.',
    ].join('\n'),
  });
});

test('findAllowed() finds a request that is allowed', () => {
  const policies = PolicySet.of({ a: READ_APP });
  expect(policies.findAllowed('read', '/v1/secret/*')).toEqual({
    operation: 'read',
    path: 'secret/data/app/example',
  });
  expect(policies.findAllowed('update', '*')).toBeUndefined();
});

test('settings of the server affect the decisions of a set, also after policies are selected from it', () => {
  const text = {
    own: 'path "kv/{{identity.entity.name}}/*" { capabilities = ["read"] }',
    list: 'path "a" { capabilities = ["update"] denied_parameters = { p = ["x"] } }',
  };
  const identity = { entity: { name: 'a/b*' } };
  const set = (server?: PolicySetOptions['server']) =>
    PolicySet.of(text, { serverVersion: '2.1.0', server, identity }).only('own', 'list');
  const answers = (server?: PolicySetOptions['server']) => [
    set(server).allows('read', 'kv/a/b*/x'),
    set(server).allows('update', 'a', { data: { p: ['x', 'y'] } }),
  ];

  expect(answers()).toEqual([false, false]);
  expect(answers({ allowWildcardsInIdentityTemplates: true })).toEqual([true, false]);
  expect(answers({ allowWildcardsInIdentityTemplates: true, denySlashInTemplatedPaths: true })).toEqual([
    false,
    false,
  ]);
  expect(answers({ legacyExactMatchingOnList: true })).toEqual([false, true]);
  expect(set().changesTo(set({ legacyExactMatchingOnList: true }))).not.toEqual([]);
});

test('allows() fills in templates for an identity, without globs on servers that refuse them', () => {
  const text = { own: 'path "secret/data/{{identity.entity.metadata.team}}/*" { capabilities = ["read"] }' };
  const read = (team: string, serverVersion: string) =>
    PolicySet.of(text, { serverVersion, identity: { entity: { metadata: { team } } } });
  expect(PolicySet.of(text).allows('read', 'secret/data/red/a')).toBe(false);
  expect(read('red', '2.1.0').allows('read', 'secret/data/red/a')).toBe(true);
  expect(read('red', '2.1.0').allows('read', 'secret/data/blue/a')).toBe(false);
  expect(read('+', '1.20.11').allows('read', 'secret/data/blue/a')).toBe(false);
  expect(read('+', '1.20.10').allows('read', 'secret/data/blue/a')).toBe(true);
});

test('equals(), isSubsetOf() and changesTo() compare policies', () => {
  const [reader, writer] = [PolicySet.of({ a: READ_APP }), PolicySet.of({ a: WRITE_APP })];
  const both = PolicySet.of({ a: READ_APP, b: WRITE_APP });
  expect(reader.equals(PolicySet.of({ other: READ_APP }))).toBe(true);
  expect(reader.equals(writer)).toBe(false);
  expect([reader.isSubsetOf(both), both.isSubsetOf(reader)]).toEqual([true, false]);
  expect(reader.changesTo(both)).toMatchObject([{ operation: 'update', becomes: 'allowed' }]);
});

test('PolicySet.of uses the server version of the cluster in the app, and otherwise the default of the command line', () => {
  const text =
    'path "secret/ap/*" { capabilities = ["read", "list"] }\npath "secret/+" { capabilities = ["read"] }';
  const explained = (policies: PolicySet) => {
    const { allowed, serverVersion } = policies.explain('list', 'secret/ap');
    return [allowed, serverVersion];
  };
  expect(explained(PolicySet.of(text))).toEqual([false, '1.21.0']);
  expect(explained(PolicySet.of(text, { serverVersion: '2.1.0' }))).toEqual([true, '2.1.0']);
  const stack = new TerraformStack(new App(), 'stack');
  const declared = (name: string, serverVersion: string) =>
    new AclPolicy(stack, name, {
      cluster: new VaultCluster(stack, `${name}-cluster`, { name, serverVersion }),
      policyName: name,
      document: PolicyDocument.fromText(text),
    });
  declared('new', '2.1.0');
  expect(explained(PolicySet.of(stack))).toEqual([true, '2.1.0']);
  expect(PolicySet.of(text).equals(PolicySet.of(stack))).toBe(true);
  declared('old', '1.18.0');
  expect(explained(PolicySet.of(stack))).toEqual([false, '1.18.0']);
  expect(explained(PolicySet.of(stack).on('new'))).toEqual([true, '2.1.0']);
});

test('every policy that does not parse is reported', () => {
  const broken = { a: 'path "a" { capabilities = ["raed"] }', b: 'pat "b" {}', c: READ_APP };
  expect(() => PolicySet.of(broken)).toThrow(/policy "a":1:6: .*\n.*policy "b":1:1: /);
});

describe('policies with the limits of an agent', () => {
  const own = PolicySet.of({ own: 'path "kv/*" { capabilities = ["read", "update"] }' });
  const ceiling = PolicySet.of({ top: 'path "kv/app/*" { capabilities = ["read"] }' });
  const detail = { type: 'vault:path_access', path: 'kv/app/a', capabilities: ['read', 'update'] };

  test('allow a request only if the policies, the ceiling and a claim allow it', () => {
    const agent = own.limitedBy({ ceiling, authorizationDetails: [detail] });
    expect(agent.allows('read', 'kv/app/a')).toBe(true);
    expect(agent.allows('update', 'kv/app/a')).toBe(false);
    expect(agent.allows('read', 'kv/app/b')).toBe(false);
    expect(agent.findAllowed('update', '*')).toBeUndefined();
    expect(agent.isSubsetOf(own)).toBe(true);
    expect(own.isSubsetOf(agent)).toBe(false);
    expect(own.limitedBy({ ceiling }).only('own').allows('read', 'kv/web')).toBe(false);
  });

  test('refuse a claim that is a pattern', () => {
    const agent = own.limitedBy({ authorizationDetails: [{ ...detail, path: 'kv/*' }] });
    expect(() => agent.allows('read', 'kv/app/a')).toThrow(PolicySourceError);
    expect(() => agent.allows('read', 'kv/app/a')).toThrow('the path of detail 1 is a pattern');
  });
});
