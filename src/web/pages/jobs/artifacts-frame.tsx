import type { ComponentChildren } from 'preact'

import type { DetailedJob } from '../../../coordinator/ci/jobs/schema.js'
import { Read } from '../../frame/problem.js'
import { useProjectAbilities } from '../../frame/use-abilities.js'
import type { useJob } from '../../job-log/use-job.js'
import { readersInstead } from './artifact-readers.js'
import { ArtifactsHeader } from './artifacts-header.js'
import { ArtifactsOrReason } from './no-artifacts.js'

interface ArtifactsFrameProps {
  title: string
  project: string
  job: ReturnType<typeof useJob>['job']
  /** Of a folder or file in the archive; empty for its top. */
  path: string
  actions: (job: DetailedJob, isShown: boolean) => ComponentChildren
  /** The artifacts, if they are there and the reader may see them. */
  children: (job: DetailedJob) => ComponentChildren
}

/** A page of the artifacts of a job: its heading, and the artifacts or why there are none to see. */
export function ArtifactsFrame({ title, project, job, path, actions, children }: ArtifactsFrameProps) {
  const abilities = useProjectAbilities(project)
  return (
    <Read of={job} title={title}>
      {(record) => {
        const readers = abilities.isLoaded ? readersInstead(record, abilities) : undefined
        const isShown = record.artifacts_file !== undefined && readers === undefined
        return (
          <>
            <ArtifactsHeader
              project={project}
              job={record}
              path={isShown ? path : ''}
              actions={actions(record, isShown)}
            />
            <ArtifactsOrReason project={project} job={record} readers={readers}>
              {abilities.isLoaded && children(record)}
            </ArtifactsOrReason>
          </>
        )
      }}
    </Read>
  )
}
