import { Readable } from 'node:stream'

import { type Static, Type } from 'typebox'

import { CACHE_CONTENT_HEADER, MAX_CACHE_KEY_LENGTH } from '../../../protocol/cache.js'
import type { JobRow } from '../../database/tables/pipeline-rows.js'
import { apiError, notFound } from '../../http/errors.js'
import { NoBody, respond, StreamResponse } from '../../http/operation.js'
import { described, optional } from '../../http/parameters/described.js'
import type { DownloadHeaders } from '../storage/blob-store.js'
import type { CachedArchive, CacheId, Caches } from '../storage/caches/caches.js'
import { unlessDeleted } from '../storage/unless-deleted.js'
import { type AskedBytes, sendBytes } from './send-bytes.js'

const CONTENT_TYPE = 'application/zip'

export const CacheKey = described(
  Type.String({ minLength: 1, maxLength: MAX_CACHE_KEY_LENGTH }),
  'Key of the cache.',
)

export const WantedCache = Type.Object({
  key: CacheKey,
  direct_download: optional(
    Type.Boolean(),
    'Whether the response may be a redirect to the store of the archives.',
  ),
})

export const SENT_CACHE = {
  200: Type.Unknown({ description: 'Archive of the cache, as zip' }),
  302: NoBody,
  304: NoBody,
}

/** The cache that a job finds at a key. Nothing in a request can reach those of other refs (architecture, decision 11). */
export function identifyCache(job: Pick<JobRow, 'project_id' | 'protected'>, key: string): CacheId {
  return { projectId: job.project_id, isProtected: job.protected, key }
}

/** Sends the archive of a cache, or for HEAD its headers. Throws 404 if there is none. */
export async function sendCache(
  caches: Caches,
  id: CacheId,
  request: { method: string; headers: AskedBytes },
  { direct_download: mayRedirect = false }: Pick<Static<typeof WantedCache>, 'direct_download'>,
) {
  const archive = await caches.find(id)
  if (!archive) throw notFound('Cache')
  const headers = headersOf(archive)
  if (request.method === 'HEAD') return withoutBytes(archive, headers)
  await caches.recordUse(archive)
  if (request.headers['if-none-match'] === headers['etag']) return respond(304, undefined, headers)
  return sendArchive(caches, archive, { headers, mayRedirect }, request.headers)
}

/** A strong entity tag: equal tags mean equal bytes. */
export function headersOf({ sha256, content }: CachedArchive): Record<string, string> {
  return { etag: `"${sha256}"`, ...(content === null ? {} : { [CACHE_CONTENT_HEADER]: content }) }
}

/** The headers that GET would send. Does not open the archive and does not count as a use. */
function withoutBytes({ size }: CachedArchive, headers: Record<string, string>): StreamResponse {
  const all = { ...headers, 'accept-ranges': 'bytes', 'content-length': String(size) }
  return new StreamResponse(Readable.from([]), CONTENT_TYPE, all)
}

async function sendArchive(
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
