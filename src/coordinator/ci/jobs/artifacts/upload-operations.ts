import type { IncomingMessage } from 'node:http'

import { Type } from 'typebox'

import { formatOfArtifactType } from '../../../../protocol/artifact-type.js'
import { parseUploadOffset, UPLOAD_OFFSET_HEADER } from '../../../../protocol/resumable-upload.js'
import type { Database } from '../../../database/connect.js'
import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import { type ApiError, apiError, invalidParameters } from '../../../http/errors.js'
import { NoBody, type Operation, operation, respond } from '../../../http/operation.js'
import { described } from '../../../http/parameters/described.js'
import { BlobTooLargeError } from '../../storage/errors.js'
import type { PartialUploads, UploadId } from '../../storage/partial-uploads.js'
import { authenticateJob, jobTokenOf } from '../authenticate-job.js'
import { readBody } from './read-body.js'
import { storeTestReport } from './store-test-report.js'
import { artifactOf, expectStored, tooLarge, type UploadDeps, UploadParams } from './upload-artifact.js'

export interface UploadOperationsDeps extends Pick<UploadDeps, 'artifacts' | 'expireSeconds'> {
  database: Database
  uploads: PartialUploads
}

const Address = Type.Object({
  id: described(Type.Integer(), 'ID of the job.'),
  type: described(Type.String(), 'Type of the artifact, such as `archive` or `junit`.'),
})
const Completion = Type.Object({
  ...Address.properties,
  ...UploadParams.properties,
  filename: described(Type.String({ minLength: 1, maxLength: 255 }), 'Name of the file.'),
  size: described(Type.Integer({ minimum: 0 }), 'Size of the whole file, in bytes.'),
  sha256: described(
    Type.String({ pattern: '^[0-9a-f]{64}$' }),
    'SHA-256 digest of the whole file, in hexadecimal.',
  ),
})

/**
 * Resumable uploads: they continue after a lost connection or a restart of runner or coordinator (see
 * `protocol/resumable-upload.ts`).
 */
export function uploadOperations(deps: UploadOperationsDeps): Operation[] {
  const { database } = deps
  return [
    operation('GET /jobs/:id/artifacts/uploads/:type', {
      summary: 'Get the number of uploaded bytes of an artifact',
      access: 'anyone',
      params: Address,
      responses: { 204: NoBody },
      run: async ({ params, request }) => {
        const job = await authenticateJob(database, params.id, jobTokenOf(request.headers))
        return respond(204, undefined, offsetHeader(await sizeOf(deps, job, uploadIdOf(job, params.type))))
      },
    }),
    operation('PATCH /jobs/:id/artifacts/uploads/:type', {
      summary: 'Append bytes to an incomplete artifact upload',
      access: 'anyone',
      params: Address,
      body: 'stream',
      responses: { 204: NoBody },
      run: async ({ params, request }) => {
        const job = await authenticateJob(database, params.id, jobTokenOf(request.headers))
        const size = await append(deps, uploadIdOf(job, params.type), request.raw)
        return respond(204, undefined, offsetHeader(size))
      },
    }),
    operation('POST /jobs/:id/artifacts/uploads/:type', {
      summary: 'Complete an artifact upload',
      access: 'anyone',
      params: Completion,
      responses: { 201: Type.Integer() },
      run: async ({ params, request }) => {
        const job = await authenticateJob(database, params.id, jobTokenOf(request.headers))
        const completed = { ...params, artifact_type: params.type }
        await complete(deps, job, uploadIdOf(job, params.type), completed)
        return respond(201, 201)
      },
    }),
  ]
}

/** Reports that are parsed before they are stored. */
const SENT_AT_ONCE = ['dotenv', 'annotations']

/**
 * The types are a fixed list, so that no name can escape the folder. Reports that are parsed on arrival are
 * too small for resumable uploads.
 */
function uploadIdOf(job: JobRow, type: string): UploadId {
  if (SENT_AT_ONCE.includes(type)) {
    throw apiError('report_not_resumable', { type })
  }
  if (!formatOfArtifactType(type)) throw invalidParameters('artifact_type does not have a valid value')
  return { projectId: job.project_id, jobId: job.id, name: type }
}

/** A stored artifact is complete: the response to the last call may have been lost. */
async function sizeOf({ uploads, artifacts }: UploadOperationsDeps, job: JobRow, upload: UploadId) {
  return (await uploads.size(upload)) || ((await artifacts.find(job.id, upload.name))?.size ?? 0)
}

async function append(
  { uploads, artifacts }: UploadOperationsDeps,
  upload: UploadId,
  request: IncomingMessage,
): Promise<number> {
  const offset = parseUploadOffset(request.headers[UPLOAD_OFFSET_HEADER])
  const appended = await readBody(request, async (body) => {
    if (offset === undefined) throw apiError('header_missing', { header: UPLOAD_OFFSET_HEADER })
    return uploads.append(upload, offset, body, await artifacts.limitOf(upload.projectId))
  }).catch((error: unknown) => {
    throw error instanceof BlobTooLargeError ? tooLarge(error) : error
  })
  if (appended.kind === 'conflict') throw wrongOffset(appended.size)
  return appended.size
}

async function complete(
  deps: UploadOperationsDeps,
  job: JobRow,
  upload: UploadId,
  params: { filename: string; size: number; sha256: string } & Parameters<typeof artifactOf>[1],
): Promise<void> {
  const { uploads, artifacts } = deps
  const artifact = await artifactOf(deps, params, params.filename)
  const result = await uploads.finish(upload, async (file, measured) => {
    if (measured.size < params.size) throw wrongOffset(measured.size)
    const isWhole = measured.size === params.size && measured.sha256 === params.sha256
    const stored = isWhole ? await artifacts.storeFile(job, artifact, file, measured) : undefined
    await uploads.remove(upload)
    if (!stored) throw wrongOffset(0)
    return stored
  })
  expectStored(result ?? (await storedBefore(deps, job, params.sha256, upload)))
  if (upload.name === 'junit') await storeTestReport(artifacts, job)
}

/** No upload is in progress: it is already complete, or has not started. */
async function storedBefore(
  { artifacts }: UploadOperationsDeps,
  job: JobRow,
  sha256: string,
  { name }: UploadId,
) {
  const present = await artifacts.find(job.id, name)
  if (!present) throw wrongOffset(0)
  return { kind: present.sha256 === sha256 ? 'same' : 'different' } as const
}

function wrongOffset(size: number): ApiError {
  return apiError('upload_offset_mismatch', { size }, { headers: offsetHeader(size) })
}

function offsetHeader(size: number): Record<string, string> {
  return { [UPLOAD_OFFSET_HEADER]: String(size) }
}
