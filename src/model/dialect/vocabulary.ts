/** Pairs of a word of the interface document and the product's word. */
export type Words = readonly (readonly [neutral: string, product: string])[];

/** The vendor names of one kind of object. */
interface Vocabulary {
  /** The field that holds the backend's type, which is also a segment of the path. */
  readonly typeField: string;
  readonly types: Words;
  /** The prefixes of field names. */
  readonly fieldPrefixes: Words;
  /** The vendor names among the values of further fields, by field. */
  readonly values: Readonly<Record<string, Words>>;
}

/**
 * The kinds of objects that have vendor names; all others are the same in both dialects. Note that
 * one vendor is `gcp` among the types of keys and `google` everywhere else.
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
