import { ApiError, TextError } from '../errors.js'
import type { Usage } from './windows.js'

/** 429 for a limit on all operations together: plain text, as clients expect it (API, A4). */
export function throttled(name: string, limit: number, usage: Usage, now: number): ApiError {
  return new TextError(429, 'Retry later\n', { ...headersOf(limit, usage, now), 'ratelimit-name': name })
}

/** 429 for a limit of one operation; `what` names the limited resource in the message. */
export function tooOften(limit: number, usage: Usage, now: number, what = 'endpoint'): ApiError {
  return limitReached(`This ${what} has been requested too many times. Try again later.`, limit, usage, now)
}

/** 429 with another sentence. */
export function limitReached(message: string, limit: number, usage: Usage, now: number): ApiError {
  return new ApiError(429, { message: { error: message } }, headersOf(limit, usage, now))
}

function headersOf(limit: number, { observed, resetAt }: Usage, now: number): Record<string, string> {
  return {
    'retry-after': String(Math.max(1, Math.ceil((resetAt - now) / 1000))),
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(Math.max(0, limit - observed)),
    'ratelimit-observed': String(observed),
    'ratelimit-reset': String(Math.ceil(resetAt / 1000)),
    'ratelimit-resettime': new Date(resetAt).toUTCString(),
  }
}
