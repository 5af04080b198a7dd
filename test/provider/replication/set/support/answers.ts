/** Servers whose replication status differs from that of the emulator. */
import type { Reachable, Wire } from './wire';

const STATUS = '/v1/sys/replication/performance/status';

/**
 * Returns the same clusters, with their status changed on the way.
 *
 * @param change gets the data of each status, and the address of its cluster.
 */
export function withStatus(
  { emulator, wire }: Reachable,
  change: (data: Record<string, unknown>, origin: string) => void,
): Reachable {
  const changing: Wire = async (request) => {
    const answer = await wire(request);
    if (request.path !== STATUS || answer.status !== 200) return answer;
    const body = JSON.parse(answer.body) as { readonly data: Record<string, unknown> };
    change(body.data, request.origin);
    return { ...answer, body: JSON.stringify(body) };
  };
  return { emulator, wire: changing };
}
