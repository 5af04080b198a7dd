import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import { terraformBinary } from '../test/support/terraform';
import { upstreamExecutable } from '../test/support/upstream-mirror';

/** Returns when and on what was measured, as lines of Markdown. */
export function aboutThisMachine(): readonly string[] {
  const processors = cpus();
  const [terraform] = execFileSync(terraformBinary(), ['version'], { encoding: 'utf8' }).split('\n');
  const [, vault] = /_v(\d[^_]*?)(?:_x\d+)?$/.exec(upstreamExecutable() ?? '') ?? [];
  const provider = vault === undefined ? '' : `, hashicorp/vault ${vault}`;
  return [
    `Measured on ${new Date().toISOString().slice(0, 10)} on ${processors.length} cores (${processors[0]!.model.trim()}), ` +
      `${process.platform}, Node.js ${process.versions.node}, ${terraform}${provider}.`,
  ];
}
