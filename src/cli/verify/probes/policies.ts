import type { POLICY_ASSUMPTIONS } from '../../../emulator/assume/policies';
import type { Wire } from '../wire';
import { type Probes } from './probe';
import { prepared } from '../unseen';
import { judgeRefusal } from './judge-refusal';

const NO_EGP = 'EGPs cannot be written';
const EVERYTHING = 'path "*" { capabilities = ["create", "read", "update", "delete", "list", "sudo"] }';

/** The probes of the assumptions about policies. */
export const POLICY_PROBES: Probes<keyof typeof POLICY_ASSUMPTIONS> = {
  egpList: {
    where: 'namespace',
    see: async ({ server }) => {
      await egp(server, 'verify-listed', 'verify-listed/*', 'main = rule { true }');
      const { data } = await prepared(server.list('sys/policies/egp'), 'EGPs cannot be listed');
      const [code, documentation] = ['key_info' in data, 'name_path_map' in data];
      if (code && documentation) return { alternative: 'both' };
      if (code) return { alternative: 'key-info' };
      return documentation ? { alternative: 'name-path-map' } : { otherwise: 'keys alone' };
    },
  },
  egpSlashes: {
    where: 'namespace',
    see: async ({ server }) => {
      await egp(server, 'verify-slash', '/verify-slash/*', 'main = rule { true }');
      const { data } = await prepared(server.get('sys/policies/egp/verify-slash'), 'EGPs cannot be read');
      const [path] = Array.isArray(data['paths']) ? (data['paths'] as unknown[]) : [];
      if (path === '/verify-slash/*') return { alternative: 'kept' };
      return path === 'verify-slash/*' ? { alternative: 'dropped' } : { otherwise: 'another path' };
    },
  },
  policiesInNamespaces: {
    where: 'namespace',
    see: async ({ server }) => {
      const { status } = await server.post('sys/policies/acl/verify-namespaced', { policy: EVERYTHING });
      if (status < 300) return { alternative: 'everywhere' };
      if (status === 403) return { unseen: 'the token is not allowed to write policies' };
      return { alternative: 'root', words: String(status) };
    },
  },
  sentinelRefusals: {
    where: 'namespace',
    see: async ({ server }) => {
      const login = 'auth/verify-people/login/somebody';
      const password = 'verify-verify-verify';
      await prepared(
        server.post('sys/auth/verify-people', { type: 'userpass' }),
        'userpass cannot be enabled',
      );
      await prepared(
        server.post('auth/verify-people/users/somebody', { password }),
        'users cannot be written',
      );
      await egp(server, 'verify-login', 'auth/verify-people/login/*', 'main = rule { false }');
      const { status } = await server.as('').post(login, { password });
      if (status === 400 || status === 403) return { alternative: String(status) as '400' | '403' };
      if (status < 300) return { otherwise: 'the login is not refused' };
      return { otherwise: String(status), measured: { status } };
    },
  },
  egpLists: {
    where: 'namespace',
    see: async ({ server }) => {
      const somebody = await withoutRoot(server, 'verify-lists');
      await egp(server, 'verify-lists', 'verify-lists/app', 'main = rule { false }');
      const { status } = await somebody.list('verify-lists/app');
      return { alternative: status === 403 ? 'either' : 'with-slash' };
    },
  },
  sentinelBounds: {
    where: 'namespace',
    see: async ({ server }) => {
      const somebody = await withoutRoot(server, 'verify-bounds');
      await egp(server, 'verify-bounds', 'verify-bounds/app', LONG_POLICY);
      const { status } = await somebody.get('verify-bounds/app');
      return { alternative: status === 403 ? 'narrow' : 'wide' };
    },
  },
  policyOverrideText: {
    where: 'nowhere',
    see: async ({ server, version }) => {
      if (!version.text.includes('+ent')) return { unseen: 'the server has no Sentinel policies' };
      const answer = await server.get('sys/policies/acl/default', {
        headers: { 'x-vault-policy-override': 'perhaps' },
      });
      return judgeRefusal('policyOverrideText', answer, {
        names: ['failed to parse X-Vault-Policy-Override header: '],
        isText: false,
      });
    },
  },
  mfaHeaderText: {
    where: 'nowhere',
    see: async ({ server, version }) => {
      if (!version.text.includes('+ent')) return { unseen: 'the server has no Sentinel policies' };
      const answer = await server.get('sys/policies/acl/default', { headers: { 'x-vault-mfa': ':0' } });
      return judgeRefusal('mfaHeaderText', answer, {
        names: ['failed to parse X-Vault-MFA header: '],
        isText: false,
      });
    },
  },
};

/**
 * A policy that evaluates some 30,000 expressions: more than the alternative `narrow` allows, far
 * fewer than `wide` does.
 */
const LONG_POLICY = `
numbers = [${Array.from({ length: 20 }, (_each, index) => index).join(', ')}]
count = 0
for numbers as a {
  for numbers as b {
    for numbers as c {
      count = count + 1
    }
  }
}
main = rule { count is 8000 }
`;

async function egp(server: Wire, name: string, path: string, policy: string): Promise<void> {
  const fields = { policy, paths: [path], enforcement_level: 'hard-mandatory' };
  await prepared(server.post(`sys/policies/egp/${name}`, fields), NO_EGP);
}

/**
 * Creates a mount, and returns a connection whose token may do everything, but is governed by EGPs,
 * unlike root tokens.
 */
async function withoutRoot(server: Wire, mount: string): Promise<Wire> {
  await prepared(server.post(`sys/mounts/${mount}`, { type: 'kv' }), 'KV cannot be mounted');
  await prepared(
    server.post(`sys/policies/acl/${mount}`, { policy: EVERYTHING }),
    'policies cannot be written',
  );
  const request = { policies: [mount], ttl: '10m', no_default_policy: true };
  const { body } = await prepared(server.post('auth/token/create', request), 'tokens cannot be created');
  const { client_token: token } = body['auth'] as { client_token: string };
  const somebody = server.as(token);
  await prepared(somebody.post(`${mount}/app`, { value: 'verify' }), 'KV cannot be written');
  return somebody;
}
