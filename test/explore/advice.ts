/** Reads the advice of a message: the actions of its cures, as actions of a person. */
import { renderPhrase, waysIn, type CureAction, type Message } from '../../src/model/messages';

/** One action of a person. */
export type Deed =
  /**
   * A call of Vault's API on a cluster; `call` is its path below `sys/replication/performance/`.
   */
  | {
      readonly kind: 'call';
      readonly cluster: string;
      readonly call: string;
      readonly fields: Readonly<Record<string, string>>;
    }
  /** A change of a setting. */
  | {
      readonly kind: 'primary' | 'force' | 'add' | 'remove' | 'abandon' | 'reclaim' | 'unfilter';
      readonly cluster: string;
    }
  | { readonly kind: 'confirm'; readonly cluster: string; readonly text: string }
  /** The address for secondaries; absent to remove it. */
  | { readonly kind: 'address'; readonly address?: string }
  | { readonly kind: 'unforce' }
  | { readonly kind: 'initialize'; readonly cluster: string }
  | { readonly kind: 'import' }
  | { readonly kind: 'again' };

/** Actions of one cure, in their order. */
export type Way = readonly Deed[];

/** Whether a cure permits a loss of data, or abandons a member. */
export function isCostly(way: Way): boolean {
  return way.some(({ kind }) => ['force', 'confirm', 'remove', 'abandon'].includes(kind));
}

/**
 * Returns the cures that a reader of the message can follow. If the reader has to choose a cluster,
 * there is one cure for each choice.
 *
 * @param primaries the present primaries, if the reader has to choose a primary
 */
export function advised(message: Message, primaries: readonly string[]): readonly Way[] {
  return waysIn(message).flatMap((actions) => {
    const chosen = actions.find((action) => action.kind === 'run' && action.which !== undefined);
    const isOpen = actions.some(
      (action) => action.kind === 'set' && nameOf(action) === 'primary' && action.value === undefined,
    );
    const choices = chosen?.kind === 'run' ? chosen.clusters : isOpen ? primaries : [''];
    const ways = choices.map((choice) => inOrder(actions.flatMap((action) => deedsOf(action, choice))));
    // A person can follow an import only if a cluster is a primary.
    return ways.filter(([first]) => first?.kind !== 'import' || primaries.length > 0);
  });
}

/**
 * Puts removals last: a change of the primary adds the former primary as a secondary, and the
 * removal may be meant for it.
 */
function inOrder(way: Way): Way {
  const isLate = ({ kind }: Deed) => ['remove', 'abandon', 'confirm'].includes(kind);
  return [...way.filter((deed) => !isLate(deed)), ...way.filter(isLate)];
}

function deedsOf(action: CureAction, choice: string): Way {
  switch (action.kind) {
    case 'run': {
      const { clusters, which } = action;
      const [, call, ...fields] = /sys\/replication\/performance\/(\S+)(.*)$/.exec(action.command) ?? [];
      if (call === undefined) throw new Error(`not a call of replication: ${action.command}`);
      const on =
        which === 'one'
          ? [choice]
          : which === 'all-but-one'
            ? clusters.filter((name) => name !== choice)
            : clusters;
      const given = [...fields.join('').matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name!, value!]);
      return on.map((cluster) => ({ kind: 'call', cluster, call, fields: Object.fromEntries(given) }));
    }
    case 'set':
      return settingOf(nameOf(action), valueOf(action) ?? choice);
    case 'remove':
      return removalOf(nameOf(action));
    case 'empty-storage':
      return [{ kind: 'initialize', cluster: action.cluster }];
    case 'import':
      return [{ kind: 'import' }];
    default:
      return [{ kind: 'again' }];
  }
}

function settingOf(name: string, value: string): Way {
  const [object, cluster = '', field] = name.split('.');
  if (name === 'primary') return [{ kind: 'primary', cluster: value }];
  if (name === 'force_promotion') return [{ kind: 'force', cluster: value }];
  if (name === 'primary_cluster_addr') return [{ kind: 'address', address: value }];
  if (object === 'abandoned_clusters') return [{ kind: 'abandon', cluster }];
  if (object === 'secondaries' && field === undefined) return [{ kind: 'add', cluster }];
  if (object === 'secondaries' && field === 'confirm_data_loss')
    return [{ kind: 'confirm', cluster, text: value }];
  throw new Error(`a setting that nobody follows: ${name}`);
}

function removalOf(name: string): Way {
  const [object, cluster = '', field] = name.split('.');
  if (name === 'force_promotion') return [{ kind: 'unforce' }];
  if (name === 'primary_cluster_addr') return [{ kind: 'address' }];
  if (object === 'abandoned_clusters') return [{ kind: 'reclaim', cluster }];
  if (object === 'secondaries' && field === undefined) return [{ kind: 'remove', cluster }];
  if (object === 'secondaries' && field === 'paths_filter') return [{ kind: 'unfilter', cluster }];
  throw new Error(`a setting that nobody follows: ${name}`);
}

function nameOf({ field }: Extract<CureAction, { kind: 'set' | 'remove' }>): string {
  return renderPhrase(field);
}

function valueOf({ value }: Extract<CureAction, { kind: 'set' }>): string | undefined {
  return value === undefined ? undefined : (JSON.parse(renderPhrase(value)) as string);
}
