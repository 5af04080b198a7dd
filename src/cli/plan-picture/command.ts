import { Command, Option } from 'commander';
import { EXIT, exitCodesHelp } from '../exit-codes';
import { PICTURE_FORMATS } from '../output/picture-formats';
import type { PlanPictureFlags } from './draw-plan';

/**
 * Returns `cdktf-vault-admin plan-picture`, which draws a plan's changes of replication sets for
 * reviewers.
 */
export function planPictureCommand(): Command {
  return new Command('plan-picture')
    .summary('draw what a plan does to replication sets')
    .description(
      'Draw each performance replication set that a Terraform plan changes: before the apply, the steps, and after it. Nothing is ' +
        'printed if the plan changes none.',
    )
    .argument('<PLAN>', 'the output of terraform show -json; "-" for standard input')
    .addOption(
      new Option('--format <FORMAT>', 'how to draw it').choices(PICTURE_FORMATS).default(PICTURE_FORMATS[0]),
    )
    .addHelpText(
      'after',
      exitCodesHelp({ [EXIT.ok]: 'the picture was printed, or the plan changes no replication set' }) +
        '\nExamples:\n' +
        '  $ terraform show -json tfplan > plan.json\n' +
        '  $ npx cdktf-vault-admin plan-picture plan.json > plan.svg\n' +
        '  $ npx cdktf-vault-admin plan-picture plan.json --format mermaid\n',
    )
    .allowExcessArguments(false)
    .action(async (plan: string, flags: PlanPictureFlags) => {
      const { drawPlan } = await import('./draw-plan.js');
      process.exitCode = drawPlan(plan, flags);
    });
}
