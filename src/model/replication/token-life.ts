import type { ReplicationCallName } from './calls';

/** What a primary knows of the activation token of one secondary's id. */
export const TOKEN_STATES = ['none', 'issued', 'connected', 'revoked'] as const;
export type TokenState = (typeof TOKEN_STATES)[number];

/** One step in the life of an activation token. Interface section 3. */
export interface TokenStep {
  readonly from: readonly TokenState[];
  readonly trigger: ReplicationCallName;
  readonly to: TokenState;
  readonly effects: readonly string[];
}

/** The life of an activation token. Interface section 3. */
export const TOKEN_LIFE: readonly TokenStep[] = [
  {
    from: ['none', 'revoked'],
    trigger: 'secondaryToken',
    to: 'issued',
    effects: [
      'The token has a TTL, counted from its creation, and can be used once.',
      'From now on, the primary knows the secondary by its id, even if the token is never used.',
    ],
  },
  {
    from: ['issued'],
    trigger: 'enableSecondary',
    to: 'connected',
    effects: ['The token is used up, even if the secondary fails after unwrapping it.'],
  },
  {
    from: ['issued'],
    trigger: 'updatePrimary',
    to: 'connected',
    effects: ['The token is used up.'],
  },
  {
    from: ['issued', 'connected'],
    trigger: 'revokeSecondary',
    to: 'revoked',
    effects: [
      'The secondary is disconnected immediately, and cannot connect again without a new activation token.',
    ],
  },
];
