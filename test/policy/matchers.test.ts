import { PolicySet } from '../../src/policy';
import '../../src/policy/jest';

const POLICIES = PolicySet.of({
  app: 'path "secret/data/app/*" { capabilities = ["read", "update"] required_parameters = ["data"] }',
  base: 'path "secret/*" { capabilities = ["list"] } path "sys/seal" { capabilities = ["update", "sudo"] }',
});

test('each matcher passes for a true statement', () => {
  expect(POLICIES).toAllow('read', 'secret/data/app/x', { data: { data: {} } });
  expect(POLICIES).toAllow(['update', 'read'], 'secret/data/app/x', { data: { data: {} } });
  expect(POLICIES).not.toAllow('delete', 'secret/data/app/x');
  expect(POLICIES).toNeverAllow(['create', 'delete', 'sudo'], 'secret/*');
  expect(POLICIES).not.toNeverAllow('sudo', 'sys/*');
  expect(POLICIES.only('app')).toAllowNoMoreThan(POLICIES);
  // The list of the folder is decided by a rule of "app" instead of "base".
  expect(POLICIES.only('base')).not.toAllowNoMoreThan(POLICIES);
  expect(POLICIES).not.toAllowNoMoreThan(POLICIES.only('base'));
  expect(POLICIES).toAllowTheSameAs(POLICIES.only('app', 'base'));
  expect(POLICIES).not.toAllowTheSameAs(POLICIES.only('base'));
});

test.each<[string, () => void, string]>([
  [
    'a request that is denied',
    () => expect(POLICIES).toAllow(['read', 'delete'], 'secret/data/app/x', { data: { data: {} } }),
    'expected the policies "app", "base" to allow read, delete secret/data/app/x\n\n' +
      'delete secret/data/app/x data={} is denied.\nThe rule does not grant "delete".\n\n' +
      'The deciding rule:\n  path "secret/data/app/*"  read, update  (app)\n\n' +
      'Other matching rules, which have no effect:\n' +
      '  path "secret/*"  list  (base): its first "+" or "*" comes earlier\n\nBy the rules of server version 1.21.0.',
  ],
  [
    'a request that is allowed',
    () => expect(POLICIES.only('base')).not.toAllow('list', 'secret/a'),
    'expected the policy "base" not to allow list secret/a\n\n' +
      'list secret/a/ is allowed.\n\nThe deciding rule:\n  path "secret/*"  list  (base)\n\n' +
      'Policies that allow it on their own: base\n\nBy the rules of server version 1.21.0.',
  ],
  [
    'a request that should never be allowed, with its parameters',
    () => expect(POLICIES).toNeverAllow('update', 'secret/+/app/*'),
    'expected the policies "app", "base" never to allow update secret/+/app/*\n\n' +
      'update secret/data/app/example data="example" is allowed.\n\n' +
      'The deciding rule:\n  path "secret/data/app/*"  read, update  (app)\n\n' +
      'Other matching rules, which have no effect:\n' +
      '  path "secret/*"  list  (base): its first "+" or "*" comes earlier\n\n' +
      'Policies that allow it on their own: app\n\nBy the rules of server version 1.21.0.',
  ],
  [
    'a capability that no path should have',
    () => expect(POLICIES).toNeverAllow('sudo', '*'),
    'expected the policies "app", "base" never to allow sudo *\n\nThe path "sys/seal" has the capability "sudo".',
  ],
  [
    'an operation that is never allowed',
    () => expect(POLICIES).not.toNeverAllow('delete', '*'),
    'expected the policies "app", "base" to allow a request: delete *',
  ],
  [
    'policies that allow more than others',
    () => expect(POLICIES).toAllowNoMoreThan(POLICIES.only('app')),
    'expected the policies "app", "base" to allow no more than the policy "app"\n\n' +
      '+ list on secret/* except secret/data/app/+/*\n    for example list secret/example/\n' +
      '+ update, sudo on sys/seal\n    for example update sys/seal',
  ],
  [
    'policies that allow less than others',
    () => expect(POLICIES.only('app')).toAllowTheSameAs(POLICIES.only('base')),
    'expected the policy "app" to allow the same as the policy "base"\n\n' +
      '- list on secret/*\n    for example list secret/example/\n' +
      '+ read, update on secret/data/app/*\n    for example read secret/data/app/example data="example"\n' +
      '- update, sudo on sys/seal\n    for example update sys/seal',
  ],
  [
    'another object in place of the other policies',
    () => expect(POLICIES).toAllowTheSameAs('app.hcl' as never),
    'toAllowTheSameAs: expected is a PolicySet, such as PolicySet.of(app); received string',
  ],
  [
    'another object in place of policies',
    () => expect({}).toAllow('read', 'a'),
    'toAllow: expected is a PolicySet, such as PolicySet.of(app); received object',
  ],
])('the matcher fails with its message: %s', (_what, run, message) => {
  expect(run).toThrow(new Error(message));
});
