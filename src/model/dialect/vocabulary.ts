/** Pairs of the interface document's word and the product's. */
export type Words = readonly (readonly [neutral: string, product: string])[];

/** Where an object of a kind has vendor names. */
interface Vocabulary {
  /** Field, also a segment of the path, that holds the backend's type. */
  readonly typeField: string;
  readonly types: Words;
  /** Prefixes of field names. */
  readonly fieldPrefixes: Words;
  /** Further vendor names among the values, by field. */
  readonly values: Readonly<Record<string, Words>>;
}

/**
 * The kinds of objects that have vendor names; all others read the same in both dialects. Note that one vendor is
 * `gcp` among the types of keys and `google` everywhere else.
 */
export const VOCABULARIES: Readonly<Record<string, Vocabulary>> = {
  managed_key: {
    typeField: 'type',
    types: [
      ['provAkms', 'awskms'],
      ['provBkeyvault', 'azurekeyvault'],
      ['provCckms', 'gcpckms'],
    ],
    fieldPrefixes: [],
    values: { environment: [['PROVBPUBLICCLOUD', 'AZUREPUBLICCLOUD']] },
  },
  auto_snapshot: {
    typeField: 'storage_type',
    types: [
      ['provA-s3', 'aws-s3'],
      ['provB-blob', 'azure-blob'],
      ['provC-gcs', 'google-gcs'],
    ],
    fieldPrefixes: [
      ['provA_', 'aws_'],
      ['provB_', 'azure_'],
      ['provC_', 'google_'],
    ],
    values: {},
  },
};
