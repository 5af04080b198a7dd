import { collected } from '../support/api';
import { startTestEmulator, useNewEmulators } from '../support/emulator';

const use = useNewEmulators();
const hcl = 'path "secret/*" { capabilities = ["read"] }';

describe('ACL policies', () => {
  it('an ACL policy is written, read, listed and deleted', async () => {
    const { api } = use();
    const text = `# comment\n${hcl}\n`;
    expect((await api.put('sys/policies/acl/zoo', { policy: text })).status).toBe(204);
    expect((await api.put('sys/policies/acl/team/app', { policy: hcl })).status).toBe(204);
    expect((await api.get('sys/policies/acl/zoo')).body.data).toEqual({ name: 'zoo', policy: text });
    expect((await api.get('sys/policies/acl/team/app')).body.data).toEqual({ name: 'team/app', policy: hcl });
    expect((await api.list('sys/policies/acl')).body.data).toEqual({
      keys: ['default', 'team/app', 'zoo', 'root'],
    });
    expect((await api.delete('sys/policies/acl/zoo')).status).toBe(204);
    expect((await api.get('sys/policies/acl/zoo')).body).toEqual({ errors: [] });
    expect((await api.delete('sys/policies/acl/zoo')).status).toBe(204);
  });

  it('names are stored in lower case', async () => {
    const { api } = use();
    const written = await api.put('sys/policies/acl/MixedCase', { policy: hcl });
    expect([written.status, written.body.warnings]).toEqual([
      200,
      ['policy name was converted to mixedcase'],
    ]);
    expect((await api.get('sys/policies/acl/MIXEDCASE')).body.data.name).toBe('mixedcase');
    expect((await api.delete('sys/policies/acl/mixedCASE')).status).toBe(204);
    expect((await api.get('sys/policies/acl/mixedcase')).status).toBe(404);
  });

  it('the document may be sent in base64, and any valid base64 is decoded', async () => {
    const { api } = use();
    await api.put('sys/policies/acl/encoded', { policy: Buffer.from(hcl).toString('base64') });
    expect((await api.get('sys/policies/acl/encoded')).body.data.policy).toBe(hcl);
    const refused = await api.put('sys/policies/acl/encoded', {
      policy: Buffer.from('path {').toString('base64'),
    });
    expect(refused.status).toBe(400);
    expect(refused.body.errors[0]).toMatch(/^failed to parse policy: /);
  });

  it('the document may be JSON', async () => {
    const policy = JSON.stringify({ path: { 'secret/*': { capabilities: ['read'] } } });
    expect((await use().api.put('sys/policies/acl/json', { policy })).status).toBe(204);
  });

  it.each([
    ['no text', 'empty', {}, "'policy' parameter not supplied or empty"],
    [
      'an unknown capability',
      'x',
      { policy: 'path "x" { capabilities = ["fly"] }' },
      'path "x": invalid capability "fly"',
    ],
    [
      'an unknown shorthand',
      'x',
      { policy: 'path "x" { policy = "fly" }' },
      'path "x": invalid policy "fly"',
    ],
    ['a built-in name', 'root', { policy: hcl }, 'cannot update "root" policy'],
    ['an internal name', 'Response-Wrapping', { policy: hcl }, 'cannot update "response-wrapping" policy'],
    ['another internal name', 'control-group', { policy: hcl }, 'cannot update "control-group" policy'],
  ])('an ACL policy is refused with %s', async (_, name, body, text) => {
    const answer = await use().api.put(`sys/policies/acl/${name}`, body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual([expect.stringContaining(text)]);
  });

  it('built-in policies are returned or refused, and cannot be changed', async () => {
    const { api } = use();
    expect((await api.get('sys/policies/acl/root')).body.data).toEqual({ name: 'root', policy: '' });
    expect((await api.get('sys/policies/acl/response-wrapping')).status).toBe(200);
    expect((await api.get('sys/policies/acl/control-group')).status).toBe(404);
    expect((await api.delete('sys/policies/acl/root')).body).toEqual({
      errors: ['cannot delete "root" policy'],
    });
    expect((await api.delete('sys/policies/acl/default')).body).toEqual({
      errors: ['cannot delete default policy'],
    });
    expect((await api.put('sys/policies/acl/default', { policy: hcl })).status).toBe(204);
    expect((await api.get('sys/policies/acl/default')).body.data.policy).toBe(hcl);
  });

  it('a policy belongs to its namespace', async () => {
    const { api } = use();
    await api.put('sys/namespaces/pol');
    const namespace = 'pol';
    await api.put('sys/policies/acl/inner', { policy: hcl }, { namespace });
    expect((await api.list('sys/policies/acl', { namespace })).body.data.keys).toEqual(['default', 'inner']);
    expect((await api.get('sys/policies/acl/inner')).status).toBe(404);
    expect((await api.get('sys/policies/acl/root', { namespace })).status).toBe(404);
  });
});

describe('the old paths of ACL policies', () => {
  it('the document is called rules, and the data is also at the top level', async () => {
    const { api } = use();
    expect((await api.put('sys/policy/old', { policy: hcl })).status).toBe(204);
    const read = (await api.get('sys/policy/old')).body;
    expect(read.data).toEqual({ name: 'old', rules: hcl });
    expect(read).toMatchObject({ name: 'old', rules: hcl });
    for (const listed of [await api.get('sys/policy'), await api.list('sys/policy')]) {
      expect(listed.body.data.policies).toEqual(listed.body.data.keys);
      expect(listed.body.keys).toContain('old');
    }
    expect((await api.delete('sys/policy/old')).status).toBe(204);
    expect((await api.get('sys/policy/old')).status).toBe(404);
  });

  it('the old name of the document causes a warning', async () => {
    const { api } = use();
    const answer = await api.put('sys/policy/Older', { rules: hcl });
    expect([answer.status, answer.body.warnings]).toEqual([
      200,
      ['policy name was converted to older', "'rules' is deprecated, please use 'policy' instead"],
    ]);
    expect((await api.get('sys/policies/acl/older')).body.data.policy).toBe(hcl);
  });
});

const main = 'main = rule { true }';

describe('RGPs of a server', () => {
  it('an RGP is written, read, listed and deleted', async () => {
    const { api } = use();
    expect((await api.list('sys/policies/rgp')).status).toBe(404);
    const body = { policy: main, enforcement_level: 'soft-mandatory' };
    expect((await api.put('sys/policies/rgp/hours', body)).status).toBe(204);
    expect((await api.get('sys/policies/rgp/hours')).body.data).toEqual({ name: 'hours', ...body });
    expect((await api.list('sys/policies/rgp')).body.data).toEqual({ keys: ['hours'] });
    expect((await api.put('sys/policies/rgp/Hours', body)).body.warnings).toEqual([
      'policy name was converted to hours',
    ]);
    expect((await api.delete('sys/policies/rgp/hours')).status).toBe(204);
    expect((await api.get('sys/policies/rgp/hours')).body).toEqual({ errors: [] });
  });

  it('the document may be sent in base64', async () => {
    const { api } = use();
    const policy = Buffer.from(main).toString('base64');
    await api.put('sys/policies/rgp/encoded-rgp', { policy, enforcement_level: 'advisory' });
    expect((await api.get('sys/policies/rgp/encoded-rgp')).body.data.policy).toBe(main);
  });

  it.each([
    ['no text', { enforcement_level: 'advisory' }, "'policy' parameter not supplied or empty"],
    ['no level', { policy: main }, 'enforcement_level is required'],
    ['an unknown level', { policy: main, enforcement_level: 'strict' }, 'received "strict"'],
    ['an open bracket', { policy: 'main = rule {', enforcement_level: 'advisory' }, 'line 1, column 14'],
  ])('an RGP is refused with %s', async (_, body, text) => {
    const answer = await use().api.put('sys/policies/rgp/bad', body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual([expect.stringContaining(text)]);
    expect((await use().api.get('sys/policies/rgp/bad')).status).toBe(404);
  });
});

describe('EGPs of a server', () => {
  it('an EGP is written, read, listed and deleted', async () => {
    const { api } = use();
    const body = { policy: main, enforcement_level: 'hard-mandatory', paths: ['secret/*', 'sys/seal'] };
    expect((await api.put('sys/policies/egp/breakglass', body)).status).toBe(204);
    expect((await api.get('sys/policies/egp/breakglass')).body.data).toEqual({ name: 'breakglass', ...body });
    const info = {
      breakglass: [
        { path: 'secret/', glob: true },
        { path: 'sys/seal', glob: false },
      ],
    };
    expect((await api.list('sys/policies/egp')).body.data).toEqual({
      keys: ['breakglass'],
      key_info: info,
      name_path_map: info,
    });
    expect((await api.delete('sys/policies/egp/breakglass')).status).toBe(204);
    expect((await api.list('sys/policies/egp')).body).toEqual({ errors: [] });
  });

  it('the paths may be a single text', async () => {
    const { api } = use();
    await api.put('sys/policies/egp/text', { policy: main, enforcement_level: 'advisory', paths: 'a, b/*' });
    expect((await api.get('sys/policies/egp/text')).body.data.paths).toEqual(['a', 'b/*']);
  });

  it.each([
    ['no paths', {}, 'paths is required'],
    ['empty paths', { paths: [] }, 'must contain at least one path'],
    ['a glob in the middle', { paths: ['a/*/b'] }, 'a "*" before its end'],
  ])('an EGP is refused with %s', async (_, body, text) => {
    const answer = await use().api.put('sys/policies/egp/bad', {
      policy: main,
      enforcement_level: 'advisory',
      ...body,
    });
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual([expect.stringContaining(text)]);
  });
});

describe('an open-source server', () => {
  it('ACL policies are available, RGPs and EGPs are not', async () => {
    const { api } = await startTestEmulator({ serverVersion: '1.21.0' });
    expect((await api.get('sys/policies/acl/default')).status).toBe(200);
    for (const kind of ['rgp', 'egp']) {
      const written = await api.put(`sys/policies/${kind}/x`, {
        policy: main,
        enforcement_level: 'advisory',
        paths: ['a'],
      });
      expect([written.status, written.body]).toEqual([404, { errors: [collected('unsupported path')] }]);
      expect((await api.list(`sys/policies/${kind}`)).status).toBe(404);
    }
  });
});

it('the server accepts the neutral dialect, and policies see the same values', async () => {
  const { api } = await startTestEmulator({ dialect: 'neutral' });
  const body = { policy: main, enforcement_level: 'advisory', paths: ['a'] };
  await api.put('sys/policies/egp/x', body);
  expect((await api.get('sys/policies/egp/x')).body.data).toEqual({ name: 'x', ...body });
});
