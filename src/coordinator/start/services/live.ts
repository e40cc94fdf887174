import { createGroupDirectory } from '../../accounts/groups/group-directory.js'
import { describeJobs } from '../../ci/jobs/describe-jobs.js'
import { createProjectFinder } from '../../hosting/projects/find-project.js'
import { CoordinatorRecord } from '../../instance/overview/coordinators.js'
import { LIVE_TIMES, LiveHub, type LiveTimes } from '../../live/live-hub.js'
import { LiveMetrics } from '../../live/live-metrics.js'
import { registerSessionMetrics } from '../../sessions/session-metrics.js'
import type { BaseServices } from './base.js'
import { mayInProject } from './may-in-project.js'

/** What is open at this coordinator. */
export interface LiveServices {
  /** The open streams of changes. */
  live: LiveHub
  /** Says that this process runs. */
  coordinatorRecord: CoordinatorRecord
}

export function createLiveServices(sources: BaseServices, times: Partial<LiveTimes> = {}): LiveServices {
  const { database, externalUrl, repositories, artifacts, traces, traceReaders } = sources
  const { metrics, channel, logger } = sources
  registerSessionMetrics(metrics, database, logger)
  const live = new LiveHub({
    times: { ...LIVE_TIMES, ...times },
    database,
    externalUrl,
    findProject: createProjectFinder(database),
    findGroup: (idOrPath) => createGroupDirectory(database).find(idOrPath),
    mayRead: (user, project) => mayInProject(database)('read_pipelines', user, project),
    describeJobs: (jobs) => describeJobs({ database, repositories, artifacts, externalUrl }, jobs),
    traces,
    traceReaders,
    metrics: new LiveMetrics(metrics),
    channel,
    logger,
  })
  channel?.on('live', (from, news) => live.receive(from, news))
  channel?.on('listening', () => live.onListening())
  return { live, coordinatorRecord: new CoordinatorRecord(database, logger, () => live.streamCount) }
}
