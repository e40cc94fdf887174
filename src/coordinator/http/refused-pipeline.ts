import type { PipelineRefusal } from '../engine/create/pipeline-request.js'
import { type ApiError, invalidRecord } from './errors.js'
import { limitReached } from './rate-limits/refusals.js'

/** The answer where no pipeline is created: 429 over the limit of pipelines a minute, 400 with the reason otherwise. */
export function refusedPipeline({ message, rate }: PipelineRefusal): ApiError {
  if (!rate) return invalidRecord({ base: [message] })
  const { limit, resetAt } = rate
  return limitReached(message, limit, { observed: limit, resetAt }, Date.now())
}
