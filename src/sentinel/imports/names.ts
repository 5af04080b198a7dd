/** The standard imports. */
export const STANDARD_IMPORT_NAMES = [
  'base64',
  'collection',
  'collection/lists',
  'collection/maps',
  'decimal',
  'http',
  'json',
  'runtime',
  'sockaddr',
  'strings',
  'time',
  'types',
  'units',
  'version',
] as const;
