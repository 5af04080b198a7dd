/**
 * The main job on the embedded emulator: every example from synthesis to a converged server
 * and back.
 *
 *   npm start              one line a step
 *   npm start -- --verbose what terraform prints, too
 */
import { Command } from 'commander';
import { tellBootstrap } from './bootstrap/story';
import { tellManagedKeys } from './managed-keys/story';
import { tellPolicies } from './policies/story';
import { tellReplication } from './replication/story';
import { tellSentinel } from './sentinel/story';
import { tellSnapshots } from './snapshots/story';
import { Stage } from './story/stage';
import { StoryError } from './story/steps';
import { findTerraform } from './story/find-terraform';

const STORIES = [tellPolicies, tellSentinel, tellManagedKeys, tellSnapshots, tellReplication, tellBootstrap];

const { verbose = false } = new Command('npm start --')
  .description('Shows the main job on the embedded emulator.')
  .option('--verbose', 'print what terraform prints, too')
  .showSuggestionAfterError(false)
  .configureOutput({
    outputError: (text, write) => write(`${text.trimEnd()}; options: --verbose, -h, --help\n`),
  })
  .parse()
  .opts<{ readonly verbose?: true }>();

void main();

async function main(): Promise<void> {
  try {
    const terraform = findTerraform();
    for (const tell of STORIES) await onStage(terraform, tell);
  } catch (error) {
    if (!(error instanceof StoryError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}

async function onStage(terraform: string, tell: (stage: Stage) => Promise<void>): Promise<void> {
  const stage = new Stage(terraform, verbose);
  // Terraform ends in order, and the story with it; a second Ctrl-C ends everything at once.
  const interrupt = () => stage.interrupt();
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  try {
    await tell(stage);
  } finally {
    await stage.end();
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
  }
}
