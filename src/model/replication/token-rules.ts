import { stringSet } from '../definition/coerce';
import { durationRule, fieldsRule } from '../definition/rules';
import { DEFAULT_TOKEN_TTL } from './fields';
import { field, phrase, literal } from '../messages';

/** The rule that a TTL is not 0, because such a token would expire at once. */
export const TTL_POSITIVE = durationRule('ttl', {
  allowed: 'a number of seconds, or a duration such as "30m" or "24h", of at least one second',
  cure: `write for example ${JSON.stringify(DEFAULT_TOKEN_TTL)}, or remove it`,
});

/**
 * The rule that a call does not have both a token and addresses. An empty token counts as a token:
 * with it, the secondary forgets its primary.
 */
export const TOKEN_OR_ADDRESSES = fieldsRule(
  ['update_primary_addrs', 'token'],
  'token-or-update-primary-addrs',
  ({ token, update_primary_addrs: addresses }) =>
    typeof token === 'string' && stringSet(addresses)?.length
      ? {
          problem: phrase`conflicts with ${field('token')}`,
          received: literal(addresses),
          allowed: phrase`one of ${field('token')} and ${field('update_primary_addrs')}`,
          cure: 'remove one of them: use addresses if those of the primary have changed, or a token for a different primary',
        }
      : undefined,
);
