import { useNewEmulators } from '../support/emulator';

const use = useNewEmulators({ onWarning: () => undefined });
const METHODS = 'identity/mfa/method';
const SETTINGS_FILE = Buffer.from(
  'use_base64_key=secret\nuse_signature=true\ntoken=secret\nidp_url=https://idp.example\norg_alias=ours\n' +
    'admin_url=https://admin.example\nauthenticator_url=https://auth.example/ppm\n',
).toString('base64');

const SHOWN = { mount_accessor: '', namespace_id: 'root', namespace_path: '', name: '' };
const OKTA = { org_name: 'ours', api_token: 'secret', primary_email: true };
const DUO = {
  secret_key: 'secret',
  integration_key: 'secret',
  api_hostname: 'duo.example',
  push_info: 'from=us',
};

describe('an MFA method for logins', () => {
  test.each([
    [
      'totp',
      { issuer: 'ours', period: '1m', algorithm: 'SHA256' },
      {
        algorithm: 'SHA256',
        digits: 6,
        issuer: 'ours',
        key_size: 20,
        max_validation_attempts: 5,
        period: 60,
        qr_size: 200,
        skew: 1,
      },
      [{}, 'missing issuer'],
    ],
    [
      'okta',
      OKTA,
      { base_url: 'okta.com', org_name: 'ours', primary_email: true, username_format: '' },
      [{ org_name: 'ours' }, 'missing api_token'],
    ],
    [
      'duo',
      DUO,
      { api_hostname: 'duo.example', pushinfo: 'from=us', use_passcode: false, username_format: '' },
      [{ ...DUO, secret_key: '' }, 'missing secret_key'],
    ],
    [
      'pingid',
      { settings_file_base64: SETTINGS_FILE },
      {
        admin_url: 'https://admin.example',
        authenticator_url: 'https://auth.example/ppm',
        idp_url: 'https://idp.example',
        org_alias: 'ours',
        use_signature: true,
        username_format: '',
      },
      [{ settings_file_base64: 'bm8=' }, 'the settings file of PingID has no use_signature'],
    ],
  ])(
    'a method of the type %s gets an id, is shown without its secrets, listed, changed and deleted',
    async (type, sent, shown, bad) => {
      const { api } = use();
      const refused = await api.post(`${METHODS}/${type}`, bad[0]);
      expect([refused.status, refused.body.errors]).toEqual([400, [bad[1]]]);
      const created = await api.post(`${METHODS}/${type}`, sent);
      const id = created.body.data.method_id as string;
      expect([created.status, created.body.data]).toEqual([
        200,
        { method_id: expect.stringMatching(/^[\w-]{36}$/) },
      ]);
      const path = `${METHODS}/${type}/${id}`;
      expect((await api.get(path)).body.data).toEqual({ ...SHOWN, ...shown, id, type });
      expect((await api.list(`${METHODS}/${type}`)).body.data).toEqual({ keys: [id] });
      expect((await api.list(METHODS)).body.data).toEqual({
        keys: [id],
        key_info: { [id]: { ...SHOWN, ...shown, id, type } },
      });
      expect((await api.put(path, sent)).status).toBe(204);
      const unknown = await api.put(`${METHODS}/${type}/gone`, sent);
      expect([unknown.status, unknown.body.errors]).toEqual([400, ['method_id "gone" does not exist']]);
      expect((await api.delete(path)).status).toBe(204);
      expect((await api.get(path)).status).toBe(404);
    },
  );

  test('a method belongs to its namespace', async () => {
    const { api } = use();
    await api.put('sys/namespaces/team');
    const inTeam = { namespace: 'team' };
    const id = (await api.post(`${METHODS}/okta`, OKTA, inTeam)).body.data.method_id as string;
    expect((await api.get(`${METHODS}/okta/${id}`)).status).toBe(404);
    expect((await api.get(`${METHODS}/okta/${id}`, inTeam)).body.data).toMatchObject({
      namespace_path: 'team/',
    });
  });
});

test('login enforcements are stored with their targets', async () => {
  const { api } = use();
  const path = 'identity/mfa/login-enforcement/all';
  for (const [sent, refusal] of [
    [{ auth_method_types: ['token'] }, 'missing method ids'],
    [
      { mfa_method_ids: ['a'] },
      'One of auth_method_accessors, auth_method_types, identity_group_ids, identity_entity_ids must be specified',
    ],
  ] as const) {
    const refused = await api.post(path, sent);
    expect([refused.status, refused.body.errors]).toEqual([400, [refusal]]);
  }
  const shown = {
    name: 'all',
    id: expect.stringMatching(/^[\w-]{36}$/),
    namespace_id: 'root',
    namespace_path: '',
    mfa_method_ids: ['a', 'b'],
    auth_method_accessors: [],
    auth_method_types: ['token'],
    identity_group_ids: [],
    identity_entity_ids: [],
  };
  await api.post(path, { mfa_method_ids: ['a', 'b'], auth_method_types: ['token'] });
  const read = (await api.get(path)).body.data;
  expect(read).toEqual(shown);
  await api.post(path, { auth_method_types: [], identity_group_ids: ['g'] });
  expect((await api.get(path)).body.data).toEqual({
    ...read,
    auth_method_types: [],
    identity_group_ids: ['g'],
  });
  const nobody = await api.post(path, { identity_group_ids: [] });
  expect(nobody.status).toBe(400);
  expect((await api.list('identity/mfa/login-enforcement')).body.data).toEqual({ keys: ['all'] });
});

test('an MFA method for single requests keeps the case of its name', async () => {
  const { api } = use();
  const path = 'sys/mfa/method/duo/pushed';
  expect((await api.post(path, { ...DUO, mount_accessor: 'auth_userpass_1' })).status).toBe(204);
  expect((await api.get(path)).body.data).toEqual({
    name: 'pushed',
    type: 'duo',
    id: expect.stringMatching(/^[\w-]{36}$/),
    api_hostname: 'duo.example',
    mount_accessor: 'auth_userpass_1',
    pushinfo: 'from=us',
    use_passcode: false,
    username_format: '',
  });
});
