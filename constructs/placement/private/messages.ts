import { code, phrase, property } from '../../../src/model/messages';
import { appError } from '../../private/app-language';

/**
 * Returns the error that an executable's package is not installed. Its cure contains `--force`,
 * because npm otherwise refuses a package for another system.
 */
export function executablePackageMissing(name: string, version: string): Error {
  return appError(
    phrase`VaultadminInstallation: the package ${code(name)} is not installed; install it with
      ${code(`npm install --no-save --force ${name}@${version}`)}, or set ${property('executablesFolder')} to a folder
      that has the executables`,
  );
}

export function executablePackageOfOtherVersion(name: string, installed: string, version: string): Error {
  return appError(
    phrase`VaultadminInstallation: the package ${code(name)} has version ${installed}; allowed: ${version}, as of this
      package; install ${code(`${name}@${version}`)}`,
  );
}

export function executableMissing(file: string): Error {
  return appError(
    phrase`VaultadminInstallation: ${file} does not exist; unpack the executables of this version there, or build them
      with ${code('npm run executables')} in a clone`,
  );
}

export function checksumsNotValid(file: string): Error {
  return appError(
    phrase`VaultadminInstallation: ${file} is not valid; allowed: {"hashes": ["h1:...", "zh:..."]}, as
      ${code('npm run release')} writes it; copy it again, or remove it`,
  );
}
