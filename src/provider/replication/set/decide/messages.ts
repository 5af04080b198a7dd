import { phrase, type Action } from '../../../../model/messages';

export const PLAN_AGAIN: Action = { kind: 'plan' };
export const APPLY_AGAIN: Action = { kind: 'apply' };

/** The advice of a message without a cure of its own. */
export const FIX_AND_GO_ON = phrase`fix the cause and ${APPLY_AGAIN}, which continues from here.`;
