import { Policy as UpstreamPolicy } from '@cdktf/provider-vault/lib/policy';
import { App, Aspects, TerraformStack, TerraformVariable, Testing } from 'cdktf';
import {
  AclPolicy,
  EgpPolicy,
  EnforcementLevel,
  PolicyDocument,
  PolicyGuardRails,
  SentinelDocument,
  VaultCluster,
  ResourceProvider,
  type GuardedPolicy,
  type IPolicyRule,
  type PolicyGuardRailsProps,
} from '../../../constructs';
import { inFolder } from '../support/synthesize';

interface Built {
  readonly stack: TerraformStack;
  readonly cluster: VaultCluster;
}

/**
 * Builds a stack with guard rails, and returns the annotations: the construct's path, the level and
 * the text.
 */
function annotations(props: PolicyGuardRailsProps, build: (built: Built) => void): string[] {
  return inFolder((folder) => {
    const app = new App({ outdir: folder });
    const stack = new TerraformStack(app, 'stack');
    build({
      stack,
      cluster: new VaultCluster(stack, 'Cluster', { resourceProvider: ResourceProvider.VAULTADMIN }),
    });
    Aspects.of(stack).add(new PolicyGuardRails(props));
    Testing.synth(stack);
    return stack.node
      .findAll()
      .flatMap((node) =>
        node.node.metadata
          .filter(({ type }) => type.startsWith('@cdktf/'))
          .map(({ type, data }) => `${node.node.path} ${type.replace('@cdktf/', '')}: ${String(data)}`),
      );
  });
}

function acl({ stack, cluster }: Built, name: string, ...rules: readonly (readonly [string, ...string[]])[]) {
  const text = rules.map(
    ([path, ...capabilities]) => `path "${path}" { capabilities = ${JSON.stringify(capabilities)} }`,
  );
  const document = PolicyDocument.fromText(text.join('\n'));
  return new AclPolicy(stack, name, { cluster, policyName: name, document });
}

function egp({ stack, cluster }: Built, enforcementLevel: EnforcementLevel, ...paths: string[]) {
  const document = SentinelDocument.fromText('main = true');
  return new EgpPolicy(stack, 'egp', { cluster, policyName: 'egp', document, enforcementLevel, paths });
}

/** Returns the findings without their reasons and corrections: `app allows … (id)`. */
const short = (texts: readonly string[]): string[] =>
  texts.map((text) =>
    /PolicyGuardRails: (?:ACL policy|EGP) "([^"]+)" (.*)\. [A-Z][^.]*\.\n/.exec(text)!.slice(1).join(' '),
  );

describe('the built-in rules', () => {
  test.each<[string, (built: Built) => void, readonly string[], PolicyGuardRailsProps?]>([
    [
      'no-sudo',
      (b) => acl(b, 'app', ['sys/seal', 'update', 'sudo']),
      ['app has "sudo" on sys/seal (no-sudo)'],
    ],
    [
      'no-sudo, in a policy that may have it',
      (b) => acl(b, 'ops', ['sys/seal', 'update', 'sudo']),
      [],
      { sudoPolicies: ['ops'] },
    ],
    [
      'no-everything',
      (b) => acl(b, 'app', ['*', 'list']),
      ['app has a rule for the path "*" (no-everything)'],
    ],
    ['no-everything, for a deny', (b) => acl(b, 'app', ['*', 'deny'], ['kv/a', 'read']), []],
    [
      'no-policy-writes',
      (b) => acl(b, 'app', ['sys/policies/rgp/+', 'update', 'delete']),
      ['app allows update sys/policies/rgp/example, delete sys/policies/rgp/example (no-policy-writes)'],
    ],
    ['no-policy-writes, for reads', (b) => acl(b, 'app', ['sys/policies/*', 'read', 'list']), []],
    [
      'no-policy-writes and no-self-raising, for a policy that can change itself',
      (b) => acl(b, 'app', ['sys/policies/acl/app', 'update']),
      [
        'app allows update sys/policies/acl/app (no-policy-writes)',
        'app allows update sys/policies/acl/app (no-self-raising)',
      ],
    ],
    [
      'no-self-raising, by an identity and by a role',
      (b) => acl(b, 'app', ['identity/*', 'update'], ['auth/approle/role/app', 'create']),
      [
        'app allows update identity/entity, update identity/entity/example, update identity/group, ' +
          'update identity/group/example, create auth/approle/role/app (no-self-raising)',
      ],
    ],
    [
      'no-self-raising, for the secret id of a role and a lookup of an entity',
      (b) =>
        acl(b, 'app', ['auth/approle/role/app/secret-id', 'update'], ['identity/lookup/entity', 'update']),
      [],
    ],
    [
      'no-unused-rule',
      (b) => acl(b, 'app', ['kv/a', 'read'], ['kv/a', 'deny']),
      ['app has a rule for the path "kv/a" that changes no decision (no-unused-rule)'],
    ],
    ['no-unused-rule, for an exception', (b) => acl(b, 'app', ['kv/*', 'read'], ['kv/a', 'deny']), []],
    [
      'managed-keys-apart',
      (b) => acl(b, 'app', ['sys/managed-keys/*', 'read', 'update', 'delete']),
      [
        'app allows both update sys/managed-keys/example/example and delete sys/managed-keys/example/example ' +
          '(managed-keys-apart)',
      ],
    ],
    [
      'managed-keys-apart, by two policies',
      (b) => {
        acl(b, 'replace', ['sys/managed-keys/*', 'read', 'create', 'update']);
        acl(b, 'delete', ['sys/managed-keys/*', 'read', 'delete']);
      },
      [],
    ],
    [
      'snapshots-and-replication-apart',
      (b) =>
        acl(
          b,
          'app',
          ['sys/storage/raft/snapshot', 'read'],
          ['sys/replication/performance/primary/enable', 'update'],
        ),
      [
        'app allows both read sys/storage/raft/snapshot and update sys/replication/performance/primary/enable ' +
          '(snapshots-and-replication-apart)',
      ],
    ],
    [
      'snapshots-and-replication-apart, for the status',
      (b) => acl(b, 'app', ['sys/storage/raft/snapshot', 'read'], ['sys/replication/status', 'read']),
      [],
    ],
    [
      'no-shadowed-deny',
      (b) => {
        acl(b, 'base', ['kv/prod/*', 'deny'], ['kv/*', 'read']);
        acl(b, 'app', ['kv/prod/app/*', 'read']);
      },
      [
        'base denies "kv/prod/*", but the rule "kv/prod/app/*" of app decides on kv/prod/app/* (no-shadowed-deny)',
      ],
      { attachedTogether: [['base', 'app']] },
    ],
    [
      'no-shadowed-deny, for policies that no token has together',
      (b) => {
        acl(b, 'base', ['kv/prod/*', 'deny'], ['kv/*', 'read']);
        acl(b, 'app', ['kv/prod/app/*', 'read']);
      },
      [],
    ],
    [
      'no-shadowed-deny, within one policy',
      (b) => {
        acl(b, 'base', ['kv/prod/*', 'deny'], ['kv/prod/app', 'read']);
        acl(b, 'app', ['kv/dev/*', 'read']);
      },
      [],
      { attachedTogether: [['base', 'app']] },
    ],
    ...['*', 'sys/*', 'auth/*', 's*'].map((path): [string, (built: Built) => void, readonly string[]] => [
      `wide-egps-start-advisory, on ${path}`,
      (b) => egp(b, EnforcementLevel.HARD_MANDATORY, 'secret/*', path),
      [`egp is hard-mandatory on "${path}" (wide-egps-start-advisory)`],
    ]),
    ['wide-egps-start-advisory, for an advisory policy', (b) => egp(b, EnforcementLevel.ADVISORY, '*'), []],
    [
      'wide-egps-start-advisory, on narrower paths',
      (b) => egp(b, EnforcementLevel.HARD_MANDATORY, 'secret/*', 'auth/jwt/*', 'sys'),
      [],
    ],
  ])('the rules find exactly the faults: %s', (_what, build, expected, props = {}) => {
    const texts = annotations(props, build).filter((text) => text.includes('PolicyGuardRails'));
    expect(short(texts)).toEqual(expected);
  });
});

test('a finding has the fault, the reason, the correction, and the way to suppress it', () => {
  expect(annotations({}, (b) => acl(b, 'app', ['sys/seal', 'update', 'sudo']))).toEqual([
    'stack/app error: PolicyGuardRails: ACL policy "app" has "sudo" on sys/seal (no-sudo). The capability "sudo" opens paths ' +
      'that the server protects, such as seal, raw storage and audit devices.\n' +
      'To do: grant it in a separate policy, and name that policy in sudoPolicies; or, if this is intended, suppress the rule: ' +
      'PolicyGuardRails.suppress(construct, "no-sudo", \'why\').',
  ]);
});

test('policies of other bindings are checked, and late values are compared as unique names', () => {
  const texts = annotations({}, ({ stack, cluster }) => {
    const team = new TerraformVariable(stack, 'team', { type: 'string' }).stringValue;
    new UpstreamPolicy(stack, 'Raw', {
      provider: cluster.providerFor(stack, ResourceProvider.UPSTREAM),
      name: 'raw',
      policy: `path "secret/data/${team}/*" { capabilities = ["read"] }\npath "sys/policies/acl/${team}" { capabilities = ["update"] }`,
    });
  });
  expect(texts).toEqual([
    expect.stringContaining(
      'stack/Raw error: PolicyGuardRails: ACL policy "raw" allows update sys/policies/acl/',
    ),
  ]);
});

/**
 * Returns rules with "+" in every combination of segments, so that each rule has paths in common
 * with nearly all others.
 */
function crossingRules(): [string, ...string[]][] {
  return Array.from({ length: 512 }, (_, index) => {
    const path = index.toString(2).padStart(9, '0').replaceAll('1', '+/').replaceAll('0', 'a/');
    return [`${path}*`, index % 2 === 0 ? 'read' : 'list'];
  });
}

test('a policy that is too complex for a rule breaks it, unless the rule is suppressed', () => {
  const id = 'no-unused-rule';
  const found = (suppressed: boolean) =>
    annotations({}, (built) => {
      const policy = acl(built, 'wild', ...crossingRules());
      if (suppressed) PolicyGuardRails.suppress(policy, id, 'its rules come from a generator');
    }).filter((text) => text.includes(id));
  expect(found(false)).toEqual([
    `stack/wild error: PolicyGuardRails: ACL policy "wild" is too complex to check (${id}). ` +
      'Too many of its rules or parameter values apply to the same requests.\n' +
      'To do: divide the policy, or write fewer patterns for the same paths and parameters; or, if this is intended, ' +
      `suppress the rule: PolicyGuardRails.suppress(construct, "${id}", 'why').`,
  ]);
  expect(found(true)).toEqual([]);
});

test('an app with an error is not synthesized, except with onlyWarn', () => {
  const synthesize = (props: PolicyGuardRailsProps) => () =>
    inFolder((folder) => {
      const app = new App({ outdir: folder });
      const stack = new TerraformStack(app, 'stack');
      acl({ stack, cluster: new VaultCluster(stack, 'Cluster') }, 'app', ['*', 'read']);
      PolicyGuardRails.addTo(app, props);
      app.synth();
    });
  expect(synthesize({})).toThrow(
    '[stack/app] PolicyGuardRails: ACL policy "app" has a rule for the path "*"',
  );
  expect(synthesize({ onlyWarn: true })).not.toThrow();
  expect(synthesize({ ignore: ['no-everything'] })).not.toThrow();
});

describe('PolicyGuardRails.addTo', () => {
  const build = (addTo: 'before' | 'between' | 'after' | 'part') =>
    inFolder((folder) => {
      const app = new App({ outdir: folder });
      if (addTo === 'before') PolicyGuardRails.addTo(app);
      const stack = new TerraformStack(app, 'first');
      if (addTo === 'between') PolicyGuardRails.addTo(app);
      const second = new TerraformStack(app, 'second');
      const cluster = new VaultCluster(second, 'Cluster');
      const policy = acl({ stack: second, cluster }, 'app', ['*', 'read']);
      if (addTo === 'after') PolicyGuardRails.addTo(app);
      if (addTo === 'part') PolicyGuardRails.addTo(policy);
      acl({ stack, cluster: new VaultCluster(stack, 'Cluster') }, 'other', ['kv/a', 'read']);
      app.synth();
    });

  test('an app without stacks is an error', () => {
    expect(() => build('before')).toThrow(
      'PolicyGuardRails.addTo: the app has no stacks yet, so nothing would be checked; call it after all stacks have been declared',
    );
  });

  test('a stack that is declared later is an error of the synthesis', () => {
    expect(() => build('between')).toThrow(
      'PolicyGuardRails: stack "second" was declared after PolicyGuardRails.addTo, and its policies are not checked; ' +
        'call addTo after all stacks have been declared',
    );
  });

  test.each(['after', 'part'] as const)('the rules check the whole app or a part of it: %s', (addTo) => {
    expect(() => build(addTo)).toThrow(
      '[second/app] PolicyGuardRails: ACL policy "app" has a rule for the path "*"',
    );
  });
});

describe('PolicyGuardRails.suppress', () => {
  test('a rule is suppressed for a construct and its children, and other rules stay', () => {
    const texts = annotations({}, (built) => {
      const policy = acl(built, 'app', ['sys/seal', 'update', 'sudo'], ['sys/policies/acl/x', 'update']);
      PolicyGuardRails.suppress(policy, 'no-sudo', 'operators seal');
    });
    expect(short(texts)).toEqual(['app allows update sys/policies/acl/x (no-policy-writes)']);
    const none = annotations({}, (built) => {
      acl(built, 'app', ['sys/seal', 'update', 'sudo']);
      PolicyGuardRails.suppress(built.stack, 'no-sudo', 'this stack is for operators');
    });
    expect(none).toEqual([]);
  });

  test('a suppression without a finding is a warning', () => {
    const texts = annotations({}, (built) =>
      PolicyGuardRails.suppress(acl(built, 'app', ['kv/a', 'read']), 'no-sudo', 'it had it once'),
    );
    expect(texts).toEqual([
      'stack/app warn: PolicyGuardRails: "no-sudo" is suppressed here, but no policy of this construct breaks the rule; ' +
        'remove the suppression',
    ]);
  });

  test.each([[''], ['  '], [undefined]])('a suppression without a reason is an error: %j', (reason) => {
    const stack = new TerraformStack(Testing.app(), 'stack');
    expect(() => PolicyGuardRails.suppress(stack, 'no-sudo', reason as string)).toThrow(
      '[stack] PolicyGuardRails.suppress: the reason for suppressing "no-sudo" is ',
    );
  });
});

class NoDeletes implements IPolicyRule {
  readonly id = 'no-deletes';
  readonly reason = 'Secrets of production are never deleted';
  readonly cure = 'leave out the capability "delete"';

  check(policy: GuardedPolicy): string[] {
    const found = policy.findAllowed('delete', 'secret/+/prod/*');
    return found === undefined ? [] : [`allows ${found}`];
  }
}

describe("a user's own rule", () => {
  test('the rule reports its findings, and can be suppressed', () => {
    const build = (built: Built) => acl(built, 'app', ['secret/data/prod/*', 'delete']);
    expect(short(annotations({ rules: [new NoDeletes()] }, build))).toEqual([
      'app allows delete secret/data/prod/example (no-deletes)',
    ]);
    const suppressed = (built: Built) => PolicyGuardRails.suppress(build(built), 'no-deletes', 'cleans up');
    expect(annotations({ rules: [new NoDeletes()] }, suppressed)).toEqual([]);
  });

  test('a rule can read the kind, the place and the permissions of a policy', () => {
    const seen: GuardedPolicy[] = [];
    const look: IPolicyRule = {
      id: 'look',
      reason: 'r',
      cure: 'c',
      check: (policy) => (seen.push(policy), []),
    };
    annotations({ rules: [look] }, (built) => {
      acl(built, 'app', ['kv/a', 'read']);
      egp(built, EnforcementLevel.ADVISORY, 'kv/*');
    });
    const [app, egpPolicy] = seen;
    expect(app).toMatchObject({
      kind: 'acl',
      policyName: 'app',
      clusterName: 'default',
      namespace: '',
      paths: [],
    });
    expect([
      app!.allows('read', 'kv/a'),
      app!.allows('list', 'kv/a'),
      app!.rulePaths(),
      app!.capabilitiesOf('kv/a'),
    ]).toEqual([true, false, ['kv/a'], ['read']]);
    expect(egpPolicy).toMatchObject({
      kind: 'egp',
      policyName: 'egp',
      enforcementLevel: 'advisory',
      paths: ['kv/*'],
      document: 'main = true',
    });
    expect(egpPolicy!.allows('read', 'kv/a')).toBe(false);
  });
});

test.each<[string, PolicyGuardRailsProps, string]>([
  [
    'an unknown id to ignore',
    { ignore: ['sudo'] },
    'PolicyGuardRails: ignore: there is no rule "sudo"; allowed: no-sudo, ',
  ],
  [
    'two rules of one id',
    { rules: [new NoDeletes(), new NoDeletes()] },
    'PolicyGuardRails: two rules have the id "no-deletes"; give each rule a unique id',
  ],
  [
    'a text in place of a list',
    { ignore: 'no-sudo' as unknown as string[] },
    'PolicyGuardRails: ignore is "no-sudo"; allowed: a list; write ["no-sudo"]',
  ],
])('PolicyGuardRails refuses %s', (_what, props, message) => {
  expect(() => new PolicyGuardRails(props)).toThrow(message);
});
