/**
 * Ours, and additive: a coordinator whose job payload says `features.coordinator_cache` keeps caches. Below the job's
 * own address, with the job token, `GET`, `HEAD` and `PUT cache?key=<key>`; the key's cache of protected refs and that
 * of the others are two. `GET` answers a zip with an `ETag` (which `If-None-Match` may name) or 404, `PUT` takes one.
 */

/** Digest of the files in the archive, as the runner that saved it says: one to 128 of `[A-Za-z0-9:._-]`. */
export const CACHE_CONTENT_HEADER = 'x-cache-content'

export const MAX_CACHE_KEY_LENGTH = 1024
