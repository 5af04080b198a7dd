import { fullPath } from '../../../src/emulator/stored-settings';
import { STORED_SETTINGS } from '../../../src/emulator/stored-settings/declarations';
import { Api } from '../support/api';
import { startEmulator } from '../../../src/emulator';

test('the first write to a path whose writes have no effect is reported with the path', async () => {
  const told: string[] = [];
  const onWarning = (text: string) => told.push(text);
  await using emulator = await startEmulator({ rootToken: 'root', storedMounts: true, onWarning });
  const api = new Api(emulator.clusters.default.address);
  const write = async (path: string, body: object, status = 204) => {
    told.length = 0;
    expect((await api.post(path, body)).status).toBe(status);
    return [...told];
  };
  const note = (path: string, what: string) =>
    `a write to ${path} was stored and has no effect in the emulator (${what})`;

  const bodies: Readonly<Record<string, object>> = {
    'policies/password/:name': { policy: 'length = 20' },
    'quotas/rate-limit/:name': { rate: 10 },
    'quotas/lease-count/:name': { max_leases: 10 },
    'config/cors': { allowed_origins: '*' },
    'oidc/role/:name': { key: 'default' },
    'mfa/method/totp/:name': { issuer: 'ours' },
    'mfa/method/okta/:name': { org_name: 'ours', api_token: 't' },
    'mfa/method/duo/:name': { secret_key: 's', integration_key: 'i', api_hostname: 'h' },
    'mfa/method/pingid/:name': {
      settings_file_base64: btoa(
        'use_signature=true\nidp_url=i\norg_alias=o\nadmin_url=a\nauthenticator_url=u',
      ),
    },
    'mfa/login-enforcement/:name': { mfa_method_ids: ['m'], auth_method_types: ['token'] },
  };
  for (const setting of STORED_SETTINGS.filter(({ hasEffect }) => !hasEffect)) {
    const path = fullPath(setting);
    const body = bodies[setting.path] ?? {};
    const named = (name: string) =>
      setting.generatedName === undefined ? path.replace(':name', name) : path.replace('/:name', '');
    const status = setting.generatedName === undefined ? 204 : 200;
    expect(await write(named('a'), body, status)).toEqual([note(path, setting.what)]);
    expect(await write(named('b'), body, status)).toEqual([]);
  }
  expect(await write('sys/policies/password/c', {}, 400)).toEqual([]);

  expect(await write('sys/mounts/pki', { type: 'pki' })).toEqual([]);
  expect(await write('sys/auth/ldap', { type: 'ldap' })).toEqual([]);
  expect(await write('pki/roles/web', { ttl: '1h' })).toEqual([note('pki/', 'pki is not implemented')]);
  expect(await write('pki/roles/api', { ttl: '1h' })).toEqual([]);
  expect(await write('auth/ldap/config', { url: 'x' })).toEqual([
    note('auth/ldap/', 'ldap is not implemented'),
  ]);

  // Writes that have an effect are not reported.
  await api.post('sys/mounts/kv', { type: 'kv' });
  expect(await write('kv/a', { v: '1' })).toEqual([]);
  expect(await write('sys/policies/acl/a', { policy: '' }, 400)).toEqual([]);
});
