import { PanelsTopLeft } from 'lucide'

import { queryOf } from '../../../addresses/address-of.js'
import type { ArtifactTreeEntry } from '../../../coordinator/ci/jobs/artifacts/tree-schema.js'
import { useRead } from '../../api/use-read.js'
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

/** A link to the page of a folder, if it has one. */
export function OpenAsPage({ project, jobId, folder, size = 'normal' }: OpenAsPageProps) {
  const query = queryOf({ path: folder || undefined, search: INDEX })
  const found = useRead<ArtifactTreeEntry[]>(`${artifactsPath(project, jobId)}/tree${query}`)
  const hasIndex = found.data?.some(({ type, name }) => type === 'file' && name === INDEX) ?? false
  if (!hasIndex) return null
  const address = openAddress(project, jobId, folder === '' ? '' : `${folder}/`)
  return (
    <LinkButton icon={PanelsTopLeft} size={size} target="_blank" href={address}>
      Open as page
    </LinkButton>
  )
}
