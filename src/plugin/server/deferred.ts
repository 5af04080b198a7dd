import type { DeferralReason } from '../author/context';
import { Deferred_Reason, type Deferred } from '../wire/generated/tfplugin6';

const REASONS: Record<DeferralReason, Deferred_Reason> = {
  resource_config_unknown: Deferred_Reason.RESOURCE_CONFIG_UNKNOWN,
  provider_config_unknown: Deferred_Reason.PROVIDER_CONFIG_UNKNOWN,
  absent_prereq: Deferred_Reason.ABSENT_PREREQ,
};

/** A deferral as Terraform takes it. */
export function deferredMessage(reason: DeferralReason): Deferred {
  return { reason: REASONS[reason] };
}
