import { MessageError, report } from '../messages';
import { AUTO_SNAPSHOT, parseDuration, snapshotHealth, tryParseDuration } from '../../model';
import { definitions, string, type Action, type DiagnosticError } from '../../plugin';
import type { Clusters } from '../clusters';
import { ACTION_LOCATION, nothingToRead, onCluster, reportFindings } from '../objects';
import { pause } from '../pause';
import { snapshotIn, statusOf } from './auto-snapshot-status';

const DEFAULT_TIMEOUT = '10m';
/** Milliseconds between two reads of the status. */
const PAUSE = 2_000;

/**
 * The action that waits for a successful snapshot, such as the first one of a new configuration.
 */
export const WAIT_HEALTHY_ACTION: Action<Clusters> = definitions<Clusters>().action({
  name: `${AUTO_SNAPSHOT.name}_wait_healthy`,
  schema: {
    description:
      'Waits until the last snapshot of a configuration has succeeded and none is overdue. Use it after you create or correct the ' +
      'configuration.',
    attributes: {
      ...ACTION_LOCATION,
      name: string({ required: true, description: 'Name of the configuration.' }),
      timeout: string({
        optional: true,
        description: `How long to wait: seconds, or a duration such as \`30m\`. Default: \`${DEFAULT_TIMEOUT}\`.`,
      }),
    },
  },

  validate({ config: { name, timeout } }, { diagnostics }) {
    reportFindings(AUTO_SNAPSHOT, { name }, diagnostics);
    if (typeof timeout !== 'string' || tryParseDuration(timeout) !== undefined) return;
    report(diagnostics, 'error', {
      path: ['timeout'],
      summary: 'timeout is not a duration',
      received: JSON.stringify(timeout),
      allowed: 'seconds, or a duration such as "30m"',
      cures: 'correct it',
    });
  },

  async invoke({ config }, context) {
    const { timeout } = config;
    const snapshot = snapshotIn(config, context);
    const { subject } = snapshot;
    const stored = await snapshot.read();
    if (!stored) throw nothingToRead(subject);

    const deadline = Date.now() + parseDuration(timeout ?? DEFAULT_TIMEOUT) * 1000;
    for (let shown = ''; ; await pause(PAUSE, context.signal)) {
      const { status, now } = await statusOf(snapshot, context);
      if (!status) throw nothingToRead(subject);
      const { state, reasons } = snapshotHealth(status, stored.interval, now);
      const text = state === 'ok' ? 'the last snapshot succeeded' : reasons.join('; ') || state;
      if (text !== shown) context.progress(`${onCluster(subject)}: ${text}`);
      shown = text;
      if (state === 'ok') return;
      if (Date.now() >= deadline) throw notHealthy(onCluster(subject), timeout ?? DEFAULT_TIMEOUT, reasons);
    }
  },
});

function notHealthy(object: string, timeout: string, reasons: readonly string[]): DiagnosticError {
  return new MessageError({
    summary: `${object} was not healthy within ${timeout}`,
    details: reasons.join('\n'),
    cures: 'correct the configuration or its storage, or set a longer timeout',
  });
}
