import {
  PRIMARY_CONTACT_FIELDS,
  PRIMARY_TIMEOUTS,
  REPLICATION_CALLS,
  REPLICATION_SECONDARY,
  SECONDARY_TIMEOUTS,
  type ReplicationMode,
} from '../../../model';
import { bool, string, useStateForUnknown, type attribute } from '../../../plugin';
import { fieldAttributes, timeoutsBlock } from '../../fields';
import { resourceFields } from '../../objects';
import { MEMBER_LOCATION } from './location';

const { token: TOKEN } = REPLICATION_SECONDARY.fields;
const { update_primary_addrs } = REPLICATION_CALLS.updatePrimary.fields;

/** The attributes of a secret: see `secretAttributes`. */
interface TokenAttributes {
  readonly token: ReturnType<typeof attribute<string>>;
  readonly token_wo: ReturnType<typeof attribute<string, false, false, undefined, true>>;
  readonly token_wo_version: ReturnType<typeof attribute<number>>;
}

export const PRIMARY_ATTRIBUTES = {
  ...memberAttributes('primary'),
  ...fieldAttributes(REPLICATION_CALLS.enablePrimary.fields),
  deletion_protection: bool({
    optional: true,
    default: true,
    description:
      'Whether Terraform refuses to disable replication on this primary. Set it to `false` and apply before the ' +
      'resource is destroyed or replaced: its secondaries then lose their primary, and their data when they join ' +
      'another one. Default: `true`.',
  }),
};
export const PRIMARY_BLOCKS = { timeouts: timeoutsBlock(PRIMARY_TIMEOUTS) };

export const SECONDARY_ATTRIBUTES = {
  ...memberAttributes('secondary'),
  ...tokenAttributes(),
  ...fieldAttributes({ ...PRIMARY_CONTACT_FIELDS, update_primary_addrs }),
  confirm_data_loss: string({
    optional: true,
    description:
      "Repeat the cluster's name to confirm that everything it holds may be erased. Required to join if the cluster " +
      'holds anything: secrets engines, auth methods, policies or namespaces. It is used up when the cluster joins: a ' +
      'cluster that left the set outside of Terraform joins again only after it was removed, applied and set again.',
  }),
  secondary_id: string({
    computed: true,
    planModifiers: [useStateForUnknown()],
    description: 'The id that the activation token was issued for. Empty after a demotion.',
  }),
};
export const SECONDARY_BLOCKS = { timeouts: timeoutsBlock(SECONDARY_TIMEOUTS) };

/** The attributes of a secret, with their types. */
function tokenAttributes(): TokenAttributes {
  const { token, token_wo, token_wo_version } = resourceFields({ fields: { token: TOKEN! } });
  return {
    token: token as TokenAttributes['token'],
    token_wo: token_wo as TokenAttributes['token_wo'],
    token_wo_version: token_wo_version as TokenAttributes['token_wo_version'],
  };
}

/** The attributes of a cluster in any mode. */
function memberAttributes(mode: ReplicationMode) {
  return {
    ...MEMBER_LOCATION,
    cluster_id: string({
      computed: true,
      planModifiers: [useStateForUnknown()],
      description: 'The id of the replication set.',
    }),
    mode: string({
      computed: true,
      planModifiers: [useStateForUnknown()],
      description: `The mode of the cluster: \`${mode}\`, unless that was changed outside of Terraform.`,
    }),
  };
}
