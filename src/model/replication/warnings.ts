const BRIEFLY = 'Vault will be unavailable for a brief period and will resume service shortly.';

/** What the server says when a cluster changes its mode, in its own words. */
export const REPLICATION_WARNINGS = {
  primaryEnabled: `This cluster is being enabled as a primary for replication. ${BRIEFLY}`,
  demoted: `This cluster is being demoted to a replication secondary. ${BRIEFLY}`,
  promoted: `This cluster is being promoted to a replication primary. ${BRIEFLY}`,
  disabled: `This cluster is having replication disabled. ${BRIEFLY}`,
  secondaryEnabled:
    'Vault has successfully found secondary information; it may take a while to perform setup tasks. ' +
    'Vault will be unavailable until these tasks and initial sync complete.',
} as const;
