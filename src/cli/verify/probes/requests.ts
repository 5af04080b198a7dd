import type { REQUEST_ASSUMPTIONS } from '../../../emulator/assume/requests';
import { isRecord } from '../../../text';
import { inTotal, judged, refusedInNamespace, refusedInRoot } from './model-refusals';
import { judgeSince, type Probes } from './probe';
import { prepared, unable } from '../unseen';
import { judgeRefusal } from './judge-refusal';

/** The probes of the assumptions about requests, mounts and namespaces. */
export const REQUEST_PROBES: Probes<keyof typeof REQUEST_ASSUMPTIONS> = {
  namespaceWithChildren: {
    where: 'namespace',
    see: async ({ server }) => {
      const parent = server.below('verify-parent');
      await prepared(server.post('sys/namespaces/verify-parent'), 'namespaces cannot be created');
      await prepared(parent.post('sys/namespaces/verify-child'), 'namespaces cannot be created');
      const answer = await server.delete('sys/namespaces/verify-parent');
      return judgeRefusal('namespaceWithChildren', answer, {
        about: [`${parent.namespace}/`],
        names: ['verify-parent'],
      });
    },
  },
  nestedNamespaceNames: {
    where: 'namespace',
    see: async ({ server }) => {
      const name = 'verify-missing/verify-child';
      const answer = await server.post(`sys/namespaces/${name}`);
      return judgeRefusal('nestedNamespaceNames', answer, { about: [name], names: ['verify-missing'] });
    },
  },
  untidyPaths: {
    where: 'nowhere',
    see: async ({ server }) => {
      const { status } = await server.get('sys//policies/acl');
      if (status === 301 || status === 307) return { alternative: String(status) as '301' | '307' };
      if (status === 302 || status === 308) return { otherwise: String(status), measured: { status } };
      return { otherwise: `no redirect: ${status}` };
    },
  },
  wrappingTokenMissing: {
    where: 'nowhere',
    see: async ({ server }) =>
      judgeRefusal('wrappingTokenMissing', await server.as('').post('sys/wrapping/lookup'), {
        names: ['missing "token" value in input'],
        mayBeAnyStatus: true,
      }),
  },
  modelRefusals: {
    where: 'namespace',
    see: async ({ server, set, dialect }) => {
      const inNamespace = await judged(server, refusedInNamespace(dialect));
      if (set === undefined) return inTotal(inNamespace);
      await set.primary();
      return inTotal([...inNamespace, ...(await judged(await set.use(set.first), refusedInRoot(dialect)))]);
    },
  },
  mountType: {
    where: 'nowhere',
    see: async ({ server, version }) => {
      const answer = await server.get('sys/policies/acl/default');
      return unable(answer) ?? judgeSince('mountType', version, 'mount_type' in answer.body);
    },
  },
  invalidTokenText: {
    where: 'nowhere',
    see: async ({ server, version }) => {
      const answer = await server.as('hvs.verify').get('sys/policies/acl/default');
      if (answer.status !== 403) return { otherwise: `a bad token is answered with ${answer.status}` };
      return judgeSince('invalidTokenText', version, answer.errors.join().includes('invalid token'));
    },
  },
  jsonErrorText: {
    where: 'nowhere',
    see: async ({ server }) => {
      const path = 'sys/policies/acl/verify-json';
      const answer = await server.post(path, '{');
      // If the server accepts the request, the policy now exists.
      if (answer.status < 300) await server.withoutSignal().delete(path);
      return judgeRefusal('jsonErrorText', answer, {
        names: ['failed to parse JSON input: '],
        isText: false,
      });
    },
  },
  aliasMetadata: {
    where: 'namespace',
    see: async ({ server, version }) => {
      await prepared(server.post('sys/auth/verify-roles', { type: 'approle' }), 'AppRole cannot be enabled');
      const role = 'auth/verify-roles/role/verify';
      await prepared(server.post(role, { alias_metadata: { verify: 'yes' } }), 'roles cannot be written');
      const { data } = await prepared(server.get(role), 'roles cannot be read');
      return judgeSince('aliasMetadata', version, 'alias_metadata' in data);
    },
  },
  pluginVersions: {
    where: 'namespace',
    see: async ({ server, version }) => {
      await prepared(server.post('sys/mounts/verify-plugins', { type: 'kv' }), 'KV cannot be mounted');
      const { data } = await prepared(server.get('sys/mounts'), 'mounts cannot be listed');
      const mount = data['verify-plugins/'];
      const running = isRecord(mount) ? mount['running_plugin_version'] : undefined;
      if (typeof running !== 'string') return { otherwise: 'mounts have no running_plugin_version' };
      if (running === `v${version.number.join('.')}+builtin.vault`) return { alternative: 'server' };
      if (/^v[\d.]+\+builtin$/.test(running)) return { alternative: 'own', words: running };
      return { otherwise: running };
    },
  },
  mountStatus: {
    where: 'namespace',
    see: async ({ server }) => {
      await prepared(server.post('sys/mounts/verify-taken', { type: 'kv' }), 'KV cannot be mounted');
      return judgeRefusal('mountStatus', await server.post('sys/mounts/verify-taken', { type: 'kv' }), {
        names: ['verify-taken'],
        isText: false,
      });
    },
  },
};
