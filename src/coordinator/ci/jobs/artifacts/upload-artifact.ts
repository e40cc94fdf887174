import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'

import { type Static, Type } from 'typebox'

import { parseDuration } from '../../../../ci-config/duration.js'
import { formatOfArtifactType } from '../../../../protocol/artifact-type.js'
import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import { ApiError, apiError, invalidParameters } from '../../../http/errors.js'
import { described } from '../../../http/parameters/described.js'
import type { UploadSpool } from '../../../http/parameters/upload-spool.js'
import type { EngineDeps } from '../../engine/engine-deps.js'
import type { Artifact, Artifacts, ArtifactUpload, StoreResult } from '../../storage/artifacts/artifacts.js'
import { BlobTooLargeError } from '../../storage/errors.js'
import { readUpload, type UploadFields } from './read-upload.js'
import { storeTestReport } from './store-test-report.js'
import { uploadAnnotations } from './upload-annotations.js'
import { uploadDotenv } from './upload-dotenv.js'

/** The parameters of an upload, in the query or in the form (runner protocol, 5.1). */
export const UploadParams = Type.Object({
  artifact_type: described(Type.Optional(Type.String()), 'Type of the artifact; `archive` by default.'),
  artifact_format: described(
    Type.Optional(Type.String()),
    'Format of the artifact: `zip`, `gzip` or `raw`; the usual format of its type by default.',
  ),
  expire_in: described(Type.Optional(Type.String()), 'Time until the artifact expires, such as `1 week`.'),
})
export type UploadParams = Static<typeof UploadParams>

export interface UploadDeps extends Pick<EngineDeps, 'database' | 'secrets'> {
  artifacts: Artifacts
  /** Default retention in seconds if the job sets none; 0 = unlimited. */
  expireSeconds: () => Promise<number>
  spool: UploadSpool
}

/**
 * Streams the one file of a multipart request into the store. A file whose type is not known before it is first written
 * to the spool: fields of the form may follow it. Throws 400 and 413 as the protocol has them.
 */
export async function uploadArtifact(
  deps: UploadDeps,
  job: JobRow,
  params: UploadParams,
  request: IncomingMessage,
): Promise<void> {
  await artifactOf(deps, params, '')
  const { result, artifact } = await readUpload(request, async (filename, body, fields) => {
    const store = async (content: Readable) => {
      const artifact = await artifactOf(deps, { ...params, ...knownIn(fields) }, filename)
      return { artifact, result: await storeArtifact(deps, job, artifact, content) }
    }
    const { artifact_type, artifact_format } = { ...params, ...knownIn(fields) }
    if (artifact_type !== undefined && artifact_format !== undefined) return store(body)
    const limit = await deps.artifacts.limitOf(job.project_id)
    const file = await deps.spool.save(body, limit).catch((error: unknown) => {
      const isTooLarge = error instanceof ApiError && error.status === 413
      throw isTooLarge ? apiError('artifact_too_large', { max: limit }, { cause: error }) : error
    })
    try {
      await fields.complete
      return await store(file.open())
    } finally {
      await file.remove()
    }
  }).catch((error: unknown) => {
    throw error instanceof BlobTooLargeError ? tooLarge(error) : error
  })
  expectStored(result)
  if (artifact.file_type === 'junit') await storeTestReport(deps.artifacts, job)
}

function storeArtifact(
  deps: UploadDeps,
  job: JobRow,
  artifact: ArtifactUpload,
  body: Readable,
): Promise<Pick<StoreResult, 'kind'>> {
  const store = (content: Readable) => deps.artifacts.store(job, artifact, content)
  switch (artifact.file_type) {
    case 'dotenv':
      return uploadDotenv(deps, job.id, body, store)
    case 'annotations':
      return uploadAnnotations(body, store)
    default:
      return store(body)
  }
}

function knownIn({ values }: UploadFields): Partial<UploadParams> {
  return Object.fromEntries([...values].filter(([name]) => name in UploadParams.properties))
}

/** Validates the upload parameters. Throws 400. */
export async function artifactOf(
  { expireSeconds }: Pick<UploadDeps, 'expireSeconds'>,
  params: UploadParams,
  filename: string,
): Promise<ArtifactUpload> {
  const file_type = params.artifact_type || 'archive'
  const file_format = formatOf(file_type, params.artifact_format)
  const expire_at = expiryOf(params.expire_in, await expireSeconds())
  return { file_type, file_format, filename, expire_at }
}

/** Accepts a repeated upload of the same bytes. Throws 400 for different bytes. */
export function expectStored({ kind }: Pick<StoreResult, 'kind'>): void {
  if (kind === 'different') throw apiError('artifact_exists')
}

/**
 * Each type has exactly one format; without a format, that of the archive is assumed (runner protocol, 2.10).
 */
function formatOf(type: string, given: string | undefined): Artifact['file_format'] {
  const format = formatOfArtifactType(type)
  if (!format) throw invalidParameters('artifact_type does not have a valid value')
  const named = (given || 'zip').toLowerCase()
  if (named === format) return format
  if (!['zip', 'gzip', 'raw'].includes(named))
    throw invalidParameters('artifact_format does not have a valid value')
  throw apiError('artifact_format_invalid')
}

/** Milliseconds since 1970; null = never expires (CI language, 16.5). */
function expiryOf(text: string | undefined, defaultSeconds: number): number | null {
  if (text?.trim().toLowerCase() === 'never') return null
  const seconds = text ? parseDuration(text) : defaultSeconds
  if (seconds === undefined) throw invalidParameters('expire_in is invalid')
  return seconds === 0 ? null : Date.now() + seconds * 1000
}

/** 413 with the limit (CI language, 16.1). */
export function tooLarge(cause: BlobTooLargeError): ApiError {
  return apiError('artifact_too_large', { max: cause.maxBytes }, { cause })
}
