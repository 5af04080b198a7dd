/** The facts about a step that failed. */
export interface FailedStep {
  /** Whether the user has stopped Terraform, so that the apply ends before the next step. */
  readonly stopped: boolean;
  /** Whether this was the last permitted attempt at the step. */
  readonly isLastTry: boolean;
  /** Whether a wait timed out, rather than a single call. */
  readonly isDeadline: boolean;
  /** Whether the step is still to be taken. It is not if the failure came after its effect. */
  readonly isNext: boolean;
  /**
   * Whether another attempt may help: the server was changing its mode, or the connection broke.
   */
  readonly mayPass: boolean;
  /** Whether one secondary refused a call that other secondaries may accept. */
  readonly isOfSecondary: boolean;
  /** Whether the primary that has stepped down for the step can become the primary again. */
  readonly hasWayBack: boolean;
}

/**
 * The ways to continue. `again`: read the clusters again, and decide the next step anew; it may be
 * the same one. `postpone`: take the steps of the other secondaries first. `turn back`: make the
 * old primary the primary again. `fail`: end the apply with an error.
 */
export type AfterFailure = 'again' | 'postpone' | 'turn back' | 'fail';

/** The first row that fits a failed step decides how the apply continues. */
const ROWS: readonly (readonly [Partial<FailedStep>, AfterFailure])[] = [
  [{ stopped: true }, 'again'],
  [{ isLastTry: false, isDeadline: false, isNext: false }, 'again'],
  [{ isLastTry: false, isDeadline: false, mayPass: true }, 'again'],
  [{ isOfSecondary: true }, 'postpone'],
  [{ hasWayBack: true }, 'turn back'],
  [{}, 'fail'],
];

/** Returns how an apply continues after a step that failed. */
export function afterFailure(step: FailedStep): AfterFailure {
  const fits = (row: Partial<FailedStep>) =>
    Object.entries(row).every(([fact, value]) => step[fact as keyof FailedStep] === value);
  return ROWS.find(([row]) => fits(row))![1];
}
