import { posix } from 'node:path'

import type { JobArtifact } from '../../protocol/job-payload.js'
import type { ArtifactQuery } from '../client/coordinator-client.js'
import { expandText } from '../variables/job-variables.js'

const FORMATS = ['zip', 'gzip', 'raw'] as const
export type ArtifactFormat = (typeof FORMATS)[number]

/** How to upload one artifact: everything except its bytes. Serializable as JSON. */
export interface UploadPlan {
  /** `archive` or the type of a report. */
  type: string
  format: ArtifactFormat
  fileName: string
  query: ArtifactQuery
}

/** The plan for an artifact. Undefined for an unknown format (runner protocol, 2.10 and 5.1). */
export function planUpload(
  artifact: JobArtifact,
  values: ReadonlyMap<string, string>,
): UploadPlan | undefined {
  const format = FORMATS.find((known) => known === (artifact.artifact_format || 'zip'))
  if (format === undefined) return undefined
  return {
    type: artifact.artifact_type || 'archive',
    format,
    fileName: `${baseName(artifact, values)}${EXTENSIONS[format]}`,
    query: {
      expireIn: artifact.expire_in ?? undefined,
      format: artifact.artifact_format ?? undefined,
      type: artifact.artifact_type,
    },
  }
}

const EXTENSIONS: Record<ArtifactFormat, string> = { zip: '.zip', gzip: '.gz', raw: '' }

/** The last element of the name, with variables expanded (runner protocol, 5.1). */
function baseName(artifact: JobArtifact, values: ReadonlyMap<string, string>): string {
  const base = posix.basename(expandText(artifact.name || 'artifacts', values))
  return base === '' || base === '.' || base === '..' ? 'default' : base
}

/** Whether the `when` of an artifact matches the result of the job, and the artifact selects any files. */
export function isWanted(artifact: JobArtifact, isSuccess: boolean): boolean {
  const isEmpty = !artifact.untracked && !artifact.paths?.length
  if (isEmpty) return false
  const when = artifact.when ?? 'on_success'
  return when === 'always' || (when === 'on_success') === isSuccess
}
