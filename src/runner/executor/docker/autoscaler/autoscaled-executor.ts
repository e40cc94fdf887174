import { PoolExecutor, type PoolParts } from '../hosts/pool-executor.js'
import type { LateAutoscaler } from './late-autoscaler.js'

/** Runs each job on a machine that may have been created for it. */
export class AutoscaledExecutor extends PoolExecutor {
  readonly autoscaler: LateAutoscaler

  constructor({ source, ...parts }: Omit<PoolParts, 'source'> & { source: LateAutoscaler }) {
    super({ ...parts, source })
    this.autoscaler = source
  }

  override async removeLeftovers(kept: ReadonlySet<number>): Promise<void> {
    await this.autoscaler.keepJobs(kept)
    await super.removeLeftovers(kept)
  }

  async end(): Promise<void> {
    await this.autoscaler.end()
  }
}
