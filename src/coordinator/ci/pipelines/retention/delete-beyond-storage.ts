import { pause } from '../../../../lib/pause.js'
import type { Database } from '../../../database/connect.js'
import { forgetLog } from '../../engine/job-log-store.js'
import { deleteArtifact } from '../../storage/artifacts/delete-artifact.js'
import type { BlobStore } from '../../storage/blob-store.js'
import type { RetentionDeps } from './delete-old-pipelines.js'
import { type LogOrArtifact, measureFiles, oldestFiles } from './stored-files.js'

/** Bytes of logs and artifacts; 0 = unlimited. */
export interface StorageLimits {
  storageBytes: number
  projectStorageBytes: number
}

export type StorageDeps = RetentionDeps & { blobs: BlobStore }

/** Files between two checks of whether this coordinator still has the task. */
const BATCH = 100

/**
 * Periodic task: deletes the oldest logs and artifacts until the installation and each project are within their limits,
 * and pauses after each file. The next run continues after a kill.
 */
export async function deleteBeyondStorage(
  deps: StorageDeps,
  { jobsPerSecond, ...limits }: StorageLimits & { jobsPerSecond: number },
  signal: AbortSignal,
): Promise<void> {
  let files = 0
  for await (const file of filesBeyondLimits(deps.engine.database, limits, signal)) {
    if (signal.aborted || (files++ % BATCH === 0 && !(await deps.mayGoOn()))) return
    if (await deleteFile(deps, file)) {
      const { kind, projectId, bytes } = file
      deps.onRetired({ kind, projectId, number: 1, bytes })
    }
    await pause(1000 / jobsPerSecond, signal)
  }
}

/**
 * The files that have to be deleted, the oldest first: each counts as deleted when the next one is asked for. Reads the
 * sizes of all files first, if there is a limit.
 */
export async function* filesBeyondLimits(
  database: Database,
  { storageBytes, projectStorageBytes }: StorageLimits,
  signal: AbortSignal,
): AsyncGenerator<LogOrArtifact> {
  if (storageBytes === 0 && projectStorageBytes === 0) return
  const sizes = await measureFiles(database, signal)
  let excess = excessOf(
    [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0),
    storageBytes,
  )
  const excesses = new Map<number, number>()
  for (const [projectId, bytes] of sizes) {
    if (excessOf(bytes, projectStorageBytes) > 0)
      excesses.set(projectId, excessOf(bytes, projectStorageBytes))
  }
  const isWanted = (projectId: number): boolean => excess > 0 || excesses.has(projectId)
  if (excess <= 0 && excesses.size === 0) return
  for await (const file of oldestFiles(database, isWanted)) {
    // It was read before the limits were met.
    if (!isWanted(file.projectId)) continue
    yield file
    excess -= file.bytes
    const left = (excesses.get(file.projectId) ?? 0) - file.bytes
    if (left > 0) excesses.set(file.projectId, left)
    else excesses.delete(file.projectId)
    if (excess <= 0 && excesses.size === 0) return
  }
}

function excessOf(bytes: number, limit: number): number {
  return limit === 0 ? 0 : bytes - limit
}

/** False if somebody else has deleted it. */
async function deleteFile({ engine, traces, blobs }: StorageDeps, file: LogOrArtifact): Promise<boolean> {
  if (file.kind === 'artifacts') return deleteArtifact(engine.database, blobs, file.artifact)
  // The row says that there is a log until the file is deleted.
  await traces.delete({ id: file.jobId, project_id: file.projectId })
  await forgetLog(engine.database, file.jobId)
  return true
}
