import { projectApi } from '../../addresses/first-reads.js'
import { useRead } from '../api/use-read.js'
import { useProjectAbilities } from '../frame/use-abilities.js'
import { chunkPaths, useInChunks } from './use-in-chunks.js'

export interface LatestPipeline {
  id: number
  ref: string
  sha: string
  status: string
}

/** Commits in one request. */
const CHUNK = 50

/** The latest pipeline of each commit, by SHA, as they become known. */
export function useCommitPipelines(
  project: string,
  shas: readonly string[],
): ReadonlyMap<string, LatestPipeline> {
  const { may } = useProjectAbilities(project)
  const path = `${projectApi(project)}/pipelines/by_commit`
  const wanted = may('read_pipelines') ? [...new Set(shas)] : []
  return useInChunks<LatestPipeline>(chunkPaths(path, 'shas', wanted, CHUNK), ({ sha }) => sha)
}

/** The latest pipeline of each tag, by its name, among the latest hundred tags. */
export function useTagPipelines(project: string): ReadonlyMap<string, LatestPipeline> {
  const { may } = useProjectAbilities(project)
  const path = `${projectApi(project)}/pipelines?scope=tags&per_page=100`
  const { data = [] } = useRead<LatestPipeline[]>(may('read_pipelines') ? path : undefined)
  return new Map(data.map((pipeline) => [pipeline.ref, pipeline]))
}
