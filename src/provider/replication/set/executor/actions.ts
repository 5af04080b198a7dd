import type { Step } from '../planner';
import { admit } from './admission';
import { demote, promote } from './promotion';
import { writeFilter } from './filters';
import { primaryFields } from './settings';
import type { Surroundings } from './settings';

/**
 * Takes a step, and waits until the cluster is what it is to be.
 *
 * @throws DiagnosticError where a call fails, VaultError where the wait does.
 */
export async function takeStep(step: Step, surroundings: Surroundings): Promise<void> {
  const { fleet, settings } = surroundings;
  const { cluster } = step;
  const { modeChange } = settings.limits;
  switch (step.kind) {
    case 'enable_primary': {
      await fleet.call('make a primary of', cluster, (replication) =>
        replication.enablePrimary(primaryFields(settings, cluster)),
      );
      await fleet.waitForMode(cluster, 'primary', modeChange);
      return;
    }
    case 'demote':
      return demote(step, surroundings);
    case 'promote':
      return promote(step, surroundings);
    case 'join':
    case 'follow':
      return admit(step, surroundings);
    case 'set_filter':
      return writeFilter(fleet, cluster, step);
    case 'leave':
      await fleet.call('disable replication on secondary', cluster, (replication) =>
        replication.disableSecondary(),
      );
      await fleet.waitForMode(cluster, 'disabled', modeChange);
      return;
    case 'forget':
      await fleet.call(`revoke secondary ${JSON.stringify(step.id)} of`, cluster, (replication) =>
        replication.revokeSecondary(step.id),
      );
      return writeFilter(fleet, cluster, { id: step.id, filter: null });
    case 'disable_primary':
      await fleet.call('disable replication on primary', cluster, (replication) =>
        replication.disablePrimary(),
      );
      await fleet.waitForMode(cluster, 'disabled', modeChange);
      return;
  }
}
