import { statfs } from 'node:fs/promises'

import { VERSION } from '../../../lib/version.js'
import type { TaskRun, TaskRuns } from '../../background/task-runs.js'
import { upSince } from '../../ci/queue/presence.js'
import type { Database, DialectName } from '../../database/connect.js'
import { isSetUpOpen } from '../../database/stores/set-up-store.js'
import { countSessions } from '../../database/stores/web-session-store.js'
import { isoTime, isoTimeOrNull } from '../../http/presenters/present-time.js'
import { type CoordinatorRow, isAlive, listCoordinators } from './coordinators.js'
import type { AdminOverview } from './schema.js'
import { type StorageSizes, storageSizes } from './storage-sizes.js'
import {
  countAll,
  countAllRunners,
  countDeliveries,
  countJobs,
  countMails,
  databaseFacts,
  findFailingHooks,
} from './store.js'
import { warningsOf } from './warnings.js'

export interface OverviewDeps {
  database: Database
  dialect: DialectName
  dataDir: string
  /** URL that clients use, without a trailing slash. */
  externalUrl: string
  /** Whether the configuration names that URL. */
  isUrlConfigured: boolean
  sendsMails: boolean
  /** ID of this process among the coordinators. */
  coordinatorId: string
  taskRuns: TaskRuns
}

export async function overview(deps: OverviewDeps, now: number): Promise<AdminOverview> {
  const { database } = deps
  const coordinators = await listCoordinators(database)
  const alive = coordinators.filter((row) => isAlive(row, now))
  const jobs = await countJobs(database)
  const webhooks = await countDeliveries(database, now)
  const mails = { enabled: deps.sendsMails, ...(await countMails(database)) }
  const disk = await diskOf(deps.dataDir)
  const tasks = deps.taskRuns.list()
  const sizes = await storageSizes(database)
  return {
    version: VERSION,
    up_since: isoTimeOrNull(await upSince(database)),
    external_url: deps.externalUrl,
    coordinators: coordinators.map((row) => presentCoordinator(row, deps.coordinatorId, now)),
    jobs: { ...jobs, oldest_at: isoTimeOrNull(jobs.oldest_at) },
    runners: await countAllRunners(database, now),
    live: {
      streams: alive.reduce((sum, { streams }) => sum + streams, 0),
      sessions: await countSessions(database, now),
    },
    counts: await countAll(database),
    storage: sizes ? presentSizes(sizes) : null,
    disk,
    database: { kind: deps.dialect, ...(await databaseFacts(database, deps.dialect)) },
    tasks: tasks.map(presentTask),
    webhooks: { ...webhooks, failing: await findFailingHooks(database, now) },
    mails,
    set_up_finished: !(await isSetUpOpen(database)),
    warnings: warningsOf({
      ...deps,
      mails,
      disk,
      tasks,
      webhooks,
      versions: alive.map(({ version }) => version),
    }),
  }
}

async function diskOf(folder: string): Promise<AdminOverview['disk']> {
  const { blocks, bavail, bsize } = await statfs(folder)
  return { total: blocks * bsize, free: bavail * bsize }
}

function presentCoordinator(
  row: CoordinatorRow,
  ownId: string,
  now: number,
): AdminOverview['coordinators'][number] {
  const { started_at, seen_at, ...rest } = row
  return {
    ...rest,
    started_at: isoTime(started_at),
    seen_at: isoTime(seen_at),
    alive: isAlive(row, now),
    current: row.id === ownId,
  }
}

function presentSizes({ measuredAt, logs, artifacts, caches, repositories, lfs }: StorageSizes) {
  return { measured_at: isoTime(measuredAt), logs, artifacts, caches, repositories, lfs }
}

function presentTask({
  name,
  every,
  startedAt,
  duration,
  error,
  isRunning,
}: TaskRun): AdminOverview['tasks'][number] {
  return {
    name,
    every,
    started_at: isoTimeOrNull(startedAt),
    duration: duration === null ? null : duration / 1000,
    running: isRunning,
    error,
  }
}
