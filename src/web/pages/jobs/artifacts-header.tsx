import type { ComponentChildren } from 'preact'

import { addressOf } from '../../../addresses/address-of.js'
import type { DetailedJob } from '../../../coordinator/ci/jobs/schema.js'
import { PathCrumbs } from '../../code/path-crumbs.js'
import { formatBytes } from '../../kit/bytes.js'
import { PageHeader } from '../../kit/panel.js'
import { shownStatus, StatusIcon } from '../../kit/status.js'
import styles from './artifacts-header.module.css'
import { ArtifactsLifetime } from './artifacts-lifetime.js'

interface ArtifactsHeaderProps {
  project: string
  job: DetailedJob
  /** Of a folder or file in the archive; empty for its top. */
  path: string
  actions?: ComponentChildren
}

/** What the pages of artifacts begin with: the path in the archive, and the job that it is of. */
export function ArtifactsHeader({ project, job, path, actions }: ArtifactsHeaderProps) {
  const params = { project, id: String(job.id) }
  return (
    <PageHeader
      title={
        <PathCrumbs
          root="Artifacts"
          path={path}
          hrefOf={(folder) => addressOf('jobs/artifacts', { ...params, path: folder })}
          class={styles['crumbs']}
        />
      }
      details={
        <>
          <a class={styles['job']} href={addressOf('jobs/job', params)}>
            <StatusIcon status={shownStatus(job)} />
            {job.name} #{job.id}
          </a>
          <a href={addressOf('pipelines/pipeline', { project, id: String(job.pipeline.id) })}>
            Pipeline #{job.pipeline.id}
          </a>
          {job.artifacts_file && (
            <>
              <span>{formatBytes(job.artifacts_file.size)} packed</span>
              <ArtifactsLifetime job={job} />
            </>
          )}
        </>
      }
      actions={actions}
    />
  )
}
