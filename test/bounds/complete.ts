/**
 * Lists the functions without a row of their own: another function's row measures them, or their
 * work is bounded for another reason.
 */

/** By function with a row, the functions that this row measures too. */
export const WITHIN: Readonly<Record<string, readonly string[]>> = {
  parseAclPolicy: [
    ...[
      'parseAclSource',
      'parsedPolicy',
      'parsePathBlock',
      'decodeArguments',
      'decodeControlGroup',
      'readDuration',
    ],
    ...['decodeBlock', 'decodeText', 'decodeInteger', 'decodeTexts', 'decodeList', 'decodeMap', 'decodeAny'],
    ...['parsePolicies', 'readSources'],
  ],
  limitedSet: ['readAuthorizationDetails', 'limitedByFlags'],
  lintAclPolicy: ['faultOfJson'],
  diffPolicySets: ['readPatternText', 'matchesPattern'],
  formatAcl: ['formatPolicies'],
  isOfOtherTool: ['isTextOfOtherTool'],
  parse: ['scan', 'scanQuoted', 'scanRaw', 'compilePolicy', 'readSentinelPolicy'],
  readTestConfiguration: ['parseJsonBody', 'jsonRoot', 'readPolicyConfiguration'],
  parseIntText: ['parseInteger', 'parseFloatText'],
  decodeFields: ['decodeField', 'parseBoolean', 'readAcl', 'readSettings', 'readSetting'],
  readCall: ['readToken', 'readVersion'],
  decodeReplicationStatus: [
    ...['decodeAutoSnapshot', 'decodeLoadedSnapshot', 'decodeSnapshotStatus', 'decodeManagedKey'],
    ...['decodeAuditDevice', 'parseKeyUsage'],
  ],
  'Redactor.hide': ['readingsOf', 'withoutSecretsIn'],
  visible: ['visibleIn', 'pageState'],
  headersProblem: ['headersOf'],
  announcementIn: ['takeoverNoteIn', 'promotionNoteIn'],
  providerInstallationOf: ['hiddenProvider', 'isInMirror'],
  lockProvider: ['placeProvider'],
  stacksIn: ['checkStacks'],
  parseForeignJson: ['Wire', 'checkedClaims'],
  parseJson: [
    ...['ControlApi', 'startGenerateRoot', 'updateGenerateRoot', 'initialize', 'responseEntry', 'loginName'],
    ...[
      'wrappingClaims',
      'unwrapActivation',
      'WrappingJwt',
      'JSON_IMPORT',
      'evaluatePolicy',
      'evaluatePolicies',
      'loadImports',
    ],
  ],
  isNestedDeeper: ['Call', 'renewEphemeralResource', 'closeEphemeralResource'],
  parseExactJson: [
    ...['readForm', 'moveResourceState', 'upgradeResourceState', 'upgradeResourceIdentity', 'valueCodec'],
  ],
};

/** By reason, the functions whose work is bounded without a row. */
export const BOUNDED_OTHERWISE: Readonly<Record<string, readonly string[]>> = {
  'reads the bytes of a file up to a size, and does not look at them': [
    ...['readPlainFile', 'readFileInPlace', 'readToEnd', 'readBytes', 'readTextFile', 'readStandardInput'],
    ...['readText', 'readSentinelFile', 'readPolicyFile', 'readCertificates', 'readAnyFile', 'policiesAt'],
    ...['readNamed', 'useOneOff'],
    ...['policyTexts', 'runPolicyTests', 'watchPolicyTests', 'placePackage', 'LocalTarget', 'GOOGLE_GCS'],
  ],
  'asks servers or sources, whose answers and texts other rows measure': [
    ...['readAnnouncement', 'readLimitedSet', 'readPolicies', 'readSet', 'readTexts'],
    ...[
      'readStatuses',
      'readSets',
      'readEstate',
      'readCluster',
      'namespacesBelow',
      'listResource',
      'invokeAction',
    ],
  ],
  "reads files of the package, or that its user's own commands wrote": [
    ...['readPackage', 'readSeed', 'readReport', 'readEarlierFormat', 'readRole', 'applySeed', 'lockFolder'],
    ...['AnswerFile', 'providerPackage', 'packageHash', 'packageFor', 'specifierFor', 'pageFile', 'plotFile'],
  ],
  'decrypts and checks by functions of Node.js': ['readEncryptedToken', 'readPrivateKey', 'seal', 'unseal'],
  'takes no foreign text': [
    ...['readsParameters', 'matching', 'readGreeting', 'pageActions', 'providerSchemaJson', 'sendRequest'],
  ],
};
