/** Clusters under the real terraform, one group after the other in the same folder. */
import type { EmulatorOptions } from '../../../../../src/emulator';
import { openWorkspace, providerBlock, Stack, type Message, type Report } from '../../../support';
import { startClusters as startEmulated, OPERATOR, type TestClusters } from './clusters';
import { configure, plannedSteps } from './set-stack';
import { startOverHttp } from './over-http';

const CALLS = 'sys/replication/performance';

/** Begins with new clusters, in the folder with the provider that terraform uses. */
interface RealWorlds {
  begin(names: readonly string[], options?: EmulatorOptions): Promise<RealWorld>;
}

/** Prepares the folder before the tests of a file, and removes it after them. */
export function useRealWorlds(): RealWorlds {
  let opened: Awaited<ReturnType<typeof openWorkspace>>;
  let prepared: Promise<void> | undefined;
  let present: RealWorld | undefined;
  beforeAll(async () => {
    opened = await openWorkspace();
  });
  afterAll(async () => {
    await present?.clusters.emulator.close();
    await opened.close();
  });
  return {
    async begin(names, options) {
      await present?.clusters.emulator.close();
      const { workspace, init } = opened;
      for (const file of ['terraform.tfstate', 'terraform.tfstate.backup', 'main.tf']) workspace.remove(file);
      const clusters = await startEmulated(names, options, startOverHttp);
      await clusters.addOperators();
      present = new RealWorld(clusters, new Stack(clusters.emulator, workspace, () => Promise.resolve()));
      present.knows(names);
      await (prepared ??= init());
      return present;
    },
  };
}

/** Clusters, and a set of them that terraform manages. */
export class RealWorld {
  constructor(
    readonly clusters: TestClusters,
    readonly stack: Stack,
  ) {}

  /**
   * Writes the provider's block with the given clusters, each at its own address unless another one
   * is given.
   */
  knows(names: readonly string[], addresses: Readonly<Record<string, string>> = {}): void {
    const login = `auth_login = ${JSON.stringify(OPERATOR)}`;
    const entries = names.map((name) => {
      const address = addresses[name] ?? this.clusters.emulator.clusters[name]!.address;
      return `    ${name} = { address = "${address}", max_retries = 0, ${login} }`;
    });
    this.stack.configure(providerBlock(entries.join('\n')));
  }

  /** Applies a configuration, and expects success. */
  async apply(attributes: object): Promise<Report> {
    configure(this.stack, attributes);
    const report = await this.stack.run('apply');
    expect(report.errors).toEqual([]);
    return report;
  }

  /** Returns the steps of a plan; undefined if it has no change. */
  async steps(attributes: object): Promise<readonly string[] | undefined> {
    configure(this.stack, attributes);
    return plannedSteps(this.stack);
  }

  /** Returns the first error of a plan, or of another command. */
  async refusal(attributes: object, command = 'plan'): Promise<Message> {
    configure(this.stack, attributes);
    const { errors } = await this.stack.run(command);
    expect(errors).not.toEqual([]);
    return errors[0]!;
  }

  /** Makes a replication call by hand, as an operator would. */
  async call(cluster: string, path: string, body?: object): Promise<void> {
    expect((await this.clusters.ask(cluster, 'POST', `${CALLS}/${path}`, body)).status).toBe(200);
  }

  /** Makes a cluster unreachable for terraform and for the other clusters. */
  lose(cluster: string): void {
    const { faults, replication } = this.clusters.emulator;
    faults.inject({ cluster, drop: 'before' });
    for (const other of this.clusters.names) if (other !== cluster) replication.partition(cluster, other);
  }

  /** Makes all clusters reachable again. */
  restore(): void {
    this.clusters.emulator.faults.clear();
    this.clusters.emulator.replication.heal();
  }
}
