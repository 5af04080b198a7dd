import { newLatch } from '../../support/latch';
import { until as waitUntil } from '../../support/until';
import { useNewEmulators } from '../support/emulator';

const use = useNewEmulators();
const control = '/emulator/v1';
const path = 'sys/policies/acl/default';

describe('an injected fault', () => {
  it('a fault with a status answers the given number of requests with it', async () => {
    const { api, emulator } = use();
    emulator.faults.inject({
      method: 'GET',
      path,
      status: 429,
      errors: ['too many'],
      retryAfter: 2,
      count: 2,
    });
    for (const answer of [await api.get(path), await api.get(path)]) {
      expect([answer.status, answer.body, answer.headers['retry-after']]).toEqual([
        429,
        { errors: ['too many'] },
        '2',
      ]);
    }
    expect((await api.get(path)).status).toBe(200);
    expect(emulator.faults.list()).toEqual([]);
  });

  it('a fault does not affect other methods, other paths and skipped requests', async () => {
    const { api, emulator } = use();
    emulator.faults.inject({ method: 'put', path: 'sys/policies/*/x', status: 500, skip: 1, count: 1 });
    const put = async (name: string) =>
      (await api.put(`sys/policies/acl/${name}`, { policy: 'path "a" {}' })).status;
    expect((await api.get('sys/policies/acl/x')).status).toBe(404);
    expect([await put('y'), await put('x'), await put('x'), await put('x')]).toEqual([204, 204, 500, 204]);
  });

  it('a fault for the method LIST affects lists', async () => {
    const { api, emulator } = use();
    emulator.faults.inject({ method: 'LIST', status: 502 });
    expect((await api.list('sys/policies/acl')).status).toBe(502);
    expect((await api.get('sys/policies/acl/default')).status).toBe(200);
  });

  it('a fault can make a cluster respond as sealed', async () => {
    const { api, emulator } = use();
    const id = emulator.faults.inject({ sealed: true });
    const answer = await api.get(path);
    expect([answer.status, answer.body]).toEqual([503, { errors: ['Vault is sealed'] }]);
    emulator.faults.clear(id);
    expect((await api.get(path)).status).toBe(200);
  });

  it('a fault can close the connection before the request is handled', async () => {
    const { api, emulator } = use();
    emulator.faults.inject({ method: 'PUT', drop: 'before', count: 1 });
    await expect(api.put('sys/policies/acl/dropped', { policy: 'path "a" {}' })).rejects.toThrow(
      'socket hang up',
    );
    expect((await api.get('sys/policies/acl/dropped')).status).toBe(404);
  });

  it('a fault can close the connection after the request was handled', async () => {
    const { api, emulator } = use();
    emulator.faults.inject({ method: 'PUT', drop: 'after', count: 1 });
    await expect(api.put('sys/policies/acl/kept', { policy: 'path "a" {}' })).rejects.toThrow(
      'socket hang up',
    );
    expect((await api.get('sys/policies/acl/kept')).status).toBe(200);
    expect(emulator.requests.list({ path: 'sys/policies/acl/kept' }).map(({ status }) => status)).toEqual([
      0, 200,
    ]);
  });

  it('a fault can delay answers, alone and together with other effects', async () => {
    const { api, emulator } = use();
    emulator.faults.inject({ latencyMs: 60 });
    emulator.faults.inject({ status: 500, count: 1 });
    const start = performance.now();
    expect((await api.get(path)).status).toBe(500);
    expect((await api.get(path)).status).toBe(200);
    expect(performance.now() - start).toBeGreaterThanOrEqual(118);
  });

  it('a fault can hold requests up until a promise resolves, alone and together with other effects', async () => {
    const { api, emulator } = use();
    const latch = newLatch();
    emulator.faults.inject({ method: 'GET', path, until: latch.opened, status: 500, count: 1 });
    const held = api.get(path);
    await waitUntil(() => emulator.faults.list().length === 0);
    expect((await api.get(path)).status).toBe(200);
    expect(emulator.requests.list({ path }).map(({ status }) => status)).toEqual([200]);
    latch.open();
    expect((await held).status).toBe(500);
  });
});

describe('the control API', () => {
  it('every call requires the root token', async () => {
    const { api } = use();
    const { auth } = (await api.post('auth/token/create', { policies: ['root'] })).body;
    for (const token of [undefined, 'bad', auth.client_token as string]) {
      const answer = await api.as(token).get(`${control}/faults`);
      expect([answer.status, answer.body]).toEqual([403, { errors: ['the root token is required'] }]);
    }
  });

  it('faults are injected, listed and cleared', async () => {
    const { api } = use();
    const fault = { method: 'GET', path: 'sys/*', count: 3, status: 503, retry_after: 1, errors: ['down'] };
    const { id } = (await api.post(`${control}/faults`, fault)).body;
    expect((await api.get(path)).status).toBe(503);
    expect((await api.get(`${control}/faults`)).body).toEqual({ faults: [{ id, hits: 1, ...fault }] });
    expect((await api.delete(`${control}/faults/${id}`)).status).toBe(204);
    expect((await api.get(path)).status).toBe(200);
    await api.post(`${control}/faults`, { sealed: true });
    await api.post(`${control}/faults`, { latency_ms: 1 });
    expect((await api.delete(`${control}/faults`)).status).toBe(204);
    expect((await api.get(`${control}/faults`)).body).toEqual({ faults: [] });
  });

  it.each([
    [
      { color: 'red' },
      'unknown field "color": allowed are method, path, skip, count, latency_ms, status, errors, retry_after, drop, crash, sealed',
    ],
    [{ path: 'x' }, 'a fault requires an effect: at least one of latency_ms, status, drop, crash, sealed'],
    [{ drop: 'later' }, 'drop: "later" is unknown; allowed are before, after'],
    [{ status: 100 }, 'status: 100 is not a final HTTP status; allowed are 200 to 599'],
    [{ status: 500, count: -1 }, 'count: -1 is negative'],
  ])('the fault %j is refused', async (fault, text) => {
    const answer = await use().api.post(`${control}/faults`, fault);
    expect([answer.status, answer.body]).toEqual([400, { errors: [text] }]);
  });

  it('bodies that are not JSON objects, and unknown paths, are refused', async () => {
    const { api } = use();
    expect((await api.post(`${control}/faults`, '{')).body).toEqual({
      errors: ['the body is not valid JSON'],
    });
    expect((await api.post(`${control}/faults`, '[]')).body).toEqual({
      errors: ['the body is not a JSON object'],
    });
    expect((await api.get(`${control}/nothing`)).status).toBe(404);
    expect((await api.delete(`${control}/clock/x`)).status).toBe(404);
  });

  it('the clock can be moved', async () => {
    const { api, emulator } = use();
    const frozen = (await api.post(`${control}/clock/freeze`)).body;
    expect(frozen.frozen).toBe(true);
    const token = (await api.post('auth/token/create', { policies: ['default'], ttl: '1h' })).body.auth
      .client_token as string;
    const advanced = (await api.post(`${control}/clock/advance`, { by: '90m' })).body;
    expect(Date.parse(advanced.now as string) - Date.parse(frozen.now as string)).toBe(5_400_000);
    expect((await api.as(token).get('auth/token/lookup-self')).status).toBe(403);
    expect((await api.post(`${control}/clock/resume`)).body.frozen).toBe(false);
    expect((await api.get(`${control}/clock`)).body.frozen).toBe(false);
    expect(emulator.clock.frozen).toBe(false);
    expect((await api.post(`${control}/clock/advance`, { by: '-1h' })).body).toEqual({
      errors: ['by: "-1h" is negative; the clock only moves forward'],
    });
    expect((await api.post(`${control}/clock/advance`, {})).body).toEqual({
      errors: ['by: missing; allowed are seconds, or a duration such as "1h30m"'],
    });
    expect((await api.post(`${control}/clock/advance`, { by: 'soon' })).body).toEqual({
      errors: ['by: time: invalid duration "soon"'],
    });
  });

  it('requests are counted without tokens, queries and bodies', async () => {
    const { api, emulator } = use();
    await api.get(`${path}?canary=query-canary`);
    await api.get(path, { namespace: 'root' });
    await api.list('sys/policies/acl');
    await api.as('token-canary').get('sys/mounts');
    await api.put('sys/policies/acl/x', { policy: 'path "body-canary" {}' });
    const { body, text } = await api.get(`${control}/requests`);
    expect(body.total).toBe(5);
    expect(body.counts).toEqual({
      [`GET ${path}`]: 2,
      'LIST sys/policies/acl': 1,
      'GET sys/mounts': 1,
      'PUT sys/policies/acl/x': 1,
    });
    expect(body.requests[1]).toEqual({
      time: expect.any(Number),
      duration: expect.any(Number),
      cluster: 'default',
      method: 'GET',
      path,
      namespace: 'root',
      status: 200,
    });
    expect(text).not.toContain('canary');
    expect((await api.get(`${control}/requests?method=list&path=sys/*`)).body.total).toBe(1);
    expect(emulator.requests.counts({ method: 'PUT' })).toEqual({ 'PUT sys/policies/acl/x': 1 });
    expect((await api.delete(`${control}/requests`)).status).toBe(204);
    expect(emulator.requests.list()).toEqual([]);
  });
});
