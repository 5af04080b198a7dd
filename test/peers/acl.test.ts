import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import {
  Acl,
  aclOptionsFor,
  parseAclPolicy,
  readAuditLine,
  ReplayedPolicies,
  type AclOptions,
} from '../../src/model';
import { Api } from '../emulator/support/api';
import {
  openServerBinary,
  openServerMissing,
  startOpenServer,
  type OpenServer,
} from '../support/open-server';
import { temporaryFolder } from '../support/temporary-folder';

const binary = openServerBinary();
if (!binary) console.warn(openServerMissing());

const SEGMENTS = ['a', 'b', 'ab', '+'];
const CAPABILITIES = ['create', 'read', 'update', 'delete', 'list', 'patch', 'sudo'];
const MOUNT = 'kv';

/** Patterns that overlap often, all below one mount. */
const pattern = fc
  .tuple(fc.array(fc.constantFrom(...SEGMENTS), { maxLength: 3 }), fc.constantFrom('', '*', '/', '/*'))
  .map(([segments, end]) => [MOUNT, ...segments].join('/') + end)
  .filter((path) => !path.includes('+*'));
const rule = fc
  .record({
    path: pattern,
    capabilities: fc.oneof(
      { weight: 5, arbitrary: fc.subarray(CAPABILITIES, { minLength: 1 }) },
      fc.constant(['deny']),
    ),
    more: fc.constantFrom(
      '',
      '',
      'denied_parameters = { "p" = [] }',
      'allowed_parameters = { "q" = ["x", "y*"] }',
    ),
  })
  .map(
    ({ path, capabilities, more }) =>
      `path "${path}" {\n  capabilities = ${JSON.stringify(capabilities)}\n  ${more}\n}`,
  );
const policies = fc.array(fc.array(rule, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 3 });

/**
 * Returns the paths at the borders of patterns: the paths that a pattern just matches, and similar
 * ones that it does not match.
 */
function pathsAround(texts: readonly string[]): readonly string[] {
  const patterns = texts.flatMap((text) =>
    Array.from(text.matchAll(/path "([^"]*)"/g), ([, path = '']) => path),
  );
  const around = patterns.flatMap((path) => {
    const base = path.replace(/\*$/, '').replaceAll('+', 'a').replace(/\/$/, '');
    return [base, `${base}/`, `${base}b`, `${base}/b`, base.slice(0, -1)];
  });
  return [...new Set(around)].filter((path) => path.startsWith(`${MOUNT}/`) && path !== `${MOUNT}/`);
}

(binary ? describe : describe.skip)('the decisions of a real OpenBao or Vault', () => {
  let server: OpenServer;
  let root: Api;
  let folder: string;

  beforeAll(async () => {
    folder = temporaryFolder('open-audit');
    server = await startOpenServer(binary!, 'unsafe_allow_api_audit_creation = true\n');
    root = new Api(server.address, server.rootToken);
    await root.put(`sys/mounts/${MOUNT}`, { type: 'kv', options: { version: '1' } });
  });
  afterAll(() => server?.close());

  /** Returns the rules of decision of the server's version. */
  function rulesOfServer(): AclOptions {
    return aclOptionsFor(server.version.replace(/^OpenBao v/, 'openbao-').replace(/^Vault v/, ''));
  }

  async function tokenWith(texts: readonly string[]) {
    const names = texts.map((_, index) => `policy-${index}`);
    await Promise.all(
      texts.map((policy, index) => root.put(`sys/policies/acl/${names[index]!}`, { policy })),
    );
    const created = await root.post('auth/token/create', { policies: names, no_default_policy: true });
    const { auth } = created.body as { auth: { client_token: string; accessor: string } };
    return { api: root.as(auth.client_token), token: auth.client_token, accessor: auth.accessor };
  }

  test('decisions equal those of the server for random policies, at the borders of their patterns', async () => {
    const disagreements = async (texts: readonly string[], ours: Acl) => {
      const paths = pathsAround(texts);
      const { token } = await tokenWith(texts);
      const { body } = await root.post('sys/capabilities', { token, paths });
      const theirs = (body as { data: Record<string, string[]> }).data;
      return paths.filter((path) => ours.capabilities(path).join() !== [...theirs[path]!].sort().join());
    };
    // The comparison finds a planted fault: the rules of another policy.
    const text = `path "${MOUNT}/a*" { capabilities = ["read"] }`;
    expect(
      await disagreements([text], new Acl([parseAclPolicy(text.replace('a*', 'ab*'))], rulesOfServer())),
    ).toContain(`${MOUNT}/a`);

    await fc.assert(
      fc.asyncProperty(policies, async (rules) => {
        const texts = rules.map((each) => each.join('\n'));
        const parsed = texts.map((each) => parseAclPolicy(each));
        expect(await disagreements(texts, new Acl(parsed, rulesOfServer()))).toEqual([]);
      }),
      { seed: 4711, numRuns: 40 },
    );
  });

  test('decisions equal those of the server for lists in parameters, which are compared as a whole', async () => {
    const name = fc.constantFrom('x', 'y', 'x,y', '*');
    const value = fc.oneof(name, fc.array(name, { maxLength: 2 }));
    const values = fc.array(value, { maxLength: 3 });
    const options = aclOptionsFor('2.0.0', { legacyExactMatchingOnList: true });
    const disagreements = async (
      kind: string,
      listed: readonly unknown[],
      sent: unknown,
      settings: AclOptions,
    ) => {
      const text = `path "${MOUNT}/list" {
  capabilities = ["create", "update"]
  ${kind}_parameters = { p = ${JSON.stringify(listed)} }
}`;
      const { api } = await tokenWith([text]);
      const data = { p: sent };
      const { status } = await api.post(`${MOUNT}/list`, data);
      const ours = new Acl([parseAclPolicy(text)], settings);
      const { allowed } = ours.allow({ operation: 'create', path: `${MOUNT}/list`, data });
      return allowed === status < 300 ? [] : [{ kind, listed, sent, allowed }];
    };
    // The comparison finds a planted fault: lists that are compared element by element.
    expect(await disagreements('denied', ['x'], ['x', 'y'], {})).toHaveLength(1);

    await fc.assert(
      fc.asyncProperty(fc.constantFrom('allowed', 'denied'), values, value, async (...args) => {
        expect(await disagreements(...args, options)).toEqual([]);
      }),
      { seed: 4711, numRuns: 150 },
    );
  });

  test('decisions equal those of the server for every entry of its audit log', async () => {
    const log = join(folder, 'audit.log');
    const options = { file_path: log, hmac_accessor: 'false' };
    expect((await root.put('sys/audit/file', { type: 'file', options })).status).toBe(204);
    let decided = { allowed: 0, refused: 0, unknown: 0 };
    await fc.assert(
      fc.asyncProperty(policies, async (rules) => {
        const texts = rules.map((each) => each.join('\n'));
        const { api, accessor } = await tokenWith(texts);
        for (const path of pathsAround(texts).slice(0, 10)) {
          await api.get(path);
          await api.list(path);
          await api.post(path, { q: 'x' });
          await api.post(path, { p: 'x', q: 1 });
          await api.delete(path);
        }
        const replayed = new ReplayedPolicies(
          texts.map((text, index) => ({ name: `policy-${index}`, policy: parseAclPolicy(text) })),
          rulesOfServer(),
        );
        for (const line of readFileSync(log, 'utf8').split('\n')) {
          const read = readAuditLine(line);
          if (typeof read === 'string' || read.accessor !== accessor) continue;
          const found = replayed.decide(read);
          decided = { ...decided, [found]: decided[found] + 1 };
          if (found !== 'unknown') expect({ ...read, allowed: found === 'allowed' }).toEqual(read);
        }
      }),
      { seed: 4711, numRuns: 15 },
    );
    expect(Math.min(decided.allowed, decided.refused)).toBeGreaterThan(50);
  });
});
