/**
 * An extension of this project. A coordinator that stores caches sends `features.coordinator_cache` in the job
 * payload. It serves `GET`, `HEAD` and `PUT cache?key=<key>` below the URL of the job, with the job token.
 * Protected and unprotected refs have separate caches for the same key. `GET` responds with a zip and an `ETag`
 * (which `If-None-Match` may name) or with 404. `PUT` stores a zip.
 */

/**
 * Digest of the archived files, as reported by the runner that saved them: 1 to 128 characters of
 * `[A-Za-z0-9:._-]`.
 */
export const CACHE_CONTENT_HEADER = 'x-cache-content'

export const MAX_CACHE_KEY_LENGTH = 1024
