import { Readable } from 'node:stream'

import { Type } from 'typebox'

import { CACHE_CONTENT_HEADER, MAX_CACHE_KEY_LENGTH } from '../../../protocol/cache.js'
import type { Database } from '../../database/connect.js'
import type { JobRow } from '../../database/tables/pipeline-rows.js'
import { type ApiError, apiError, notFound } from '../../http/errors.js'
import { NoBody, type Operation, operation, respond, StreamResponse } from '../../http/operation.js'
import { described } from '../../http/parameters/described.js'
import type { DownloadHeaders } from '../storage/blob-store.js'
import type { CachedArchive, CacheId, Caches } from '../storage/caches/caches.js'
import { BlobTooLargeError } from '../storage/errors.js'
import { unlessDeleted } from '../storage/unless-deleted.js'
import { readBody } from './artifacts/read-body.js'
import { authenticateJob, jobTokenOf } from './authenticate-job.js'
import { type AskedBytes, sendBytes } from './send-bytes.js'

export interface CacheOperationsDeps {
  database: Database
  caches: Caches
}

const CONTENT_TYPE = 'application/zip'

const Place = Type.Object({
  id: described(Type.Integer(), 'ID of the job.'),
  key: described(Type.String({ minLength: 1, maxLength: MAX_CACHE_KEY_LENGTH }), 'Key of the cache.'),
})

const WantedPlace = Type.Object({
  ...Place.properties,
  direct_download: described(
    Type.Optional(Type.Boolean()),
    'Whether the response may be a redirect to the store of the archives.',
  ),
})

/**
 * The caches of a project, for its running jobs (see `protocol/cache.ts`). The coordinator itself determines
 * the project and whether the ref of the job is protected. Nothing in the request can reach the caches of the
 * other kind (architecture, decision 11).
 */
export function cacheOperations({ database, caches }: CacheOperationsDeps): Operation[] {
  return [
    operation('GET /jobs/:id/cache', {
      summary: 'Restore a cache',
      access: 'anyone',
      params: WantedPlace,
      responses: {
        200: Type.Unknown({ description: 'Archive of the cache, as zip' }),
        302: NoBody,
        304: NoBody,
      },
      run: async ({ params, request }) => {
        const job = await authenticateJob(database, params.id, jobTokenOf(request.headers))
        const archive = await caches.find(identifyCache(job, params.key))
        if (!archive) throw notFound('Cache')
        const headers = headersOf(archive)
        if (request.method === 'HEAD') return withoutBytes(archive, headers)
        await caches.recordUse(archive)
        if (request.headers['if-none-match'] === headers['etag']) return respond(304, undefined, headers)
        const mayRedirect = params.direct_download === true
        return await send(caches, archive, { headers, mayRedirect }, request.headers)
      },
    }),
    operation('PUT /jobs/:id/cache', {
      summary: 'Save a cache',
      access: 'anyone',
      params: Place,
      body: 'stream',
      responses: { 201: NoBody },
      run: async ({ params, request }) => {
        const job = await authenticateJob(database, params.id, jobTokenOf(request.headers))
        const content = contentOf(request.headers[CACHE_CONTENT_HEADER])
        const archive = await readBody(request.raw, (body) =>
          caches.save(identifyCache(job, params.key), content, body),
        ).catch((error: unknown) => {
          throw error instanceof BlobTooLargeError ? tooLarge(error) : error
        })
        return respond(201, undefined, headersOf(archive))
      },
    }),
  ]
}

function identifyCache(job: JobRow, key: string): CacheId {
  return { projectId: job.project_id, isProtected: job.protected, key }
}

/** A strong entity tag: equal tags mean equal bytes. */
function headersOf({ sha256, content }: CachedArchive): Record<string, string> {
  return { etag: `"${sha256}"`, ...(content === null ? {} : { [CACHE_CONTENT_HEADER]: content }) }
}

/** The headers that GET would send. Does not open the archive and does not count as a use. */
function withoutBytes({ size }: CachedArchive, headers: Record<string, string>): StreamResponse {
  const all = { ...headers, 'accept-ranges': 'bytes', 'content-length': String(size) }
  return new StreamResponse(Readable.from([]), CONTENT_TYPE, all)
}

async function send(
  caches: Caches,
  archive: CachedArchive,
  { headers, mayRedirect }: { headers: Record<string, string>; mayRedirect: boolean },
  asked: AskedBytes,
) {
  const open = (part?: { start: number; end: number }) => caches.open(archive, part)
  const bytes = {
    size: archive.size,
    contentType: CONTENT_TYPE,
    etag: headers['etag'],
    headers,
    open,
    ...(mayRedirect && {
      directUrl: (ofDownload: DownloadHeaders) => caches.downloadUrl(archive, ofDownload),
    }),
  }
  const isNamed = () => caches.isInUse(archive.blob_key)
  const sent = await unlessDeleted(() => sendBytes(bytes, asked), isNamed)
  // The archive was replaced between lookup and opening. A 503 makes the client retry.
  if (!sent) throw apiError('service_unavailable', {}, { headers: { 'retry-after': '0' } })
  return sent
}

/** Ignores malformed digests, because the digest is sent back in a header. */
function contentOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\w:.-]{1,128}$/.test(header) ? header : undefined
}

function tooLarge(cause: Error): ApiError {
  return apiError('body_too_large', {}, { cause })
}
