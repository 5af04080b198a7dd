import type { Resource } from '../../plugin';
import type { Clusters } from '../clusters';
import { lockOutGuardOf } from './guard';

/** A resource whose plans are looked at together with those of all others: an EGP must not refuse Terraform itself. */
export function watched(resource: Resource<Clusters>): Resource<Clusters> {
  return {
    ...resource,
    async modifyPlan(request, context) {
      const plan = (await resource.modifyPlan?.(request, context)) ?? request.plan;
      const { config, state } = request;
      await lockOutGuardOf(context.provider).plan(resource.name, { plan, config, state }, context);
      return plan;
    },
  };
}
