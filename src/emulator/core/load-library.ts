/**
 * Loads a library that is not a dependency of the package, since few emulators need it. The
 * executable contains the libraries of the clouds.
 *
 * @throws Error with the command that installs it.
 */
export function loadLibrary(name: string, what = 'this target'): unknown {
  try {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would be made before it is needed
    return require(name) as unknown;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    throw new Error(`${what} requires the package ${name}: run npm install ${name}`);
  }
}
