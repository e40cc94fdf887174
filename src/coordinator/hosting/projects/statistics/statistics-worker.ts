import PQueue from 'p-queue'

import type { Logger } from '../../../../lib/logger.js'
import { findProject } from '../store.js'
import { refreshStatistics, type StatisticsDeps } from './update-project-statistics.js'

/**
 * Measures repositories behind the back of those who push to them, one after the other. What is lost when a coordinator
 * ends, `updateChangedProjects` finds.
 */
export class StatisticsWorker {
  private readonly queue = new PQueue({ concurrency: 1 })
  private readonly waiting = new Set<number>()

  constructor(private readonly deps: StatisticsDeps & { logger: Logger }) {}

  /** Something was pushed; several pushes that wait are one. */
  note(projectId: number): void {
    if (this.waiting.has(projectId)) return
    this.waiting.add(projectId)
    void this.queue.add(() => this.measure(projectId))
  }

  /** Ends when what is under way is done. */
  async stop(): Promise<void> {
    this.queue.clear()
    await this.queue.onIdle()
  }

  /** Never rejects. */
  private async measure(projectId: number): Promise<void> {
    this.waiting.delete(projectId)
    const { database, logger } = this.deps
    try {
      const project = await findProject(database, projectId)
      if (project) await refreshStatistics(this.deps, project)
    } catch (error) {
      logger.warn({ err: error, project: projectId }, 'A repository could not be measured')
    }
  }
}
