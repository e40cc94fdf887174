import { FileText, FolderOpen, PanelsTopLeft } from 'lucide'

import { projectApi } from '../../addresses/first-reads.js'
import type { ExposedArtifacts } from '../../coordinator/ci/pipelines/exposed-artifacts/schema.js'
import { useRead, useRefetchOn } from '../api/use-read.js'
import { Icon } from '../kit/icon.js'
import styles from './exposed-links.module.css'

const ICONS = { page: PanelsTopLeft, file: FileText, folder: FolderOpen }

interface ExposedLinksProps {
  project: string
  pipelineId: number
  /** Changes when there may be others. */
  version: string
}

/** Links to the artifacts that jobs of a pipeline expose; nothing if there are none. */
export function ExposedLinks({ project, pipelineId, version }: ExposedLinksProps) {
  const list = useRead<ExposedArtifacts[]>(`${projectApi(project)}/pipelines/${pipelineId}/exposed_artifacts`)
  useRefetchOn(`${pipelineId} ${version}`, list)
  if (!list.data?.length) return null
  return (
    <ul class={styles['links']} aria-label="Exposed artifacts">
      {list.data.map(({ text, url, kind, job_id: jobId, job_name: job }) => (
        <li key={`${jobId} ${text}`}>
          <a href={url} title={`Artifacts of ${job}`} {...(kind === 'page' && { target: '_blank' })}>
            <Icon icon={ICONS[kind]} /> {text}
          </a>
        </li>
      ))}
    </ul>
  )
}
