import { phrase, type CureAction } from '../../../../model/messages';

export const PLAN_AGAIN: CureAction = { kind: 'plan' };
export const APPLY_AGAIN: CureAction = { kind: 'apply' };

/** The advice of a message without a cure of its own. */
export const FIX_AND_GO_ON = phrase`fix the cause and ${APPLY_AGAIN}, which continues from here.`;
