import { useEmulator } from '../support/emulator';

const use = useEmulator();
const control = (path: string) => `/emulator/v1/${path}`;

afterEach(() => use().emulator.faults.clear());

describe('invalid fields in calls of the control API', () => {
  test.each<[what: string, path: string, body: string, reason: string]>([
    [
      'a method that does not exist',
      'faults',
      '{"method":"FETCH","status":500}',
      'method: "FETCH" is unknown; allowed are GET, HEAD, LIST,',
    ],
    ['an empty method', 'faults', '{"method":"","status":500}', 'method: "" is unknown'],
    [
      'a method of a wrong type',
      'faults',
      '{"method":["GET"],"status":500}',
      'method: ["GET"] is not valid; allowed is a string',
    ],
    [
      'a status as text',
      'faults',
      '{"status":"500"}',
      'status: "500" is not valid; allowed is a whole number',
    ],
    ['a status with a fraction', 'faults', '{"status":500.5}', 'status: 500.5 is not valid'],
    ['null', 'faults', '{"status":null}', 'status: null is not valid'],
    [
      'errors that are not a list',
      'faults',
      '{"status":500,"errors":"a"}',
      'errors: "a" is not valid; allowed is a list of strings',
    ],
    ['errors that are not texts', 'faults', '{"status":500,"errors":[1]}', 'errors: [1] is not valid'],
    [
      'a boolean as text',
      'faults',
      '{"sealed":"true"}',
      'sealed: "true" is not valid; allowed is true or false',
    ],
    ['a count of zero', 'faults', '{"status":500,"count":0}', 'count: 0 is not valid'],
    [
      'a latency that is longer than a timer can wait',
      'faults',
      '{"latency_ms":2147483648}',
      'latency_ms: 2147483648 is not valid',
    ],
    [
      'an unknown field',
      'faults',
      '{"status":500,"paths":"a"}',
      'unknown field "paths": allowed are method, path,',
    ],
    ['a name that is inherited', 'faults', '{"status":500,"constructor":1}', 'unknown field "constructor"'],
    ['__proto__', 'faults', '{"status":500,"__proto__":{"count":1}}', 'unknown field "__proto__"'],
    ['a field of a call without fields', 'seal', '{"now":true}', 'unknown field "now": allowed are none'],
    [
      'a field of another call',
      'clock/advance',
      '{"by":1,"from":"us"}',
      'unknown field "from": allowed are by',
    ],
    ['a body that is a list', 'faults', '[]', 'the body is not a JSON object'],
    ['an unknown parameter', 'seal?force=1', '{}', 'unknown parameter "force": allowed are cluster'],
    [
      'a parameter for the cluster that is there twice',
      'seal?cluster=default&cluster=other',
      '{}',
      'parameter "cluster" is there more than once',
    ],
    [
      'an inherited name as the cluster',
      'seal?cluster=constructor',
      '{}',
      'cluster: "constructor" is unknown',
    ],
    [
      'a step of the clock that is too large',
      'clock/advance',
      '{"by":1e300}',
      'by: multiplication of durations',
    ],
    [
      'a step of the clock that lasts centuries',
      'clock/advance',
      '{"by":"100000h"}',
      'by: "100000h" is too long',
    ],
    ['an unknown assumption', 'assumptions', '{"constructor":"a"}', 'assumption "constructor" is unknown'],
    [
      'an inherited alternative',
      'assumptions',
      '{"interruption":"toString"}',
      'assumption "interruption" has no alternative',
    ],
    [
      'a field of a key as a number',
      'key-stores/pkcs11/keys',
      '{"slot":0,"key_label":"a"}',
      'slot: 0 is not valid; allowed is a string',
    ],
    ['a node of an unknown kind', 'replication/node', '{"kind":"toString"}', 'node "toString" is unknown'],
  ])('a call with %s is answered with 400 and the allowed values', async (_what, path, body, reason) => {
    const { api, emulator } = use();
    const answer = await api.post(control(path), body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors[0]).toContain(reason);
    expect(emulator.faults.list()).toEqual([]);
  });
});

test('the log of requests refuses unknown methods, and an unknown fault cannot be cleared', async () => {
  const { api } = use();
  expect((await api.get(control('requests?method=FETCH'))).status).toBe(400);
  expect((await api.get(control('requests?method=get'))).status).toBe(200);
  expect((await api.delete(control('faults/7000'))).status).toBe(404);
  expect((await api.delete(control('faults/constructor'))).status).toBe(404);
});

test('lower-case methods are accepted', async () => {
  const { api } = use();
  expect((await api.post(control('faults'), { method: 'list', status: 502, count: 1 })).status).toBe(200);
  expect((await api.list('sys/policies/acl')).status).toBe(502);
});
