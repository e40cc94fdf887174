import { join } from 'node:path'

import { markOutputs } from '../../ci/engine/job-store.js'
import { Artifacts } from '../../ci/storage/artifacts/artifacts.js'
import type { BlobStore } from '../../ci/storage/blob-store.js'
import { Caches } from '../../ci/storage/caches/caches.js'
import { openBlobStore } from '../../ci/storage/open-blob-store.js'
import type { OrphanDeps } from '../../ci/storage/orphans/delete-orphans.js'
import { PartialUploads } from '../../ci/storage/partial-uploads.js'
import { StoredLogs } from '../../ci/storage/stored-logs.js'
import { TraceWorkers } from '../../ci/storage/trace-index/trace-workers.js'
import { TraceIndexes } from '../../ci/storage/trace-indexes.js'
import { Traces } from '../../ci/storage/traces.js'
import { Avatars } from '../../hosting/avatars/avatars.js'
import { UploadSpool } from '../../http/parameters/upload-spool.js'
import type { Foundation } from './foundation.js'
import { orphanMetrics } from './store-metrics.js'

/** Files beside the database: blobs, uploads and logs. */
export interface StorageServices {
  blobs: BlobStore
  /** Avatars of projects, groups and users. */
  avatars: Avatars
  artifacts: Artifacts
  caches: Caches
  uploads: PartialUploads
  /** Stores uploaded files while their requests run. */
  spool: UploadSpool
  traces: Traces
  /** Logs of finished jobs in the blob store. */
  storedLogs: StoredLogs
  traceIndexes: TraceIndexes
  /** Counts blobs that were deleted because no row names them. */
  onOrphanDeleted: OrphanDeps['onDeleted']
}

export async function createStorageServices(foundation: Foundation): Promise<StorageServices> {
  const { settings, instanceSettings, database, logger, metrics } = foundation
  const { dataDir, sharedDir } = settings
  const blobs = await openBlobStore(settings, { isChecked: true })
  const storedLogs = new StoredLogs(database, blobs, join(dataDir, 'log-copies'))
  const traces = createTraces(foundation, storedLogs)
  return {
    blobs,
    avatars: new Avatars({ database, blobs }),
    artifacts: new Artifacts(database, blobs, () => instanceSettings.artifactsMaxBytes(), markOutputs),
    caches: new Caches(database, blobs, settings.caches),
    uploads: new PartialUploads(join(sharedDir, 'uploads')),
    spool: new UploadSpool(join(dataDir, 'spool')),
    traces,
    storedLogs,
    traceIndexes: new TraceIndexes({ traces, workers: new TraceWorkers(), logger }),
    onOrphanDeleted: orphanMetrics(metrics),
  }
}

function createTraces({ settings, logger }: Foundation, storedLogs: StoredLogs): Traces {
  const { dataDir, sharedDir, traceMaxBytes } = settings
  return new Traces(
    join(sharedDir, 'traces'),
    traceMaxBytes,
    {
      onTimeLost: ({ id }, error) =>
        logger.warn({ err: error, job: id }, 'Failed to record when a part of a log arrived'),
      onCloseFailed: (job, error) => logger.error({ err: error, job }, 'Failed to close the file of a log'),
    },
    storedLogs,
    sharedDir !== dataDir,
  )
}
