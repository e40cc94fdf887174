import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'

import { parseDuration } from '../../../ci-config/duration.js'
import { formatOfArtifactType } from '../../../protocol/artifact-type.js'
import type { EngineDeps } from '../../engine/engine-deps.js'
import type { JobRow } from '../../engine/rows.js'
import { ApiError, badRequest, invalidParameters } from '../../http/errors.js'
import type { Artifact, Artifacts } from '../../storage/artifacts.js'
import { BlobTooLargeError } from '../../storage/errors.js'
import { readUpload } from './read-upload.js'
import { uploadDotenv } from './upload-dotenv.js'

/** The query of an upload (runner protocol, 5.1). */
export interface UploadQuestion {
  artifact_type?: string | undefined
  artifact_format?: string | undefined
  expire_in?: string | undefined
}

export interface UploadDeps extends Pick<EngineDeps, 'database' | 'secrets'> {
  artifacts: Artifacts
  /** Time that artifacts are kept when the job does not say; 0 = for ever. */
  expireSeconds: number
}

/** Streams the one file of a multipart request into the store. Throws 400 and 413 as the protocol has them. */
export async function uploadArtifact(
  deps: UploadDeps,
  job: JobRow,
  question: UploadQuestion,
  request: IncomingMessage,
): Promise<void> {
  const file_type = question.artifact_type || 'archive'
  const file_format = formatOf(file_type, question.artifact_format)
  const expire_at = expiryOf(question.expire_in, deps.expireSeconds)
  const result = await readUpload(request, (filename, body) => {
    const store = (content: Readable) =>
      deps.artifacts.store(job, { file_type, file_format, filename, expire_at }, content)
    return file_type === 'dotenv' ? uploadDotenv(deps, job.id, body, store) : store(body)
  }).catch((error: unknown) => {
    throw error instanceof BlobTooLargeError ? tooLarge(error) : error
  })
  if (result.kind === 'different') throw badRequest('another artifact of the same type already exists')
}

/** Each type has its one format; the archive's is what is meant when none is named (runner protocol, 2.10). */
function formatOf(type: string, given: string | undefined): Artifact['file_format'] {
  const format = formatOfArtifactType(type)
  if (!format) throw invalidParameters('artifact_type does not have a valid value')
  const named = (given || 'zip').toLowerCase()
  if (named === format) return format
  if (!['zip', 'gzip', 'raw'].includes(named))
    throw invalidParameters('artifact_format does not have a valid value')
  throw badRequest('Invalid file format with specified file type')
}

/** Milliseconds since 1970; null = kept for ever (CI language, 16.5). */
function expiryOf(text: string | undefined, defaultSeconds: number): number | null {
  if (text?.trim().toLowerCase() === 'never') return null
  const seconds = text ? parseDuration(text) : defaultSeconds
  if (seconds === undefined) throw invalidParameters('expire_in is invalid')
  return seconds === 0 ? null : Date.now() + seconds * 1000
}

function tooLarge(cause: Error): ApiError {
  return new ApiError(413, { message: '413 Request Entity Too Large' }, {}, { cause })
}
