import type { Artifacts } from './artifacts/artifacts.js'
import type { Caches } from './caches/caches.js'
import type { PartialUploads } from './partial-uploads.js'
import type { Traces } from './traces.js'

/**
 * Deletes the traces, artifacts, caches and unfinished uploads of a project whose rows are already deleted.
 */
export async function deleteProjectFiles(
  stores: { artifacts: Artifacts; caches: Caches; uploads: PartialUploads; traces: Traces },
  projectId: number,
): Promise<void> {
  await stores.artifacts.deleteProject(projectId)
  await stores.caches.deleteProject(projectId)
  await stores.uploads.deleteProject(projectId)
  await stores.traces.deleteProject(projectId)
}
