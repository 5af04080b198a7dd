import { render } from '../../../../../src/model/messages';
import type { Refusal } from '../../../../../src/provider/replication/set/planner';

/** A refusal as Terraform shows it. */
export function shown({ path, ...message }: Refusal) {
  return { path, ...render(message) };
}
