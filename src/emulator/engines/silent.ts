import type { BackendFactory } from '../core/backend';

/** An engine or auth method that can be mounted, tuned and moved, and answers no path of its own. */
export const silent: BackendFactory = ({ mount }) => ({
  type: mount.type,
  help: `The emulator does not implement ${mount.type}: it can only be mounted.`,
  routes: [],
});
