import { once } from 'node:events'

import type { Logger } from '../../lib/logger.js'
import { pause } from '../../lib/pause.js'
import type { JobPayload } from '../../protocol/job-payload.js'
import type { CoordinatorClient } from '../client/coordinator-client.js'

export interface StateReportsParts {
  /** The current client. */
  client: () => Pick<CoordinatorClient, 'hasUnreportedState' | 'reportState'>
  /** Milliseconds for which changes are collected. */
  interval: number
  logger: () => Logger
}

/**
 * Reports hosts that have changed while no request for a job says so: one is held, or the runner is full and makes none.
 * Only to coordinators that show them (runner protocol, 12.10), so that others get no request in addition.
 */
export class StateReports {
  private isRead = false
  private round = new AbortController()

  constructor(private readonly parts: StateReportsParts) {}

  /** Must be called for each job: the coordinator says with it what it supports. */
  jobReceived({ features }: Pick<JobPayload, 'features'>): void {
    this.isRead = features?.host_reports === true
  }

  /** Must be called when the state may have changed. */
  changed(): void {
    this.round.abort()
  }

  /** Reports changes until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const end = () => this.changed()
    signal.addEventListener('abort', end)
    while (!signal.aborted) {
      this.round = new AbortController()
      if (this.isDue) await this.report(signal)
      else await once(this.round.signal, 'abort')
      await pause(this.parts.interval, signal)
    }
    signal.removeEventListener('abort', end)
  }

  private get isDue(): boolean {
    return this.isRead && this.parts.client().hasUnreportedState
  }

  /** What fails is due again. Requests for jobs warn of a coordinator that is away. */
  private async report(signal: AbortSignal): Promise<void> {
    try {
      await this.parts.client().reportState(signal)
    } catch (error) {
      if (!signal.aborted) this.parts.logger().debug({ err: error }, 'The hosts could not be reported')
    }
  }
}
