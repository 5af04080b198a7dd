import { makeSharedFolder } from './shared-folder';
import { prepareUpstream } from './upstream-mirror';

/** Jest calls it before all tests. */
export default function beforeAllTests(): void {
  makeSharedFolder();
  prepareUpstream();
}
