import { projectApi } from '../../../addresses/first-reads.js'
import type { BranchSummary } from '../../../coordinator/hosting/branches/schema.js'
import { chunkPaths, useInChunks } from '../../records/use-in-chunks.js'

/** Branches in one request. Their names may be long. */
const CHUNK = 25

/** How far branches are from the default branch, and their latest pipelines, by name, as they become known. */
export function useBranchSummaries(
  project: string,
  names: readonly string[],
): ReadonlyMap<string, BranchSummary> {
  const path = `${projectApi(project)}/repository/branch_summaries`
  return useInChunks<BranchSummary>(chunkPaths(path, 'branches', names, CHUNK), ({ name }) => name)
}
