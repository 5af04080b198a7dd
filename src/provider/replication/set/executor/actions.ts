import type { Step } from '../planner';
import { admit, forget, redirect, setFilter } from './admission';
import { demote, promote } from './promotion';
import { primaryFields, type Surroundings } from './settings';

/**
 * Takes a step, and waits until the cluster has the mode that the step leads to.
 *
 * @throws DiagnosticError where a call fails, VaultError where the wait does.
 */
export async function takeStep(step: Step, surroundings: Surroundings): Promise<void> {
  const { fleet, settings } = surroundings;
  const { cluster } = step;
  const member = fleet.member(cluster);
  const { modeChange } = settings.limits;
  switch (step.kind) {
    case 'enable_primary': {
      await member.call('make a primary of', (replication) =>
        replication.enablePrimary(primaryFields(settings, cluster)),
      );
      await member.waitForMode('primary', modeChange);
      return;
    }
    case 'demote':
      return demote(step, surroundings);
    case 'promote':
      return promote(step, surroundings);
    case 'join':
    case 'follow':
      return admit(step, surroundings);
    case 'redirect':
      return redirect(step, surroundings);
    case 'set_filter':
      return setFilter(fleet, cluster, step);
    case 'leave':
      await member.call('disable replication on secondary', (replication) => replication.disableSecondary());
      await member.waitForMode('disabled', modeChange);
      return;
    case 'forget':
      return forget(step, surroundings);
    case 'disable_primary':
      await member.call('disable replication on primary', (replication) => replication.disablePrimary());
      await member.waitForMode('disabled', modeChange);
      return;
  }
}
