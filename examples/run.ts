/**
 * The main job, told on the embedded emulator: every example from synthesis to a converged server and back.
 *
 *   npm start              one line a step
 *   npm start -- --verbose what terraform prints, too
 */
import { parseArgs } from 'node:util';
import { tellPolicies } from './policies/story';
import { Stage } from './story/stage';
import { StoryError } from './story/steps';
import { findTerraform } from './story/find-terraform';

const { values: options } = parseArgs({
  options: { verbose: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
});

if (options.help) {
  console.log('usage: npm start [-- --verbose]\n\n  --verbose  print what terraform prints, too');
} else {
  void main();
}

async function main(): Promise<void> {
  try {
    const stage = new Stage(findTerraform(), options.verbose);
    // Terraform ends in order, and the story with it; a second Ctrl-C ends everything at once.
    process.once('SIGINT', () => stage.interrupt());
    process.once('SIGTERM', () => stage.interrupt());
    try {
      await tellPolicies(stage);
    } finally {
      await stage.end();
    }
  } catch (error) {
    if (!(error instanceof StoryError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
