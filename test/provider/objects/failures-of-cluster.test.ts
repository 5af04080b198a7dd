import { VaultError, type VaultErrorCode } from '../../../src/client';
import { ACL_POLICY } from '../../../src/model';
import { FailuresOfCluster } from '../../../src/provider/objects/failures-of-cluster';

const attempt = (name: string) => ({
  verb: 'read',
  title: `ACL policy "${name}"`,
  cluster: 'us',
  definition: ACL_POLICY,
});
const failure = (code: VaultErrorCode, errors: readonly string[] = []) =>
  new VaultError({ code, message: `failed: ${code}`, errors });

let now: number;
let failures: FailuresOfCluster;
beforeEach(() => {
  now = 0;
  failures = new FailuresOfCluster(() => now);
});

const SHORT =
  'cannot read ACL policy "b" on cluster "us": the server cannot be reached (see the error about ACL policy "a")';

test('a cluster that cannot be reached is one full error, then one line for each object, without requests', () => {
  const first = failures.errorOf(failure('unreachable'), attempt('a'));
  expect(first.detail).toContain('Failed: unreachable');
  // This call was under way when the cluster failed.
  const second = failures.errorOf(failure('unreachable'), attempt('b'));
  expect([second.summary, second.detail]).toEqual([SHORT, '']);
  expect(() => failures.admit(attempt('b'))).toThrow(SHORT);
});

test('the object of the first full error gets the full error again, because its first call may not have been reported', () => {
  failures.errorOf(failure('unreachable'), attempt('a'));
  expect(failures.errorOf(failure('unreachable'), attempt('a')).detail).toContain('Failed: unreachable');
  expect(() => failures.admit(attempt('a'))).toThrow('the server cannot be reached: Failed: unreachable');
});

test('a failed cluster is tried by one call after 30 s, and other calls continue once it has succeeded', () => {
  failures.errorOf(failure('unreachable'), attempt('a'));
  now = 29_999;
  expect(() => failures.admit(attempt('b'))).toThrow('see the error about ACL policy "a"');
  now = 30_000;
  expect(() => failures.admit(attempt('b'))).not.toThrow();
  expect(() => failures.admit(attempt('c'))).toThrow('see the error about ACL policy "a"');
  failures.succeeded();
  expect(() => failures.admit(attempt('c'))).not.toThrow();
});

test('a failed attempt begins the 30 s again', () => {
  failures.errorOf(failure('unreachable'), attempt('a'));
  now = 30_000;
  failures.admit(attempt('b'));
  now = 31_000;
  expect(failures.errorOf(failure('unreachable'), attempt('b')).detail).toBe('');
  now = 60_999;
  expect(() => failures.admit(attempt('c'))).toThrow();
  now = 61_000;
  expect(() => failures.admit(attempt('c'))).not.toThrow();
});

test('a cluster counts as failed after two calls in a row without an answer in time, but not after one', () => {
  expect(failures.errorOf(failure('timeout'), attempt('a')).detail).not.toBe('');
  expect(() => failures.admit(attempt('b'))).not.toThrow();
  failures.succeeded();
  expect(failures.errorOf(failure('timeout'), attempt('b')).detail).not.toBe('');
  expect(failures.errorOf(failure('timeout'), attempt('c')).summary).toContain(
    '(see the error about ACL policy "b")',
  );
  expect(() => failures.admit(attempt('d'))).toThrow('see the error about ACL policy "b"');
});

test.each<VaultErrorCode>(['denied', 'not_found', 'server_error', 'rate_limited', 'connection_lost'])(
  'a failure of one object (%s) concerns no other object',
  (code) => {
    for (const name of ['a', 'b']) expect(failures.errorOf(failure(code), attempt(name)).detail).not.toBe('');
    expect(() => failures.admit(attempt('c'))).not.toThrow();
  },
);

test('an EGP that refuses many objects is reported in full once, and so is another EGP', () => {
  const denied = (egp: string) =>
    failure('denied', [
      '1 error occurred:',
      `egp standard policy "root/${egp}" evaluation resulted in denial.`,
    ]);
  const first = failures.errorOf(denied('hours'), attempt('a'));
  expect(first.summary).toBe('cannot read ACL policy "a" on cluster "us": EGP "root/hours" refuses it');
  expect(first.detail).not.toContain('The rules for a policy');
  expect(first.detail).not.toContain('To do: check the settings');
  const second = failures.errorOf(denied('hours'), attempt('b'));
  expect([second.summary, second.detail]).toEqual([
    'cannot read ACL policy "b" on cluster "us": EGP "root/hours" refuses it (see the error about ACL policy "a")',
    '',
  ]);
  expect(failures.errorOf(denied('other'), attempt('c')).detail).not.toBe('');
  expect(() => failures.admit(attempt('d'))).not.toThrow();
});
