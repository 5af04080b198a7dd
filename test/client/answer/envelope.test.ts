import { connect, envelope } from '../support/client';
import { serve, type Reply } from '../support/server';

async function answerTo(reply: Reply) {
  return connect(await serve(reply)).write('x', {});
}

const ID = '0c3f4a7e-2f1b-49c8-8b7d-11d90b1d7a10';

test('an answer without a body, or with warnings only, has no data', async () => {
  expect(await answerTo({ status: 204 })).toEqual({ status: 204, requestId: '', data: {}, warnings: [] });
  expect(await answerTo({ status: 200 })).toEqual({ status: 200, requestId: '', data: {}, warnings: [] });
  expect(await answerTo({ json: envelope(null, { warnings: ['w'] }) })).toEqual({
    status: 200,
    requestId: ID,
    data: {},
    warnings: ['w'],
  });
});

test('an answer to a login has its token in auth', async () => {
  const auth = {
    client_token: 'hvs.new',
    accessor: 'acc',
    lease_duration: 3600,
    renewable: true,
    policies: ['default', 'ops'],
    token_policies: ['default', 'ops'],
    metadata: { role_name: 'r' },
    entity_id: '',
  };
  expect((await answerTo({ json: envelope(null, { auth }) })).auth).toEqual({
    token: 'hvs.new',
    accessor: 'acc',
    ttl: 3600,
    renewable: true,
    policies: ['default', 'ops'],
    metadata: { role_name: 'r' },
  });
  expect(
    (await answerTo({ json: envelope(null, { auth: { client_token: 't', metadata: null } }) })).auth,
  ).toEqual({
    token: 't',
    accessor: '',
    ttl: 0,
    renewable: false,
    policies: [],
    metadata: {},
  });
});

test('a wrapped answer has its token in wrapInfo', async () => {
  const wrap_info = {
    token: 'hvs.wrapping',
    accessor: 'acc',
    ttl: 1800,
    creation_time: '2026-05-01T09:10:11.123456789Z',
    creation_path: 'auth/approle/login',
  };
  const wrapInfo = {
    token: 'hvs.wrapping',
    accessor: 'acc',
    ttl: 1800,
    creationTime: '2026-05-01T09:10:11.123456789Z',
    creationPath: 'auth/approle/login',
  };
  expect(await answerTo({ json: envelope(null, { request_id: '', wrap_info }) })).toEqual({
    status: 200,
    requestId: '',
    data: {},
    warnings: [],
    wrapInfo,
  });
  const inner = { ...wrap_info, wrapped_accessor: 'inner' };
  expect((await answerTo({ json: envelope(null, { wrap_info: inner }) })).wrapInfo).toEqual({
    ...wrapInfo,
    wrappedAccessor: 'inner',
  });
});

test('the payload of an answer without an envelope is its data', async () => {
  const state = { initialized: true, sealed: false, version: '1.17.0+ent' };
  expect((await answerTo({ json: state })).data).toEqual(state);
});
