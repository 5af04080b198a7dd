import type { MANAGED_KEY_ASSUMPTIONS } from '../../../emulator/assume/managed-keys';
import { fromProduct, MANAGED_KEY, UNSUPPORTED_MANAGED_KEY_TYPE } from '../../../model';
import { type Probes, type ProbedServer } from './probe';
import { prepared, unable } from '../unseen';
import { judgeRefusal } from './judge-refusal';

/** Invented values: no key store knows the credentials, and no server listens at the endpoint. */
const INVENTED = {
  access_key: 'AKIAVERIFYVERIFY0000',
  secret_key: 'verifyVerifyVerifyVerifyVerifyVerify0000',
  endpoint: 'http://127.0.0.1:1',
  kms_key: 'alias/verify',
  key_type: 'RSA',
  key_bits: 2048,
};

/** The probes of the assumptions about managed keys. */
export const MANAGED_KEY_PROBES: Probes<keyof typeof MANAGED_KEY_ASSUMPTIONS> = {
  hsmBuilds: {
    where: 'namespace',
    see: async (site) => {
      const [, build = ''] = site.version.text.split('+');
      if (build !== 'ent') return { unseen: 'only a build without additions to its name, "+ent", can tell' };
      const answer = await site.server.post(path(site, 'pkcs11', 'verify-hsm'), {
        library: 'verify',
        slot: '0',
        pin: '1234',
        key_label: 'verify',
        mechanism: '0x0001',
        key_bits: 2048,
      });
      if (answer.status < 300) return { alternative: 'enterprise' };
      const text = answer.errors.join();
      if (text.includes(UNSUPPORTED_MANAGED_KEY_TYPE)) return { alternative: 'hsm' };
      return unable(answer) ?? { unseen: `the server answered ${answer.status} to invented settings` };
    },
  },
  managedKeyNamespaces: {
    where: 'namespace',
    see: async (site) => {
      const answer = await write(site, 'verify-namespaced');
      if (answer.status < 300) return { alternative: 'everywhere' };
      if (answer.status === 403) return { unseen: 'the token is not allowed to write managed keys' };
      if (!site.version.text.includes('+ent')) return { unseen: 'the server has no managed keys' };
      return { alternative: 'root', words: String(answer.status) };
    },
  },
  managedKeyWrites: {
    where: 'namespace',
    see: async (site) => {
      await prepared(write(site, 'verify-merged', { region: 'eu-west-1' }), NO_KEYS);
      await prepared(write(site, 'verify-merged'), NO_KEYS);
      const { data } = await prepared(site.server.get(path(site, 'awskms', 'verify-merged')), NO_KEYS);
      return { alternative: data['region'] === 'eu-west-1' ? 'merge' : 'replace' };
    },
  },
  managedKeyNames: {
    where: 'namespace',
    see: async (site) => {
      const answer = await write(site, 'Verify-Upper');
      if (answer.status >= 300) {
        return unable(answer) ?? { alternative: 'refused', words: String(answer.status) };
      }
      const { data } = await prepared(site.server.list(path(site, 'awskms')), NO_KEYS);
      const keys = Array.isArray(data['keys']) ? (data['keys'] as unknown[]) : [];
      if (keys.includes('verify-upper')) return { alternative: 'folded' };
      return {
        otherwise: keys.includes('Verify-Upper') ? 'names are kept as they are' : 'the key is not listed',
      };
    },
  },
  managedKeyNameTaken: {
    where: 'namespace',
    see: async (site) => {
      await prepared(write(site, 'verify-name-taken'), NO_KEYS);
      const answer = await site.server.post(path(site, 'azurekeyvault', 'verify-name-taken'), {
        tenant_id: '00000000-0000-0000-0000-000000000000',
        client_id: '00000000-0000-0000-0000-000000000000',
        client_secret: 'verifyVerifyVerify0000',
        vault_name: 'verify',
        key_name: 'verify',
        key_type: 'RSA',
        key_bits: 2048,
      });
      return judgeRefusal('managedKeyNameTaken', answer, {
        about: ['verify-name-taken', 'awskms'],
        names: ['verify-name-taken'],
      });
    },
  },
  managedKeyInUse: {
    where: 'namespace',
    see: async (site) => {
      const { server } = site;
      await prepared(write(site, 'verify-in-use'), NO_KEYS);
      const config = { allowed_managed_keys: ['verify-in-use'] };
      await prepared(server.post('sys/mounts/verify-user', { type: 'pki', config }), 'PKI cannot be mounted');
      const answer = await server.delete(path(site, 'awskms', 'verify-in-use'));
      return judgeRefusal('managedKeyInUse', answer, {
        about: ['verify-in-use', ['verify-user/']],
        names: ['verify-in-use'],
      });
    },
  },
  testSignFailed: {
    where: 'namespace',
    see: async (site) => {
      await prepared(write(site, 'verify-unusable'), NO_KEYS);
      const answer = await site.server.post(`${path(site, 'awskms', 'verify-unusable')}/test/sign`);
      return judgeRefusal('testSignFailed', answer, { names: ['verify-unusable'], isText: false });
    },
  },
  testSignMissing: {
    where: 'namespace',
    see: async (site) => {
      await prepared(write(site, 'verify-other'), NO_KEYS);
      const answer = await site.server.post(`${path(site, 'awskms', 'verify-not-there')}/test/sign`);
      return judgeRefusal('testSignMissing', answer, { about: ['verify-not-there'] });
    },
  },
  testSignUsages: {
    where: 'namespace',
    see: async (site) => {
      const fields = { usages: ['sign'], allow_generate_key: true, kms_key: 'alias/sign-only' };
      await prepared(write(site, 'sign-only', fields), NO_KEYS);
      const answer = await site.server.post(`${path(site, 'awskms', 'sign-only')}/test/sign`);
      if (answer.status < 300) return { alternative: 'sign' };
      if (answer.errors.some(namesUsageVerify)) return { alternative: 'both' };
      return { unseen: 'only a key in a real key store can tell' };
    },
  },
};

const NO_KEYS = 'managed keys cannot be written';

function write(site: ProbedServer, name: string, fields: object = {}) {
  return site.server.post(path(site, 'awskms', name), { ...INVENTED, ...fields });
}

function path({ dialect }: ProbedServer, type: string, name = ''): string {
  const typePath = `${MANAGED_KEY.path}/${fromProduct(dialect, MANAGED_KEY.name).type(type)}`;
  return name === '' ? typePath : `${typePath}/${name}`;
}

function namesUsageVerify(text: string): boolean {
  const usages = text.indexOf('usages');
  return usages >= 0 && text.includes('verify', usages);
}
