import { VaultError, type VaultErrorCode } from '../../../src/client';
import { ACL_POLICY, RGP_POLICY, type ObjectDefinition } from '../../../src/model';
import { callFailed } from '../../../src/provider/objects/messages';

function failure(code: VaultErrorCode, facts: object = {}, definition: ObjectDefinition = ACL_POLICY) {
  const error = new VaultError({
    code,
    message: 'cannot read it on https://us: because. Do this.',
    ...facts,
  });
  return callFailed(error, { verb: 'read', definition, title: 'ACL policy "ops"', cluster: 'us-1' });
}

test('the summary names the action, the object, its cluster and the reason', () => {
  expect(failure('tls_not_trusted').summary).toBe(
    `cannot read ACL policy "ops" on cluster "us-1": the server's certificate is not trusted`,
  );
});

test('the message names the request, its answer and the number of attempts', () => {
  const facts = { method: 'GET', path: 'sys/policies/acl/ops' };
  const first = 'Cannot read it on https://us: because. Do this.\n';
  expect(failure('server_error', { ...facts, status: 500, attempts: 3 }).detail).toBe(
    `${first}Request: GET /v1/sys/policies/acl/ops (status 500, tried 3 times).`,
  );
  expect(failure('connection_lost', { ...facts, attempts: 1 }).detail).toBe(
    `${first}Request: GET /v1/sys/policies/acl/ops (no answer, tried once).`,
  );
  // The answer is a success without the expected data.
  expect(failure('unexpected_answer', { ...facts, attempts: 1 }).detail).toContain(
    `${first}Request: GET /v1/sys/policies/acl/ops (answered, tried once).\n`,
  );
});

test('the message names the origin of the settings if no request was sent', () => {
  expect(failure('invalid_options').detail).toBe(
    'Cannot read it on https://us: because. Do this.\n' +
      `To do: check the settings of cluster "us-1": those in clusters of the provider's configuration, ` +
      'then the variables VAULTADMIN_US_1_*, then VAULT_* if it is the only cluster.',
  );
});

test('the message names the required edition if the open-source server lacks the feature', () => {
  expect(failure('unsupported_path', {}, RGP_POLICY).detail).toContain('which every RGP policy requires');
  expect(failure('unsupported_path', {}, ACL_POLICY).detail).not.toContain('Enterprise');
});

test('the error of the client is the cause', () => {
  expect(VaultError.is(failure('denied').cause)).toBe(true);
});
