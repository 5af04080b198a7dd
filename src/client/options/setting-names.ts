/** How messages name a setting: the option, the provider's argument and the usual variable. */
export const SETTING = {
  address: 'address (VAULT_ADDR)',
  token: 'token (VAULT_TOKEN)',
  timeout: 'timeout (VAULT_CLIENT_TIMEOUT)',
  caCertFile: 'caCertFile (ca_cert_file, VAULT_CACERT)',
  caCertPem: 'caCertPem (VAULT_CACERT_BYTES)',
  caCertDir: 'caCertDir (ca_cert_dir, VAULT_CAPATH)',
  clientCertFile: 'clientCertFile (client_auth.cert_file, VAULT_CLIENT_CERT)',
  clientKeyFile: 'clientKeyFile (client_auth.key_file, VAULT_CLIENT_KEY)',
  serverName: 'serverName (tls_server_name, VAULT_TLS_SERVER_NAME)',
} as const;
