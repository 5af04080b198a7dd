import { render } from '../../../src/model/messages';
import {
  resolveConfiguration,
  type ClusterSettings,
  type Configuration,
} from '../../../src/provider/configuration';
import { isKnown, UNKNOWN, type Diagnostic } from '../../../src/plugin';

type Clusters = Record<string, Record<string, unknown>> | null | typeof UNKNOWN;

/** Resolves a configuration whose clusters have the given attributes, and null for all others. */
function resolve(clusters: Clusters, env: Record<string, string> = {}) {
  const list: Diagnostic[] = [];
  const settings = resolveConfiguration({ clusters } as Configuration, env, (message) => {
    list.push({ severity: 'error', ...render(message), path: [] });
  });
  const resolved = settings as readonly ClusterSettings[];
  // `settingNames` is left out here, because the tables of mistakes test it.
  const withoutNames = isKnown(settings) && resolved.map(({ settingNames: _, ...others }) => others);
  return { settings: withoutNames || resolved, list };
}

/** Returns the settings of the only cluster, without those that have no source. */
function onlyCluster(clusters: Clusters, env: Record<string, string> = {}) {
  const { settings, list } = resolve(clusters, env);
  expect(list).toEqual([]);
  expect(settings).toHaveLength(1);
  return JSON.parse(JSON.stringify(settings[0])) as unknown;
}

describe('settings of clusters', () => {
  test('a configuration without clusters has one named default, from the usual variables', () => {
    const env = {
      VAULT_ADDR: 'https://vault.example:8200',
      VAULT_TOKEN: 's.usual',
      VAULT_NAMESPACE: 'admin',
      VAULT_CACERT: '/ca.pem',
      VAULT_CLIENT_CERT: '/cert.pem',
      VAULT_CLIENT_KEY: '/key.pem',
      VAULT_SKIP_VERIFY: 'true',
      VAULT_TLS_SERVER_NAME: 'vault.internal',
      VAULT_CLIENT_TIMEOUT: '90s',
      VAULT_MAX_RETRIES: '5',
    };
    expect(onlyCluster(null, env)).toEqual({
      name: 'default',
      unknown: [],
      usualTokenFile: true,
      options: {
        address: 'https://vault.example:8200',
        token: 's.usual',
        namespace: 'admin',
        timeout: 90,
        maxRetries: 5,
        tls: {
          caCertFile: '/ca.pem',
          clientCertFile: '/cert.pem',
          clientKeyFile: '/key.pem',
          skipVerify: true,
          serverName: 'vault.internal',
        },
      },
    });
  });

  test('every attribute of a cluster becomes a setting', () => {
    const us = {
      address: 'https://us.example:8200',
      token: 's.us',
      namespace: 'admin/',
      ca_cert_file: '/ca.pem',
      ca_cert_dir: '/ca',
      skip_tls_verify: false,
      tls_server_name: 'us.internal',
      client_auth: { cert_file: '/cert.pem', key_file: '/key.pem' },
      timeout: '2m',
      max_retries: 0,
      dialect: 'neutral',
      auth_login: null,
    };
    expect(onlyCluster({ us })).toEqual({
      name: 'us',
      unknown: [],
      usualTokenFile: true,
      options: {
        address: 'https://us.example:8200',
        token: 's.us',
        namespace: 'admin/',
        timeout: 120,
        maxRetries: 0,
        dialect: 'neutral',
        tls: {
          caCertFile: '/ca.pem',
          caCertDir: '/ca',
          clientCertFile: '/cert.pem',
          clientKeyFile: '/key.pem',
          skipVerify: false,
          serverName: 'us.internal',
        },
      },
    });
  });

  test('the variables of a single cluster come before the usual ones, and the configuration before both', () => {
    const env = {
      VAULTADMIN_US_EAST_1_ADDR: 'https://own.example',
      VAULTADMIN_US_EAST_1_NAMESPACE: 'own',
      VAULT_ADDR: 'https://usual.example',
      VAULT_NAMESPACE: 'usual',
      VAULT_TOKEN: 's.usual',
    };
    expect(onlyCluster({ 'us-east_1': { namespace: 'configured' } }, env)).toEqual({
      name: 'us-east_1',
      unknown: [],
      usualTokenFile: true,
      options: { address: 'https://own.example', namespace: 'configured', token: 's.usual' },
    });
  });

  test('each of several clusters is configured by its own variables alone', () => {
    const env = {
      VAULTADMIN_US_ADDR: 'https://us.example',
      VAULTADMIN_EU_TOKEN: 's.eu',
      VAULT_ADDR: 'https://usual.example',
      VAULT_TOKEN: 's.usual',
    };
    const { settings, list } = resolve({ us: {}, eu: {} }, env);
    expect(list).toEqual([]);
    expect(JSON.parse(JSON.stringify(settings))).toEqual([
      { name: 'us', unknown: [], usualTokenFile: false, options: { address: 'https://us.example' } },
      { name: 'eu', unknown: [], usualTokenFile: false, options: { token: 's.eu' } },
    ]);
  });

  test('messages about the address of a cluster without one say that the variable is not set', () => {
    const resolved = resolveConfiguration({ clusters: null }, {}, () => {});
    const [only] = resolved as readonly ClusterSettings[];
    expect(only!.settingNames!.address).toBe('VAULT_ADDR, not set');
  });

  test('a cluster with usual_environment uses the usual variables, and variables of its own must not differ from them', () => {
    const usual = { VAULT_ADDR: 'https://usual.example', VAULT_TOKEN: 's.usual', VAULT_NAMESPACE: 'admin' };
    const us = { usual_environment: true };
    const eu = { address: 'https://eu.example', token: 's.eu', usual_environment: true };
    const { settings, list } = resolve({ us, eu }, { ...usual, VAULTADMIN_EU_TOKEN: 's.not-used' });
    expect(list).toEqual([]);
    expect(JSON.parse(JSON.stringify(settings))).toEqual([
      {
        name: 'us',
        unknown: [],
        usualTokenFile: true,
        options: { address: 'https://usual.example', token: 's.usual', namespace: 'admin' },
      },
      {
        name: 'eu',
        unknown: [],
        usualTokenFile: true,
        options: { address: 'https://eu.example', token: 's.eu', namespace: 'admin' },
      },
    ]);

    const problems = (own: Record<string, string>, configured = us) =>
      resolve({ us: configured }, { ...usual, ...own }).list.map(({ summary }) => summary);
    expect(problems({ VAULTADMIN_US_ADDR: 'https://usual.example', VAULTADMIN_US_MAX_RETRIES: '7' })).toEqual(
      [],
    );
    expect(problems({ VAULTADMIN_US_ADDR: '', VAULTADMIN_US_TIMEOUT: '7s' })).toEqual([]);
    expect(
      problems({
        VAULTADMIN_US_ADDR: 'https://own.example',
        VAULTADMIN_US_TOKEN: 's.own',
        VAULTADMIN_US_NAMESPACE: 'own',
        VAULTADMIN_US_CACERT: '/own.pem',
        VAULTADMIN_US_SKIP_VERIFY: 'true',
        VAULTADMIN_US_CLIENT_CERT: '/own.crt',
        VAULTADMIN_US_CLIENT_KEY: '/own.key',
      }),
    ).toEqual([
      'cluster "us": VAULTADMIN_US_ADDR differs from VAULT_ADDR',
      'cluster "us": VAULTADMIN_US_TOKEN differs from VAULT_TOKEN',
      'cluster "us": VAULTADMIN_US_NAMESPACE differs from VAULT_NAMESPACE',
      'cluster "us": VAULTADMIN_US_CACERT is set, and VAULT_CACERT is not',
      'cluster "us": VAULTADMIN_US_SKIP_VERIFY is set, and VAULT_SKIP_VERIFY is not',
      'cluster "us": VAULTADMIN_US_CLIENT_CERT is set, and VAULT_CLIENT_CERT is not',
      'cluster "us": VAULTADMIN_US_CLIENT_KEY is set, and VAULT_CLIENT_KEY is not',
    ]);
    // Both providers use the login of the configuration, and no token from the environment.
    const login = { ...us, auth_login: { path: 'auth/approle/login', parameters: null } };
    expect(problems({ VAULTADMIN_US_TOKEN: 's.own' }, login)).toEqual([]);
  });

  test('the address, the namespace and the token of a cluster come from one source', () => {
    const env = {
      VAULTADMIN_US_CACERT: '/environment/ca.pem',
      VAULTADMIN_US_CLIENT_CERT: '/environment/cert.pem',
      VAULTADMIN_US_CLIENT_KEY: '/environment/key.pem',
      VAULTADMIN_US_TOKEN: 's.environment',
    };
    const us = {
      ca_cert_dir: '/configured',
      client_auth: { cert_file: '/configured/cert.pem', key_file: '/configured/key.pem' },
      auth_login: { path: 'auth/approle/login', namespace: null, method: null, parameters: { role_id: 'r' } },
    };
    expect(onlyCluster({ us }, env)).toMatchObject({
      options: {
        tls: {
          caCertDir: '/configured',
          clientCertFile: '/configured/cert.pem',
          clientKeyFile: '/configured/key.pem',
        },
      },
      login: { path: 'auth/approle/login', parameters: { role_id: 'r' } },
    });
    expect(onlyCluster({ us }, env)).not.toHaveProperty('options.token');
    expect(onlyCluster({ us }, env)).not.toHaveProperty('options.tls.caCertFile');
  });

  test('an empty token counts as left out, an empty namespace as the root namespace', () => {
    const env = { VAULT_TOKEN: 's.usual', VAULT_NAMESPACE: 'usual' };
    expect(onlyCluster({ us: { token: '', namespace: '' } }, env)).toMatchObject({
      options: { token: 's.usual', namespace: '' },
    });
  });
});

describe('logins of clusters', () => {
  const login = (attributes: object) =>
    onlyCluster({
      us: { auth_login: { path: null, namespace: null, method: null, parameters: null, ...attributes } },
    });

  test('a login has the given path', () => {
    expect(login({ path: 'auth/ci/login', namespace: 'admin', parameters: { jwt: 'j' } })).toMatchObject({
      login: { path: 'auth/ci/login', namespace: 'admin', parameters: { jwt: 'j' } },
    });
  });

  test('a login by method has the usual path of the method', () => {
    expect(login({ method: 'approle', parameters: { role_id: 'r' } })).toMatchObject({
      login: { path: 'auth/approle/login', parameters: { role_id: 'r' } },
    });
  });

  test('a login by the method userpass has the name of the user in its path', () => {
    expect(login({ method: 'userpass', parameters: { username: 'ci', password: 'p' } })).toMatchObject({
      login: { path: 'auth/userpass/login/ci' },
    });
  });

  test('a login without path and method is an error', () => {
    const { list } = resolve({
      us: { auth_login: { path: null, namespace: null, method: null, parameters: {} } },
    });
    expect(list).toEqual([
      {
        severity: 'error',
        summary: 'cluster "us": auth_login has neither path nor method',
        detail:
          'Allowed: path, such as "auth/approle/login", or method, such as "approle".\nTo do: set one of them.',
        path: [],
      },
    ]);
  });

  test('a login beside a token is an error', () => {
    const { list } = resolve({ us: { token: 's.canary', auth_login: { path: 'auth/approle/login' } } });
    expect(list).toEqual([
      {
        severity: 'error',
        summary: 'cluster "us": token and auth_login are both given',
        detail: 'Allowed: one of them.\nTo do: leave out token to log in, or auth_login to use the token.',
        path: [],
      },
    ]);
  });
});

describe('invalid settings', () => {
  test.each([
    [
      'max_retries',
      -1,
      'Received: -1.\nAllowed: a whole number from 0 on.\nTo do: correct it, or remove it.',
    ],
    [
      'dialect',
      'english',
      'Received: "english".\nAllowed: "vault" or "neutral".\nTo do: correct it, or remove it.',
    ],
    [
      'token',
      's.canary\n',
      'Allowed: printable ASCII.\nTo do: check how the value was read (it is not shown).',
      'contains characters that cannot be sent, such as a line break',
    ],
  ])('an invalid %s is an error of its attribute', (attribute, value, detail, problem = 'is not valid') => {
    const { list } = resolve({ us: { [attribute]: value } });
    expect(list).toEqual([
      {
        severity: 'error',
        summary: `cluster "us": ${attribute} ${problem}`,
        detail,
        path: [],
      },
    ]);
  });

  test('an invalid environment variable is an error that names the variable', () => {
    const { list } = resolve({ us: {} }, { VAULTADMIN_US_CLIENT_TIMEOUT: 'soon' });
    expect(list).toEqual([
      {
        severity: 'error',
        summary: 'cluster "us": an environment variable is not valid',
        detail:
          'VAULTADMIN_US_CLIENT_TIMEOUT is not valid: received "soon"; ' +
          'allowed: seconds, or a duration such as 90s or 2m; 0 for no limit.',
        path: [],
      },
    ]);
  });

  test('two clusters whose names become the same names of variables are an error', () => {
    const env = {
      VAULTADMIN_US_EAST_ADDR: 'https://us.example:8200',
      VAULTADMIN_EU_ADDR: 'https://eu.example:8200',
    };
    const problem = (name: string, twin: string) => ({
      severity: 'error',
      summary: `cluster "${name}": another cluster has the same environment variables`,
      detail:
        `Received: VAULTADMIN_US_EAST_ADDR, which cluster "${twin}" reads as well.\n` +
        'To do: rename one of the two, or configure them in clusters instead of the environment.',
      path: [],
    });
    const clusters = { 'us-east': {}, us_east: {}, eu: {} };
    expect(resolve(clusters, env).list).toEqual([
      problem('us-east', 'us_east'),
      problem('us_east', 'us-east'),
    ]);
    expect(resolve(clusters).list).toEqual([]);
  });

  test('an empty map of clusters is an error', () => {
    expect(resolve({}).list).toEqual([
      {
        severity: 'error',
        summary: 'no cluster is configured',
        detail:
          'Received: clusters without any entry.\nAllowed: one cluster or more.\n' +
          'To do: add a cluster, or leave clusters out to have one named "default", ' +
          'with all its settings from VAULT_ADDR, VAULT_TOKEN and so on.',
        path: [],
      },
    ]);
  });

  test.each(['', '1us', 'us/east', 'us.east'])('a cluster named %j is an error', (name) => {
    expect(resolve({ [name]: {} }).list).toEqual([
      {
        severity: 'error',
        summary: `cluster ${JSON.stringify(name)}: its name is not valid`,
        detail:
          `Received: ${JSON.stringify(name)}.\nAllowed: a letter, followed by letters, digits, "-" and "_".\n` +
          'To do: choose a name such as "us-east". Resources refer to it as cluster.',
        path: [],
      },
    ]);
  });
});

describe('unknown values', () => {
  test('unknown names of clusters make the configuration unknown', () => {
    expect(resolve(UNKNOWN).settings).toBe(UNKNOWN);
  });

  test('unknown attributes, or unknown parts of attributes, are listed', () => {
    const { settings, list } = resolve({
      us: {
        address: UNKNOWN,
        namespace: 'admin',
        auth_login: {
          path: 'auth/approle/login',
          namespace: null,
          method: null,
          parameters: { role_id: UNKNOWN },
        },
      },
    });
    expect(list).toEqual([]);
    expect(settings[0]!.unknown).toEqual(['address', 'auth_login']);
    expect(settings[0]!.options.namespace).toBe('admin');
  });

  test('an unknown cluster has all attributes unknown', () => {
    const { settings } = resolve({ us: UNKNOWN as unknown as Record<string, unknown> });
    expect(settings[0]).toMatchObject({ name: 'us', unknown: ['clusters'] });
  });
});
