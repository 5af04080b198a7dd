export { PROVIDER_ADDRESS, PROVIDER_NAME } from '../model/provider-source';

/**
 * The version of the provider. It is that of the package, so that lock files never confuse two
 * releases.
 */
export const PROVIDER_VERSION = packageVersion();

function packageVersion(): string {
  // The name of the package leads to this file from the sources and from the build.
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would copy the file into lib/
  const { version } = require('cdktf-vault-admin/package.json') as { version: string };
  return version;
}
