import { ACL_POLICY, describeFinding } from '../../../src/model';
import { findingsOf, rulesBroken } from './support';

const broken = (policy: string) => rulesBroken(ACL_POLICY, { name: 'ops', policy });
const lineOf = (rule: string, policy: string) => {
  const [finding] = findingsOf(ACL_POLICY, rule, { name: 'ops', policy });
  return finding && `${finding.severity}: ${describeFinding(ACL_POLICY, 'ops', finding).line}`;
};

test.each([
  ['path "secret/*" { capabilities = ["read", "list"] }'],
  ['{"path": {"secret/*": {"policy": "write"}}}'],
  ['# nothing is granted'],
  [Buffer.from('path "secret/*" { capabilities = ["read"] }').toString('base64')],
])('the policy %s has no findings', (policy) => {
  expect(broken(policy)).toEqual([]);
});

test.each([[''], [' \n']])('the blank policy %j is reported', (policy) => {
  expect(broken(policy)).toEqual(['policy-not-empty']);
  expect(lineOf('policy-not-empty', policy)).toBe(
    `error: ACL policy "ops": policy must not be empty; received ${JSON.stringify(policy)}; ` +
      'set it to the policy document; one with only a comment grants nothing',
  );
});

test('a Sentinel policy in place of an ACL policy is reported as such, with the kinds that it may have', () => {
  const policy = 'import "strings"\nmain = rule { strings.has_prefix(request.path, "a") }';
  expect(broken(policy)).toEqual(['policy-parses']);
  expect(lineOf('policy-parses', policy)).toBe(
    'error: ACL policy "ops": policy is a Sentinel policy, not an ACL policy; declare it with the resource ' +
      'of an RGP policy or of an EGP policy',
  );
});

test('an unknown capability is reported', () => {
  const policy = 'path "a" {}\npath "b" { capabilities = ["reed"] }';
  expect(broken(policy)).toEqual(['policy-parses']);
  expect(lineOf('policy-parses', policy)).toBe(
    'error: ACL policy "ops": policy cannot be parsed: path "b": invalid capability "reed" (line 2, column 28); ' +
      'received "reed"; allowed: "deny", "create", "read", "update", "delete", "list", "sudo", "patch", ' +
      '"subscribe", "recover"; write "read"',
  );
});

test('a text that is not HCL is reported', () => {
  expect(lineOf('policy-parses', 'path "a" {\n  capabilities = ["read"\n}')).toBe(
    'error: ACL policy "ops": policy cannot be parsed: "]" is missing at the end of the list (line 3, column 1); close the list with "]"',
  );
});

test('several unknown keys are reported in one line', () => {
  expect(lineOf('policy-parses', 'path "a" {\n  read = true\n  write = true\n}')).toBe(
    'error: ACL policy "ops": policy cannot be parsed: path "a": invalid key "read" on line 2; ' +
      'path "a": invalid key "write" on line 3 (line 2, column 3); received "read"; ' +
      'write one of comment, policy, capabilities, allowed_parameters, denied_parameters, ' +
      'required_parameters, min_wrapping_ttl, max_wrapping_ttl, mfa_methods, control_group, subscribe_event_types',
  );
});

test('unknown syntax hides no other fault', () => {
  const both = 'path "a" { scan = true }\npath "b" { capabilities = ["raed"] }';
  expect(lineOf('policy-syntax-known', both)).toBeUndefined();
  expect(lineOf('policy-parses', both)).toContain('invalid key "scan"');
});

test('a block that is not closed is reported once, with its position', () => {
  expect(lineOf('policy-parses', 'path "a" {\npath "b" {\n}\npath "c" {\n}\n}')).toBe(
    'error: ACL policy "ops": policy cannot be parsed: "}" is missing at the end of the block ' +
      '(line 1, column 1); close the block with "}"',
  );
});

test('a fault inside base64 has its position in the decoded text', () => {
  const [finding] = findingsOf(ACL_POLICY, 'policy-parses', {
    name: 'ops',
    policy: Buffer.from('path "a" {\n  @\n}').toString('base64'),
  });
  expect(finding?.position).toEqual({ line: 2, column: 3 });
});

test('an argument that is set twice is a warning', () => {
  const policy = 'path "a" {\n  policy = "read"\n  policy = "write"\n}';
  expect(broken(policy)).toEqual(['policy-arguments-set-once']);
  expect(lineOf('policy-arguments-set-once', policy)).toBe(
    'warning: ACL policy "ops": policy cannot be parsed by servers from version 1.21 on: ' +
      'The argument "policy" at 3:3 was already set. Each argument can only be defined once (line 3, column 3); ' +
      'set the argument once',
  );
});

test('a glob inside a path is a warning', () => {
  const policy = 'path "a/b" {}\npath "secret/*/app/*" { policy = "read" }';
  expect(broken(policy)).toEqual(['policy-globs-at-the-end']);
  expect(lineOf('policy-globs-at-the-end', policy)).toBe(
    'warning: ACL policy "ops": policy has a "*" in the middle of a path, where it is literal; ' +
      'received "secret/*/app/*"; allowed: "*" as the last character for any suffix, "+" for one whole segment; ' +
      'write "secret/+/app/*" if one whole segment is meant',
  );
});

test.each([
  ['secret/**', 'write "secret/*"'],
  ['secret/*/*/x', 'write "secret/+/+/x" if one whole segment is meant'],
  ['secret/a*b', 'write a path without it, or a block for each intended path'],
])('a glob inside the path %j has a correction', (path, cure) => {
  const policy = `path "${path}" { policy = "read" }`;
  expect(findingsOf(ACL_POLICY, 'policy-globs-at-the-end', { name: 'ops', policy })[0]?.cure).toBe(cure);
});

test('a path with an expression that was not filled in is a warning', () => {
  const policy =
    'path "secret/data/${env}/*" { policy = "read" }\npath "{{identity.entity.id}}" { policy = "read" }';
  expect(broken(policy)).toEqual(['policy-paths-without-expressions']);
  expect(lineOf('policy-paths-without-expressions', policy)).toBe(
    'warning: ACL policy "ops": policy has a path with ${env}, which nothing fills in: the server takes it literally; ' +
      'received "secret/data/${env}/*"; write the value in its place, or read the file with templatefile()',
  );
});

test.each(['v1/secret/app', '/v1/secret/app'])('the path %j of a request is a warning', (path) => {
  const policy = `path "v1" { policy = "read" }\npath "${path}" { policy = "read" }`;
  expect(broken(policy)).toEqual(['policy-paths-without-version']);
  expect(lineOf('policy-paths-without-version', policy)).toBe(
    'warning: ACL policy "ops": policy has a path that begins with "v1/", which belongs in request URLs, ' +
      'not in policies; received "v1/secret/app"; allowed: the mount and the path below it, unless a mount is named "v1"; ' +
      'write "secret/app"',
  );
});
