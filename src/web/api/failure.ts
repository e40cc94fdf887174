import type { Reading } from './use-read.js'

/** Why a part of what is shown is missing, and what reads it. */
export interface Failure {
  error: Error
  retry: () => void
}

/** Why there is no response at all; undefined while it may come. */
export function failureOf({ data, error, refetch }: Reading<unknown>): Failure | undefined {
  return error && data === undefined ? { error, retry: () => void refetch() } : undefined
}
