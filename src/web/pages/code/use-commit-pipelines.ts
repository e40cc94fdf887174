import { queryOf } from '../../../addresses/address-of.js'
import { projectApi } from '../../../addresses/first-reads.js'
import { useRead } from '../../api/use-read.js'
import { useProjectAbilities } from '../../frame/use-abilities.js'

interface ShaPipeline {
  id: number
  sha: string
  status: string
}

/**
 * The latest pipeline of each commit, by SHA, among the latest hundred of the project.
 * @param ref of the pipelines; undefined for all of them
 */
export function useCommitPipelines(project: string, ref?: string): ReadonlyMap<string, ShaPipeline> {
  const { may } = useProjectAbilities(project)
  const path = `${projectApi(project)}/pipelines${queryOf({ ref, per_page: 100 })}`
  const { data = [] } = useRead<ShaPipeline[]>(may('read_pipelines') ? path : undefined)
  // The newest comes first, and replaces the ones before it.
  return new Map(data.toReversed().map((pipeline) => [pipeline.sha, pipeline]))
}

/**
 * The latest pipeline of each commit, as far as it is among the latest hundred of the project or of the branch: in a busy
 * project, the history of a branch goes back further than the pipelines of all of them.
 */
export function useHistoryPipelines(project: string, ref: string): ReadonlyMap<string, ShaPipeline> {
  const ofRef = useCommitPipelines(project, ref)
  const all = useCommitPipelines(project)
  return new Map([...ofRef, ...all])
}
