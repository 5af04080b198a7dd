import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TerraformVariable, Token } from 'cdktf';
import {
  AclPolicy,
  Capability,
  Duration,
  EnforcementLevel,
  PolicyDocument,
  PolicyStatement,
  SentinelDocument,
  VaultCluster,
} from '../../../constructs';
import { ACL_CAPABILITIES, ENFORCEMENT_LEVELS, parseAclPolicy } from '../../../src/model';
import { inFolder, onlyResource, synthesize } from '../support/synthesize';

describe('a document built from statements', () => {
  test('its text is HCL, each path with its arguments', () => {
    const document = new PolicyDocument({
      statements: [
        new PolicyStatement({
          comment: 'Secrets of the team.',
          paths: ['secret/data/team/*', 'secret/metadata/team/*'],
          capabilities: [Capability.CREATE, Capability.READ, Capability.UPDATE],
          allowedParameters: { owner: ['ops', 'dev'], '*': [] },
          deniedParameters: { force: [true] },
          requiredParameters: ['owner'],
          minWrappingTtl: Duration.minutes(1),
          maxWrappingTtl: Duration.hours(1),
        }),
      ],
    });
    document.addStatements(
      new PolicyStatement({ paths: ['secret/data/team/private'], capabilities: [Capability.DENY] }),
    );
    const conditions = [
      '  capabilities = ["create", "read", "update"]',
      '  required_parameters = ["owner"]',
      '  allowed_parameters = {',
      '    "owner" = ["ops", "dev"]',
      '    "*" = []',
      '  }',
      '  denied_parameters = {',
      '    "force" = [true]',
      '  }',
      '  min_wrapping_ttl = "1m"',
      '  max_wrapping_ttl = "1h"',
      '}',
      '',
    ];
    expect(document.render().split('\n')).toEqual([
      '# Secrets of the team.',
      'path "secret/data/team/*" {',
      ...conditions,
      'path "secret/metadata/team/*" {',
      ...conditions,
      'path "secret/data/team/private" {',
      '  capabilities = ["deny"]',
      '}',
      '',
    ]);
  });

  test('its text is the same every time, until statements are added', () => {
    const read = (path: string) => new PolicyStatement({ paths: [path], capabilities: [Capability.READ] });
    const document = new PolicyDocument();
    expect(document.isEmpty).toBe(true);
    document.addStatements(read('a'));
    const one = document.render();
    expect(document.render()).toBe(one);
    document.addStatements(read('b'));
    expect(document.render()).toBe(`${one}\n${new PolicyDocument({ statements: [read('b')] }).render()}`);
    expect(document.isEmpty).toBe(false);
  });

  test('its text contains the approvals, MFA methods and event types that requests need', () => {
    const document = new PolicyDocument({
      statements: [
        new PolicyStatement({
          paths: ['secret/data/payments'],
          capabilities: [Capability.READ, Capability.UPDATE],
          mfaMethods: ['duo', 'totp'],
          controlGroup: {
            ttl: Duration.hours(4),
            factors: [
              {
                name: 'tech leads',
                groupNames: ['managers', 'leads'],
                approvals: 2,
                controlledCapabilities: [Capability.UPDATE],
              },
              { name: 'auditors', groupIds: ['4ab3'] },
            ],
          },
        }),
        new PolicyStatement({
          paths: ['secret/*'],
          capabilities: [Capability.SUBSCRIBE],
          subscribeEventTypes: ['kv-v2/data-write'],
        }),
      ],
    });
    expect(document.render()).toBe(`path "secret/data/payments" {
  capabilities = ["read", "update"]
  mfa_methods = ["duo", "totp"]
  control_group {
    ttl = "4h"
    factor "tech leads" {
      controlled_capabilities = ["update"]
      identity {
        group_names = ["managers", "leads"]
        approvals = 2
      }
    }
    factor "auditors" {
      identity {
        group_ids = ["4ab3"]
        approvals = 1
      }
    }
  }
}

path "secret/*" {
  capabilities = ["subscribe"]
  subscribe_event_types = ["kv-v2/data-write"]
}
`);
    expect(parseAclPolicy(document.render()).rules).toEqual([
      {
        path: 'secret/data/payments',
        capabilities: ['read', 'update'],
        mfaMethods: ['duo', 'totp'],
        controlGroup: {
          ttl: 14_400,
          factors: [
            {
              name: 'tech leads',
              groupNames: ['managers', 'leads'],
              groupIds: [],
              approvals: 2,
              controlledCapabilities: ['update'],
            },
            {
              name: 'auditors',
              groupNames: [],
              groupIds: ['4ab3'],
              approvals: 1,
              controlledCapabilities: [],
            },
          ],
        },
      },
      { path: 'secret/*', capabilities: ['subscribe'], subscribeEventTypes: ['kv-v2/data-write'] },
    ]);
  });

  test('a control group that nobody could satisfy is an error', () => {
    const build = () =>
      synthesize((stack) => {
        const cluster = new VaultCluster(stack, 'Cluster');
        const controlGroup = { factors: [{ name: 'nobody' }] };
        const statement = new PolicyStatement({
          paths: ['a'],
          capabilities: [Capability.READ],
          controlGroup,
        });
        new AclPolicy(stack, 'P', { cluster, policyName: 'p', statements: [statement] });
      });
    expect(build).toThrow('must provide more than one identity group and approvals > 0');
  });

  test('the statements stay unchanged', () => {
    const paths = ['a'];
    const capabilities = [Capability.READ];
    const statement = new PolicyStatement({ paths, capabilities });
    paths.push('b');
    capabilities.push(Capability.SUDO);
    expect(new PolicyDocument({ statements: [statement] }).render()).toBe(
      'path "a" {\n  capabilities = ["read"]\n}\n',
    );
  });

  test('a statement without a path is an error', () => {
    expect(() => new PolicyStatement({ paths: [], capabilities: [Capability.READ] })).toThrow(
      'PolicyStatement: paths is empty; allowed: one path or more; write for example ["secret/data/app/*"]',
    );
  });

  test('a list of paths whose length only Terraform knows is an error', () => {
    synthesize((stack) => {
      const paths = Token.asList(new TerraformVariable(stack, 'paths', { type: 'list(string)' }).value);
      expect(() => new PolicyStatement({ paths, capabilities: [Capability.READ] })).toThrow(
        'PolicyStatement: paths is a list that only Terraform knows, so its length is not known at synthesis; ' +
          'list the paths individually (each may be a token), or get elements of the list with Fn.element',
      );
    });
  });
});

describe('a document made from text', () => {
  test('the document has exactly that text', () => {
    expect(PolicyDocument.fromText('path "a" {}').render()).toBe('path "a" {}');
    expect(SentinelDocument.fromText('main = rule { true }').render()).toBe('main = rule { true }');
    expect(PolicyDocument.fromText(' \n').isEmpty).toBe(true);
  });

  test('an added statement is an error', () => {
    const document = PolicyDocument.fromText('path "a" {}');
    const statement = new PolicyStatement({ paths: ['b'], capabilities: [Capability.READ] });
    expect(() => document.addStatements(statement)).toThrow(
      'a policy document from text cannot have statements; add them to the text, ' +
        'or build the document from statements only',
    );
  });

  test.each([
    ['path "a/${b}" { capabilities = ["read"] }', 'path "a/$${b}" { capabilities = ["read"] }'],
    ['# 100%{done}', '# 100%%{done}'],
  ])('a text from a file has no expressions: %j', (content, escaped) => {
    inFolder((folder) => {
      const file = join(folder, 'policy');
      writeFileSync(file, content);
      expect(PolicyDocument.fromFile(file).render()).toBe(escaped);
      expect(SentinelDocument.fromFile(file).render()).toBe(escaped);
    });
  });

  test('a text from a file is escaped in the stack', () => {
    const text = 'path "a/$${b}" { capabilities = ["read"] }';
    const stack = synthesize((scope) => {
      const cluster = new VaultCluster(scope, 'Cluster');
      new AclPolicy(scope, 'P', { cluster, document: PolicyDocument.fromText(text) });
    });
    expect(onlyResource(stack, 'vault_policy').policy).toBe(text);
  });
});

test('every capability and every enforcement level of the server has a constant', () => {
  expect(new Set(Object.values(Capability))).toEqual(new Set(ACL_CAPABILITIES));
  expect(Object.values(EnforcementLevel)).toEqual(ENFORCEMENT_LEVELS);
});
