import { withJitter } from '../../lib/pause.js'

/** Attempts for one call, including the first (runner protocol, 0.1). */
export const CALL_ATTEMPTS = 5

/** Whether the same call may succeed later (runner protocol, 0.1). */
export function isRetryableStatus(status: number): boolean {
  return [408, 429, 500, 502, 503, 504].includes(status) || status >= 512
}

/** Whether a repeated artifact upload would fail again (runner protocol, 5.1). */
export function isFinalUploadStatus(status: number): boolean {
  return status === 403 || status === 413
}

/** Whether a repeated artifact download would fail again (runner protocol, 5.2). */
export function isFinalDownloadStatus(status: number): boolean {
  return status === 401 || status === 403 || status === 404
}

/** Milliseconds to wait before the next attempt: the server's value, or else 100 ms doubled up to a minute. */
export function retryDelay(headers: Record<string, string | string[] | undefined>, attempt: number): number {
  const reset = Date.parse(String(headers['ratelimit-resettime']))
  if (!Number.isNaN(reset)) return Math.max(0, reset - Date.now())
  const seconds = headers['retry-after']
  if (typeof seconds === 'string' && /^\d+$/.test(seconds)) return Number(seconds) * 1000
  return withJitter(Math.min(100 * 2 ** (attempt - 1), 60_000))
}
