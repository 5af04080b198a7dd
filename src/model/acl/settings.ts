/** Settings of a server that change how it decides by ACL policies. */
export interface AclServerSettings {
  /**
   * Compare lists in parameters as a whole, as servers before 1.21 do: the environment variable
   * `VAULT_LEGACY_EXACT_MATCHING_ON_LIST` of the server is set.
   *
   * @default false
   */
  readonly legacyExactMatchingOnList?: boolean | undefined;

  /**
   * Compare lists in parameters element by element, as servers from 1.21 on do: the environment
   * variable `VAULT_NEW_PER_ELEMENT_MATCHING_ON_LIST` of a server of 1.16, 1.19 or 1.20 is set.
   *
   * @default false
   */
  readonly newPerElementMatchingOnList?: boolean | undefined;

  /**
   * Ignore a rule if a value of its templates has a slash: `deny_slash_in_templated_paths` of the
   * configuration of Vault.
   *
   * @default false
   */
  readonly denySlashInTemplatedPaths?: boolean | undefined;

  /**
   * Fill in values with `*` and `+`: `allow_wildcards_in_identity_templates` of a policy of
   * OpenBao, which ignores the rule otherwise.
   *
   * @default false
   */
  readonly allowWildcardsInIdentityTemplates?: boolean | undefined;

  /**
   * Fill in values with a slash: `allow_slashes_in_identity_templates` of a policy of OpenBao,
   * which ignores the rule otherwise.
   *
   * @default false
   */
  readonly allowSlashesInIdentityTemplates?: boolean | undefined;
}

/**
 * The values of `group_policy_application_mode` of `sys/config/group-policy-application`, the
 * default first: whether the policies of a group apply to tokens of its own namespace and of those
 * around it, or to all.
 */
export const GROUP_POLICY_MODES = ['within_namespace_hierarchy', 'any'] as const;

type SettingKey = keyof AclServerSettings;

/** The settings by their names on the command line and in files of tests. */
export const ACL_SERVER_SETTINGS: ReadonlyMap<string, SettingKey> = new Map(
  (
    [
      'legacyExactMatchingOnList',
      'newPerElementMatchingOnList',
      'denySlashInTemplatedPaths',
      'allowWildcardsInIdentityTemplates',
      'allowSlashesInIdentityTemplates',
    ] as const
  ).map((key): [string, SettingKey] => [key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), key]),
);
