import type { PlanContext } from '../../../plugin';
import type { Clusters } from '../../clusters';

type Context = Pick<PlanContext<Clusters>, 'privateState'>;

const EXISTS = 'exists';

/** Notes in the private state that an object exists. */
export function noteExistence({ privateState }: Context): void {
  privateState.set(EXISTS, true);
}

/** Whether Terraform replaces an object, if a plan has no prior state: the object exists. */
export function isReplaced({ privateState }: Context): boolean {
  return privateState.get(EXISTS) === true;
}
