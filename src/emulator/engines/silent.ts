import type { BackendFactory } from '../core/backend';

/** An engine or auth method that can be mounted, tuned and moved, and answers no path of its own. */
export const silent: BackendFactory = ({ mount }) => ({
  type: mount.type,
  help: `The emulator has no ${mount.type}: it can be mounted, and no more.`,
  routes: [],
});
