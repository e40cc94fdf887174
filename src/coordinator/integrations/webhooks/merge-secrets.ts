import { ApiError } from '../../http/errors.js'
import type { KeyValue } from './deliveries/hook-secrets.js'

const MAX_PAIRS = 20

/**
 * Merges secrets: keeps exactly the names of `wanted`; a name without a value keeps its current value.
 * Undefined changes nothing. Throws 422 naming `field`.
 */
export function mergeSecrets(
  field: string,
  before: KeyValue = {},
  wanted: { key: string; value?: string }[] | undefined,
): KeyValue {
  if (!wanted) return before
  if (wanted.length > MAX_PAIRS) throw refusal(field, `are limited to ${MAX_PAIRS} per hook`)
  const pairs = wanted.map(({ key, value }) => {
    const merged = value ?? (Object.hasOwn(before, key) ? before[key] : undefined)
    if (merged === undefined) throw missingValue(field, key)
    return [key, merged] as const
  })
  return Object.fromEntries(pairs)
}

export function missingValue(field: string, key: string): ApiError {
  return refusal(field, `require a value for ${key}`)
}

function refusal(field: string, problem: string): ApiError {
  return new ApiError('hook_invalid', { message: { [field]: [problem] } })
}
