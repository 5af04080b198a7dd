import { removeSharedFolder } from './shared-folder';

/** Cleans up after all tests. Jest calls it. */
export default function afterAllTests(): void {
  removeSharedFolder();
}
