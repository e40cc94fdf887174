import { type ApiErrorCode, apiErrorMessage } from '../../../error-catalogue/api-errors.js'
import { ApiError, TextError } from '../errors.js'
import type { Usage } from './windows.js'

/** 429 for a limit on all operations together: plain text, as clients expect it (API, A4). */
export function throttled(name: string, limit: number, usage: Usage, now: number): ApiError {
  return new TextError('too_many_requests', `${apiErrorMessage('too_many_requests')}\n`, {
    ...headersOf(limit, usage, now),
    'ratelimit-name': name,
  })
}

/** 429 for a limit of one operation; `what` names the limited resource in the message. */
export function tooOften(limit: number, usage: Usage, now: number, what = 'endpoint'): ApiError {
  const message = apiErrorMessage('operation_rate_limit', { what })
  return limitReached('operation_rate_limit', message, limit, usage, now)
}

/** 429 for a limit of pipelines a minute. */
export function tooManyPipelines(reason: string, limit: number, resetAt: number): ApiError {
  const message = apiErrorMessage('pipeline_rate_limit', { reason })
  return limitReached('pipeline_rate_limit', message, limit, { observed: limit, resetAt }, Date.now())
}

function limitReached(
  code: ApiErrorCode,
  message: string,
  limit: number,
  usage: Usage,
  now: number,
): ApiError {
  return new ApiError(code, { message: { error: message } }, headersOf(limit, usage, now))
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
