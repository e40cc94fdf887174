import { queryOf } from '../../../addresses/address-of.js'
import { projectApi } from '../../../addresses/first-reads.js'
import type { DetailedPipeline } from '../../../coordinator/ci/pipelines/details/schema.js'
import { patch, useRead } from '../../api/use-read.js'
import { useLive } from '../../live/use-live.js'
import { withPipeline } from '../../records/patch-pipelines.js'
import type { ShownProject } from './shown-project.js'

const COUNT = 20

/** The latest pipelines of the default branch, the newest first, as they change. */
export function useBranchPipelines(project: ShownProject, mayRead: boolean) {
  const branch = project.default_branch
  const path =
    mayRead && branch !== null
      ? `${projectApi(project.path_with_namespace)}/pipelines${queryOf({ ref: branch, with_details: true, per_page: COUNT })}`
      : undefined
  const read = useRead<DetailedPipeline[]>(path)
  useLive(
    path === undefined ? [] : [`project/${project.id}`],
    {
      pipeline: (message) => {
        if (message.project_id !== project.id || message.ref !== branch || !read.data || path === undefined)
          return
        const changed = withPipeline(read.data, message)
        if (changed) patch<DetailedPipeline[]>(path, () => changed)
        else void read.refetch()
      },
      'pipeline-deleted': ({ id }) => {
        if (read.data?.some((row) => row.id === id)) void read.refetch()
      },
    },
    () => void read.refetch(),
  )
  return { ...read, isShown: path !== undefined }
}
