import type { SNAPSHOT_ASSUMPTIONS } from '../../../emulator/assume/snapshots';
import { AUTO_SNAPSHOT, fromProduct, SNAPSHOT_LOAD_SINCE, SNAPSHOT_STATUS_PATH } from '../../../model';
import type { AnswerFields } from '../wire';
import { type Probes, type ProbedServer } from './probe';
import { prepared } from '../unseen';
import { judgeRefusal } from './judge-refusal';

/** The interval of the configurations, in seconds. */
const INTERVAL = 5;
/** The maximum time for an attempt that is due, in milliseconds. */
const PATIENCE = 30_000;
const PAUSE = 1_000;

/** Invented values. */
const S3 = {
  storage_type: 'aws-s3',
  path_prefix: 'verify',
  aws_s3_bucket: 'vault-admin-verify',
  aws_s3_region: 'us-east-1',
  aws_access_key_id: 'AKIAVERIFYVERIFY0000',
  aws_secret_access_key: 'verifyVerifyVerifyVerifyVerifyVerify0000',
};
const AZURE = {
  storage_type: 'azure-blob',
  path_prefix: 'verify-folder',
  file_prefix: 'verify-file',
  azure_container_name: 'verify',
  azure_account_name: 'verify',
  azure_account_key: Buffer.from('verifyVerifyVerify').toString('base64'),
};
/** The space is too small for any snapshot, so none is written. */
const LOCAL = { storage_type: 'local', path_prefix: '/tmp', file_prefix: 'verify', local_max_space: 1 };

const NO_CLOUD = 'only a snapshot in a real cloud can tell';

/** The probes of the assumptions about automated snapshots. */
export const SNAPSHOT_PROBES: Probes<keyof typeof SNAPSHOT_ASSUMPTIONS> = {
  snapshotPathPrefix: {
    where: 'root',
    see: (site) =>
      withSnapshots(site, AZURE, (status) => {
        const url = urlOf(status);
        if (url.includes('verify-folder/verify-file')) return { alternative: 'folder' };
        if (url.includes('verify-folderverify-file')) return { alternative: 'text' };
        return { unseen: NO_CLOUD };
      }),
  },
  snapshotAutoload: {
    where: 'root',
    see: async (site) => {
      const fields = { ...S3, autoload_enabled: true };
      return withConfig(site, 'verify-first', fields, async () => {
        const { data } = await site.server.get(`${AUTO_SNAPSHOT.path}/verify-first`);
        if (data['autoload_enabled'] !== true) return { unseen: 'this version has no autoload_enabled' };
        const path = `${AUTO_SNAPSHOT.path}/verify-second`;
        try {
          return judgeRefusal('snapshotAutoload', await site.server.post(path, worded(site, fields)), {
            about: ['verify-first'],
          });
        } finally {
          await site.server.withoutSignal().delete(path);
        }
      });
    },
  },
  loadedSnapshots: {
    where: 'root',
    see: async ({ server }) => {
      const answer = await server.get(
        'cubbyhole/verify?read_snapshot_id=00000000-0000-0000-0000-000000000000',
      );
      // A server that does not support loaded snapshots ignores the query, and reads its present
      // data.
      if (answer.status === 404)
        return { unseen: `only version ${SNAPSHOT_LOAD_SINCE} or a later one can tell` };
      return judgeRefusal('loadedSnapshots', answer, { isText: false });
    },
  },
  snapshotRecoverSource: { unseen: 'only a loaded snapshot of the cluster can tell' },
  snapshotUrls: {
    where: 'root',
    see: (site) =>
      withSnapshots(site, S3, (status) => {
        const url = urlOf(status);
        if (url.startsWith('s3://')) return { alternative: 'scheme' };
        return url.startsWith('https://') ? { alternative: 'https' } : { unseen: NO_CLOUD };
      }),
  },
  snapshotSpace: {
    where: 'root',
    see: (site) =>
      withSnapshots(site, LOCAL, ({ last_snapshot_error: text }) => {
        if (typeof text !== 'string' || text === '') return { otherwise: 'the attempt has no error' };
        if (text === 'insufficient space') return { alternative: 'curt' };
        return /space/.test(text) && /\d/.test(text)
          ? { alternative: 'figures', words: text }
          : { otherwise: text, measured: { text } };
      }),
  },
};

/**
 * Creates a configuration, waits for its first attempt, judges its status, and deletes the
 * configuration.
 */
async function withSnapshots<Result>(
  site: ProbedServer,
  fields: AnswerFields,
  judge: (status: AnswerFields) => Result,
): Promise<Result> {
  return withConfig(site, 'verify-attempts', fields, async () => {
    const status = () => site.server.get(`${SNAPSHOT_STATUS_PATH}/verify-attempts`);
    const ends = site.now() + INTERVAL * 1000 + PATIENCE;
    while (!('last_snapshot_end' in (await status()).data) && site.now() < ends) await site.wait(PAUSE);
    return judge((await prepared(status(), 'the status cannot be read')).data);
  });
}

async function withConfig<Result>(
  site: ProbedServer,
  name: string,
  fields: AnswerFields,
  use: () => Promise<Result>,
): Promise<Result> {
  const path = `${AUTO_SNAPSHOT.path}/${name}`;
  try {
    await prepared(site.server.post(path, worded(site, fields)), 'snapshots cannot be configured');
    return await use();
  } finally {
    await site.server.withoutSignal().delete(path);
  }
}

function worded({ dialect }: ProbedServer, fields: AnswerFields): AnswerFields {
  return { interval: INTERVAL, retain: 1, ...fromProduct(dialect, AUTO_SNAPSHOT.name).fields(fields) };
}

function urlOf({ last_snapshot_url: last, snapshot_url: latest }: AnswerFields): string {
  const url = last === '' || last === undefined ? latest : last;
  return typeof url === 'string' ? url : '';
}
