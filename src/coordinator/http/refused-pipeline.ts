import { type ApiError, invalidRecord } from './errors.js'
import { tooManyPipelines } from './rate-limits/refusals.js'

interface Refusal {
  message: string
  /** The limit of pipelines a minute that is reached; `resetAt` in milliseconds since 1970. */
  rate?: { limit: number; resetAt: number }
}

/**
 * The response if no pipeline is created: 429 above the limit of pipelines per minute, 400 with the reason
 * otherwise.
 */
export function refusedPipeline({ message, rate }: Refusal): ApiError {
  if (!rate) return invalidRecord({ base: [message] })
  return tooManyPipelines(message, rate.limit, rate.resetAt)
}
