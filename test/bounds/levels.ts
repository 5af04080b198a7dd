/**
 * By reason, the functions whose rows need no nested input: the input cannot be nested, or other
 * code has refused deep nesting before.
 */
export const WITHOUT_LEVELS: Readonly<Record<string, readonly string[]>> = {
  'reads characters one after the other, and calls itself for none': [
    ...['mayBeFilledAs', 'matchesGlob', 'escapeExpression', 'excessOf', 'nearestOf', 'visible'],
    ...['visibleLines', 'literalForTerraform', 'trimmed', 'parseDuration', 'parseImportId', 'parseRate'],
    ...['compileWildcardPath', 'templateParts', 'withValues', 'normalizeNamespace', 'namespacePathProblem'],
    ...['encodePath', 'redirectTarget', 'standardProxyFor', 'readTarget', 'readMfaCredentials'],
    ...['decodeIndexes', 'parseCidr', 'parseIntText', 'decimalInt', 'parseInstant', 'fromHuffman'],
    ...['HeaderDecoder.decode', 'linesOf', 'readBody', 'contentWithin', 'snapshotNames', 'PathSet.has'],
    ...['lockProvider', 'tokenFromFile', 'readPgpKey'],
  ],
  'examines what parseAclPolicy accepted, whose rules have no levels': [
    ...['diffPolicySets', 'sensitiveChanges', 'permittedBy', 'deadRules', 'shadowedDenies', 'lintTogether'],
    ...[
      'findPermitted',
      'explainRequest',
      'renderAclPolicy',
      'writePolicyFor',
      'upgradeImpacts',
      'permittedText',
    ],
  ],
  'walks through what parse accepted, which refuses more than 249 levels': [
    ...['evaluate', 'faultsOf', 'namesReadIn', 'newerFeatures', 'staticFaults'],
  ],
  'takes what readCall accepted, which refuses more than 299 levels': [
    ...['decodeFields', 'readFault', 'readWrappedContent', 'egpGoverns', 'cidrsContain'],
  ],
  'takes what readAnswer accepted, which refuses more than 999 levels': [
    ...['problemOfAnswer', 'decodeReplicationStatus', 'sameFilterPaths'],
  ],
  'reads what the owner of the emulator stored': ['readSnapshot', 'readJournal'],
  'reads files of a folder, each by another function': ['aclFilesIn'],
  'parses a line by a function of V8 that does not call itself, and looks at its members': ['announcementIn'],
};
