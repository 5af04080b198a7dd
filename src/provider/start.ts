/**
 * The part of the executable that runs before the provider: it checks whether this Node can run the
 * provider. It is compiled for every version of Node. It writes errors to stdout, because Terraform
 * shows the first line of stdout if a plugin fails to start.
 */
import { isOlder, OLDEST_NODE } from '../model/versions';

const { node } = process.versions;
if (isOlder(node, OLDEST_NODE)) {
  console.log(
    `The provider vaultadmin requires Node.js ${OLDEST_NODE} or newer; the "node" in the PATH of Terraform is ${node} ` +
      `(${process.execPath}): install a newer one, and have it first in that PATH`,
  );
  process.exitCode = 1;
  // The process stays for a second: if it ended at once, Terraform might notice that before it
  // reads the line.
  setTimeout(function () {}, 1000);
} else {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load it before the check
  require('./main');
}
