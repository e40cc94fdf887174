import { join } from 'node:path'

import { Counter, type Registry } from 'prom-client'

import type { Logger } from '../lib/logger.js'
import type { CoordinatorSettings } from './config.js'
import { connectDatabase, type Database } from './database/connect.js'
import type { EngineDeps } from './engine/engine-deps.js'
import { WakeChannel } from './events/wake-channel.js'
import { createMetrics } from './http/metrics.js'
import { JobQueue } from './queue/job-queue.js'
import { Repositories } from './repositories/repositories.js'
import { openSecretBox, type SecretBox } from './secret-box.js'
import { Artifacts } from './storage/artifacts.js'
import type { BlobStore } from './storage/blob-store.js'
import { Caches } from './storage/caches.js'
import { FolderBlobStore } from './storage/folder-blob-store.js'
import { Traces } from './storage/traces.js'

/** What a coordinator is made of, below its HTTP face. */
export interface Parts {
  settings: CoordinatorSettings
  logger: Logger
  database: Database
  secrets: SecretBox
  repositories: Repositories
  blobs: BlobStore
  artifacts: Artifacts
  caches: Caches
  traces: Traces
  engine: EngineDeps
  metrics: Registry
  /** News between coordinators on one PostgreSQL. */
  channel: WakeChannel | undefined
}

export async function createParts(settings: CoordinatorSettings, logger: Logger): Promise<Parts> {
  const { dataDir, lease } = settings
  const { dialect } = settings.database
  const secrets = await openSecretBox(dataDir)
  const database = connectDatabase(settings.database)
  const repositories = new Repositories(join(dataDir, 'repositories'))
  const blobs = new FolderBlobStore(join(dataDir, 'blobs'))
  const metrics = createMetrics()
  const { queue, channel } = createQueue(settings, database, logger)
  const onJobFinished = countJobs(metrics)
  return {
    settings,
    logger,
    database,
    secrets,
    repositories,
    blobs,
    artifacts: new Artifacts(database, blobs, settings.artifactsMaxBytes),
    caches: new Caches(database, blobs, settings.caches),
    traces: new Traces(join(dataDir, 'traces'), settings.traceMaxBytes),
    engine: { database, dialect, queue, lease, secrets, repositories, logger, onJobFinished },
    metrics,
    channel,
  }
}

function createQueue(
  settings: CoordinatorSettings,
  database: Database,
  logger: Logger,
): { queue: JobQueue; channel: WakeChannel | undefined } {
  const { dialect } = settings.database
  if (settings.database.dialect === 'sqlite') {
    return { queue: new JobQueue({ database, dialect, logger }), channel: undefined }
  }
  const channel: WakeChannel = new WakeChannel({
    url: settings.database.url,
    database,
    logger,
    onJobs: (jobIds) => queue.hearOf(jobIds),
    onListening: () => queue.wakeAll(),
  })
  const announce = (jobIds: number[]) => channel.announce(jobIds)
  const queue = new JobQueue({ database, dialect, logger, announce })
  return { queue, channel }
}

function countJobs(registry: Registry): NonNullable<EngineDeps['onJobFinished']> {
  const finished = new Counter({
    name: 'switchyard_jobs_finished_total',
    help: 'Jobs that ended, by status',
    labelNames: ['status'],
    registers: [registry],
  })
  return ({ status }) => finished.inc({ status })
}
