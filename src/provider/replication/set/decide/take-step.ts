import type { Step } from '../planner';
import { admit, forget, redirect, setFilter } from './admission';
import { demote, promote } from './promotion';
import { ask, type Procedure } from './requests';
import { primaryFields, type StepContext } from './settings';
import { withdrawFor } from './switchover-note';

/**
 * Takes a step, and waits until the cluster has the mode to which the step leads.
 *
 * @throws DiagnosticError if a call fails, VaultError if the wait fails.
 */
export function* takeStep(step: Step, context: StepContext): Procedure<void> {
  const { settings } = context;
  const { cluster } = step;
  const timeout = settings.limits.modeChange;
  switch (step.kind) {
    case 'enable_primary':
      yield* ask({ kind: 'enable_primary', cluster, fields: primaryFields(settings, cluster) });
      return yield* ask({ kind: 'wait_for_mode', cluster, mode: 'primary', timeout });
    case 'demote':
      return yield* demote(step, context);
    case 'promote':
      return yield* promote(step, context);
    case 'join':
    case 'follow':
      return yield* admit(step, context);
    case 'redirect':
      return yield* redirect(step, context);
    case 'set_filter':
      return yield* setFilter(cluster, step);
    case 'leave':
      yield* withdrawFor(cluster, context);
      yield* ask({ kind: 'disable_secondary', cluster });
      return yield* ask({ kind: 'wait_for_mode', cluster, mode: 'disabled', timeout });
    case 'forget':
      return yield* forget(step);
    case 'disable_primary':
      yield* ask({ kind: 'disable_primary', cluster });
      return yield* ask({ kind: 'wait_for_mode', cluster, mode: 'disabled', timeout });
  }
}
