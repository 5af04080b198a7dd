import { join } from 'node:path';
import { providerPackage } from '../constructs/placement/provider-package';
import { PROVIDER_NAME } from '../src/provider/about';

/**
 * The provider that the build created. The folder has the executable and the files that it needs,
 * and nothing else.
 */
export const { folder: PROVIDER_FOLDER, version: PROVIDER_VERSION } = providerPackage();

export const PROVIDER_EXECUTABLE = join(
  PROVIDER_FOLDER,
  `terraform-provider-${PROVIDER_NAME}_v${PROVIDER_VERSION}`,
);
