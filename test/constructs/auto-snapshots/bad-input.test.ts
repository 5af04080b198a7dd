import { Lazy, TerraformStack, TerraformVariable } from 'cdktf';
import {
  AclPolicy,
  AutoSnapshot,
  AzureAuthMode,
  Duration,
  Size,
  SnapshotStorage,
  VaultCluster,
  ResourceProvider,
  VaultSecret,
  type AutoSnapshotProps,
} from '../../../constructs';
import { failure, type Build } from '../support/bad-input';
import { synthesizeApp, warnings } from '../support/synthesize';

const LOCAL = SnapshotStorage.local({ maxSpace: Size.bytes(1000) });
const CANARY = 'canary-secret';
const ACCOUNT_KEY = VaultSecret.fromVariable('account_key');

const snapshot =
  (props: Partial<AutoSnapshotProps>): Build =>
  (stack, cluster) =>
    new AutoSnapshot(stack, 'S', {
      cluster,
      snapshotName: 's',
      interval: Duration.hours(1),
      pathPrefix: 'snapshots/',
      storage: LOCAL,
      ...props,
    });
const local = (bytes: number) =>
  snapshot({ storage: SnapshotStorage.local({ maxSpace: Size.bytes(bytes) }) });
const s3 = (props: object) =>
  snapshot({ storage: SnapshotStorage.s3({ bucket: 'b', region: 'r', ...props }) });
const azure = (props: object, pathPrefix = 'snapshots/') =>
  snapshot({ pathPrefix, storage: SnapshotStorage.azureBlob({ container: 'c', ...props }) });
const gcs = (props: object, pathPrefix = 'snapshots/') =>
  snapshot({ pathPrefix, storage: SnapshotStorage.gcs({ bucket: 'b', ...props }) });

const inPlainText = (field: string): string =>
  `[stack/S] automated snapshot "s": ${field} is in plain text, and would be in the code, in the stack's files and ` +
  "in plans; allowed: a reference that Terraform resolves; write VaultSecret.fromVariable('name') and set TF_VAR_name, " +
  'or leave it out and set it in the environment of the server';

/**
 * By description, an invalid configuration, its error and a similar valid configuration. There is
 * one case for each kind of property, since the tests of the model cover all conditions.
 */
const KNOWN_AT_ONCE: Record<string, [bad: Build, message: string, good: Build]> = {
  'a name that fits no path': [
    snapshot({ snapshotName: 'nightly/us' }),
    '[stack/S] automated snapshot "nightly/us": snapshotName is not valid as part of a path; received "nightly/us"',
    snapshot({ snapshotName: 'nightly-us.1' }),
  ],
  'no time between snapshots': [
    snapshot({ interval: Duration.hours(0) }),
    '[stack/S] automated snapshot "s": interval must be at least one second; received "0h"; ' +
      'allowed: whole seconds, at least one: 3600, "90m" or "24h"; set it to the time between two snapshots',
    snapshot({ interval: Duration.seconds(1) }),
  ],
  'a file prefix with a slash': [
    snapshot({ filePrefix: 'us/nightly' }),
    '[stack/S] automated snapshot "s": filePrefix must not contain a slash; received "us/nightly"; ' +
      'allowed: the beginning of a file name within pathPrefix; write "nightly", and the rest in pathPrefix',
    snapshot({ filePrefix: 'us-nightly' }),
  ],
  'no space': [
    local(0),
    '[stack/S] automated snapshot "s": maxSpace must be positive; received 0; ' +
      'allowed: the maximum number of bytes that all snapshots may take; ' +
      'set it to the number of bytes that all snapshots may take',
    local(1),
  ],
  'no bucket of S3': [
    s3({ bucket: '' }),
    '[stack/S] automated snapshot "s": bucket must not be empty',
    s3({}),
  ],
  'a path prefix for Azure without a slash at its end': [
    azure({ authMode: AzureAuthMode.ENVIRONMENT }, 'snapshots'),
    '[stack/S] automated snapshot "s": pathPrefix must end with a slash for this storage type; ' +
      'received "snapshots"; write "snapshots/"',
    azure({ authMode: AzureAuthMode.ENVIRONMENT }, 'snapshots/'),
  ],
  'an unknown mode of Azure': [
    azure({ authMode: 'guess' as AzureAuthMode }),
    '[stack/S] automated snapshot "s": authMode must be one of the allowed values; received "guess"; ' +
      'allowed: "shared", "managed", "environment"',
    azure({ authMode: AzureAuthMode.ENVIRONMENT }),
  ],
  'the secret key itself': [
    s3({ accessKeyId: 'AKIA', secretAccessKey: CANARY }),
    inPlainText('secretAccessKey'),
    s3({ accessKeyId: 'AKIA', secretAccessKey: VaultSecret.fromVariable('key') }),
  ],
  'the session token itself': [
    s3({ accessKeyId: 'AKIA', secretAccessKey: VaultSecret.fromVariable('key'), sessionToken: CANARY }),
    inPlainText('sessionToken'),
    s3({ accessKeyId: 'AKIA', secretAccessKey: VaultSecret.fromVariable('key') }),
  ],
};

/** Further cases, for vaultadmin only: hashicorp/vault would store these secrets in the state. */
const WITH_STORED_SECRETS: typeof KNOWN_AT_ONCE = {
  'no account key with the authentication mode shared': [
    azure({ authMode: AzureAuthMode.SHARED }),
    '[stack/S] automated snapshot "s": accountKey is required when authMode is shared',
    azure({ authMode: AzureAuthMode.SHARED, accountKey: ACCOUNT_KEY }),
  ],
  'the account key itself': [
    azure({ accountKey: CANARY }),
    inPlainText('accountKey'),
    azure({ accountKey: ACCOUNT_KEY }),
  ],
  'the service account key itself': [
    gcs({ serviceAccountKey: `{"private_key": "${CANARY}"}` }),
    inPlainText('serviceAccountKey'),
    gcs({ serviceAccountKey: VaultSecret.fromVariable('account') }),
  ],
};

describe.each([ResourceProvider.UPSTREAM, ResourceProvider.VAULTADMIN])(
  'an AutoSnapshot with resources of %s',
  (resources) => {
    const cases = {
      ...KNOWN_AT_ONCE,
      ...(resources === ResourceProvider.VAULTADMIN && WITH_STORED_SECRETS),
    };
    test.each(Object.entries(cases))('%s causes an error', (_what, [bad, message, good]) => {
      const error = failure(resources, bad);
      expect(error.slice(0, message.length)).toBe(message);
      expect(error).not.toContain(CANARY);
      synthesizeApp((app) => {
        const stack = new TerraformStack(app, 'stack');
        good(stack, new VaultCluster(stack, 'Cluster', { resourceProvider: resources }));
      });
    });

    test('two constructs that write the same configuration are an error of the synthesis', () => {
      const build: Build = (stack, cluster) => {
        for (const id of ['S', 'T']) {
          const interval = Duration.hours(1);
          new AutoSnapshot(stack, id, {
            cluster,
            snapshotName: 's',
            interval,
            pathPrefix: '/opt',
            storage: LOCAL,
          });
        }
      };
      expect(failure(resources, build)).toBe(
        '[stack/T] automated snapshot "s" on cluster "default" is written by [stack/S] already; ' +
          'give one of the two another snapshotName, or refer to the other one with fromAutoSnapshotAttributes',
      );
    });

    test('a secret that is a token of a plain text is an error of the synthesis', () => {
      const secretAccessKey = Lazy.stringValue({ produce: () => CANARY });
      const error = failure(resources, s3({ accessKeyId: 'AKIA', secretAccessKey }));
      expect(error).toContain('automated snapshot "s": secretAccessKey is in plain text');
      expect(error).not.toContain(CANARY);
    });

    test('a secret of another stack is an error of the synthesis', () => {
      const build = () =>
        synthesizeApp((app) => {
          const cluster = new VaultCluster(app, 'Cluster', { resourceProvider: resources });
          const variable = new TerraformVariable(new TerraformStack(app, 'one'), 'key', { sensitive: true });
          s3({ accessKeyId: 'AKIA', secretAccessKey: variable.stringValue })(
            new TerraformStack(app, 'two'),
            cluster,
          );
        });
      expect(build).toThrow(
        '[two/S/Resource] automated snapshot "s": secretAccessKey refers to another stack, whose state would hold ' +
          "it in plain text; allowed: a reference within the stack; write VaultSecret.fromVariable('aws_secret_access_key'), " +
          'which every stack takes from a variable of its own',
      );
    });

    test('a secret that is the default of a variable is an error of the synthesis', () => {
      const build: Build = (stack, cluster) => {
        const key = new TerraformVariable(stack, 'backup_key', { type: 'string', default: CANARY });
        return s3({ accessKeyId: 'AKIA', secretAccessKey: key.stringValue })(stack, cluster);
      };
      expect(failure(resources, build)).toBe(
        '[stack/S/Resource] automated snapshot "s": secretAccessKey comes from the variable backup_key, whose ' +
          'default is in plain text in the code; remove the default and set TF_VAR_backup_key',
      );
    });

    test('an access key ID without its secret access key is a warning', () => {
      const found = warnings((stack) =>
        s3({ accessKeyId: 'AKIA' })(stack, new VaultCluster(stack, 'C', { resourceProvider: resources })),
      );
      expect(found).toEqual([
        'stack/S: automated snapshot "s": accessKeyId requires the other credentials: ' +
          'secretAccessKey is missing; allowed: access key and secret key, or neither for ' +
          'the default AWS credentials of the server; set secretAccessKey, or remove accessKeyId',
      ]);
    });
  },
);

test.each(Object.values(ResourceProvider))(
  'with %s, a secret from a variable that is not ephemeral is a warning, because saved plans contain it',
  (resources) => {
    const found = warnings((stack) => {
      const key = new TerraformVariable(stack, 'backup_key', { type: 'string', sensitive: true });
      const storage = { accessKeyId: 'AKIA', secretAccessKey: key.stringValue };
      s3(storage)(stack, new VaultCluster(stack, 'Cluster', { resourceProvider: resources }));
    });
    expect(found).toEqual([
      'stack/S/Resource: automated snapshot "s": secretAccessKey comes from the variable backup_key, whose value ' +
        "is in plain text in saved plans; write VaultSecret.fromVariable('backup_key') without declaring it, or make it " +
        'ephemeral',
    ]);
  },
);

test('a grant in a namespace that the policy does not reach is an error', () => {
  const build: Build = (stack, cluster) => {
    const policy = new AclPolicy(stack, 'P', { cluster, policyName: 'p', namespace: 'team' });
    (snapshot({})(stack, cluster) as AutoSnapshot).grantRead(policy);
  };
  expect(failure(ResourceProvider.UPSTREAM, build)).toBe(
    '[stack/P] a policy in namespace "team" cannot permit anything in namespace ""; ' +
      'allowed: its own namespace and its child namespaces; create the policy in the namespace of the object, or in a parent',
  );
});
