import PQueue from 'p-queue'

import type { Logger } from '../../../../lib/logger.js'
import { findProject } from '../store.js'
import { refreshStatistics, type StatisticsDeps } from './update-project-statistics.js'

/**
 * Updates repository statistics in the background after pushes, one repository at a time. If a coordinator
 * stops, `updateChangedProjects` finds the projects that it has left.
 */
export class StatisticsWorker {
  private readonly queue = new PQueue({ concurrency: 1 })
  private readonly waiting = new Set<number>()

  constructor(private readonly deps: StatisticsDeps & { logger: Logger }) {}

  /** Queues a project after a push; it is queued at most once. */
  record(projectId: number): void {
    if (this.waiting.has(projectId)) return
    this.waiting.add(projectId)
    void this.queue.add(() => this.measure(projectId))
  }

  /** Resolves when the running update is finished. */
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
      logger.warn({ err: error, project: projectId }, 'Failed to update the statistics of a repository')
    }
  }
}
