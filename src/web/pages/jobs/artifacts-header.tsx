import type { ComponentChildren } from 'preact'

import { addressOf } from '../../../addresses/address-of.js'
import type { DetailedJob } from '../../../coordinator/ci/jobs/schema.js'
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
      title={<Crumbs params={params} path={path} />}
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

function Crumbs({ params, path }: { params: { project: string; id: string }; path: string }) {
  const segments = path === '' ? [] : path.split('/')
  const at = (count: number) =>
    addressOf('jobs/artifacts', { ...params, path: segments.slice(0, count).join('/') })
  return (
    <span class={styles['crumbs']}>
      {segments.length === 0 ? <span>Artifacts</span> : <a href={at(0)}>Artifacts</a>}
      {segments.map((segment, index) => (
        <span key={index} class={styles['crumb']}>
          <span class={styles['slash']}>/</span>
          {index === segments.length - 1 ? <span>{segment}</span> : <a href={at(index + 1)}>{segment}</a>}
        </span>
      ))}
    </span>
  )
}
