/** The features of the hashicorp/vault bindings in one flavour of this package. */
export interface Flavour {
  /**
   * The arguments for secrets of snapshots that Terraform does not store, by the argument that it
   * stores.
   */
  readonly writeOnlySecrets: Readonly<Record<string, string>>;
}
