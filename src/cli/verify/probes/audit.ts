import type { AUDIT_ASSUMPTIONS } from '../../../emulator/assume/audit';
import type { Probes } from './probe';
import { judgeRefusal } from './judge-refusal';

/** A path that no server can write to, because its folder is a device. */
const NO_FOLDER = '/dev/null/verify-audit.log';

/** The probes of the assumptions about audit devices. */
export const AUDIT_PROBES: Probes<keyof typeof AUDIT_ASSUMPTIONS> = {
  auditUnwritable: {
    where: 'root',
    see: async ({ server }) => {
      const fields = { type: 'file', options: { file_path: NO_FOLDER } };
      try {
        const answer = await server.post('sys/audit/verify-audit', fields);
        return judgeRefusal('auditUnwritable', answer, { names: [NO_FOLDER], isText: false });
      } finally {
        await server.withoutSignal().delete('sys/audit/verify-audit');
      }
    },
  },
};
