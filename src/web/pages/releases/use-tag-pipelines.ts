import { projectApi } from '../../../addresses/first-reads.js'
import { useRead } from '../../api/use-read.js'
import { useProjectAbilities } from '../../frame/use-abilities.js'

export interface TagPipeline {
  id: number
  ref: string
  status: string
}

/** The latest pipeline of each tag, by its name, among the latest hundred tags. */
export function useTagPipelines(project: string): ReadonlyMap<string, TagPipeline> {
  const { may } = useProjectAbilities(project)
  const path = `${projectApi(project)}/pipelines?scope=tags&per_page=100`
  const { data = [] } = useRead<TagPipeline[]>(may('read_pipelines') ? path : undefined)
  return new Map(data.toReversed().map((pipeline) => [pipeline.ref, pipeline]))
}
