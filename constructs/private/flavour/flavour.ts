/** What the bindings of hashicorp/vault can do in one flavour of this package. */
export interface Flavour {
  /** Secrets of snapshots that need not be stored: by the argument that is stored, the one that is not. */
  readonly writeOnlySecrets: Readonly<Record<string, string>>;
}
