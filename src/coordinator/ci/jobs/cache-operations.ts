import { Type } from 'typebox'

import { CACHE_CONTENT_HEADER } from '../../../protocol/cache.js'
import type { Database } from '../../database/connect.js'
import { type ApiError, apiError } from '../../http/errors.js'
import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { described } from '../../http/parameters/described.js'
import type { Caches } from '../storage/caches/caches.js'
import { BlobTooLargeError } from '../storage/errors.js'
import { readBody } from './artifacts/read-body.js'
import { authenticateJob, jobTokenOf } from './authenticate-job.js'
import { CacheKey, headersOf, identifyCache, sendCache, SENT_CACHE, WantedCache } from './send-cache.js'

export interface CacheOperationsDeps {
  database: Database
  caches: Caches
}

const OfJob = Type.Object({ id: described(Type.Integer(), 'ID of the job.') })
const Place = Type.Object({ ...OfJob.properties, key: CacheKey })
const WantedPlace = Type.Object({ ...OfJob.properties, ...WantedCache.properties })

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
      responses: SENT_CACHE,
      run: async ({ params, request }) => {
        const job = await authenticateJob(database, params.id, jobTokenOf(request.headers))
        return sendCache(caches, identifyCache(job, params.key), request, params)
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

/** Ignores malformed digests, because the digest is sent back in a header. */
function contentOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\w:.-]{1,128}$/.test(header) ? header : undefined
}

function tooLarge(cause: Error): ApiError {
  return apiError('body_too_large', {}, { cause })
}
