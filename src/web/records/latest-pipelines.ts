import { type Query, queryOf } from '../../addresses/address-of.js'
import { projectApi } from '../../addresses/first-reads.js'
import { useRead } from '../api/use-read.js'
import { useProjectAbilities } from '../frame/use-abilities.js'

export interface LatestPipeline {
  id: number
  ref: string
  sha: string
  status: string
}

/**
 * The latest pipeline of each commit, by SHA, among the latest hundred of the project.
 * @param ref of the pipelines; undefined for all of them
 */
export function useCommitPipelines(project: string, ref?: string): ReadonlyMap<string, LatestPipeline> {
  return useLatestPipelines(project, 'sha', { ref })
}

/**
 * The latest pipeline of each commit, as far as it is among the latest hundred of the project or of the branch: in a busy
 * project, the history of a branch is longer than that of the latest hundred pipelines of the project.
 */
export function useHistoryPipelines(project: string, ref: string): ReadonlyMap<string, LatestPipeline> {
  const ofRef = useCommitPipelines(project, ref)
  const all = useCommitPipelines(project)
  return new Map([...ofRef, ...all])
}

/** The latest pipeline of each tag, by its name, among the latest hundred tags. */
export function useTagPipelines(project: string): ReadonlyMap<string, LatestPipeline> {
  return useLatestPipelines(project, 'ref', { scope: 'tags' })
}

function useLatestPipelines(
  project: string,
  key: 'ref' | 'sha',
  query: Query,
): ReadonlyMap<string, LatestPipeline> {
  const { may } = useProjectAbilities(project)
  const path = `${projectApi(project)}/pipelines${queryOf({ ...query, per_page: 100 })}`
  const { data = [] } = useRead<LatestPipeline[]>(may('read_pipelines') ? path : undefined)
  // The newest comes first, and replaces the ones before it.
  return new Map(data.toReversed().map((pipeline) => [pipeline[key], pipeline]))
}
