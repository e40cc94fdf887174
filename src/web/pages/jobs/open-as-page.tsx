import { PanelsTopLeft } from 'lucide'

import type { ArtifactTreeEntry } from '../../../coordinator/ci/jobs/artifacts/tree-schema.js'
import { usePagedRows } from '../../api/use-paged-rows.js'
import { LinkButton } from '../../kit/button.js'
import { artifactsPath, openAddress } from './artifact-paths.js'

interface OpenAsPageProps {
  project: string
  jobId: number
  /** Of a folder in the archive; empty for its top. */
  folder: string
  size?: 'small' | 'normal'
}

const INDEX = 'index.html'
/** Entries whose names contain that of the page; more are not read. */
const MAX_FOUND = 50

/** A link to the page of a folder, if it has one. */
export function OpenAsPage({ project, jobId, folder, size = 'normal' }: OpenAsPageProps) {
  const { count, rowAt } = usePagedRows<ArtifactTreeEntry>(`${artifactsPath(project, jobId)}/tree`, {
    path: folder || undefined,
    search: INDEX,
  })
  const found = Array.from({ length: Math.min(count, MAX_FOUND) }, (_, index) => rowAt(index))
  const hasIndex = found.some((entry) => entry?.type === 'file' && entry.name === INDEX)
  if (!hasIndex) return null
  const address = openAddress(project, jobId, folder === '' ? '' : `${folder}/`)
  return (
    <LinkButton icon={PanelsTopLeft} size={size} target="_blank" href={address}>
      Open as page
    </LinkButton>
  )
}
