import { REPLICATION_PRIMARY } from '../../../model';
import { bool, string, useStateForUnknown, type attribute } from '../../../plugin';
import { resourceFields } from '../../objects';
import { MEMBER_LOCATION } from '../shared/location';
import { timeoutsAttribute } from '../shared/timeouts';

/** Seconds to wait for a cluster. */
export const TIMEOUTS = { create: 120, delete: 120 };

type Defaulted = ReturnType<typeof attribute<string, false, false, string>>;

/** The attributes of a primary. */
export const PRIMARY_ATTRIBUTES = {
  ...MEMBER_LOCATION,
  ...(resourceFields(REPLICATION_PRIMARY) as { readonly primary_cluster_addr: Defaulted }),
  deletion_protection: bool({
    optional: true,
    default: true,
    description:
      'Whether replication on this primary must not be disabled. It has to be `false`, and applied, before the ' +
      'resource can be destroyed or replaced: its secondaries then lose their primary, and their data when they join ' +
      'another one. Default: `true`.',
  }),
  cluster_id: string({
    computed: true,
    planModifiers: [useStateForUnknown()],
    description: 'Id of the replication set.',
  }),
  mode: string({
    computed: true,
    planModifiers: [useStateForUnknown()],
    description: 'What the cluster is: `primary`, unless that was changed outside of Terraform.',
  }),
  timeouts: timeoutsAttribute(TIMEOUTS),
};
