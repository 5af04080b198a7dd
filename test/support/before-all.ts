import { makeSharedFolder } from './shared-folder';
import { prepareUpstream } from './upstream-mirror';

/** Prepares all tests. Jest calls this function. */
export default function beforeAllTests(): void {
  makeSharedFolder();
  prepareUpstream();
}
