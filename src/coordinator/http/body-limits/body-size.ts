import type { Operation } from '../operation.js'

/** Maximum bytes of a request body, unless the operation sets another limit. */
const BODY_LIMIT = 4 * 1024 * 1024

/** Maximum bytes of the request body of an operation. A longer body gets 413. */
export function maxBodySize({ maxBodyBytes }: Pick<Operation, 'maxBodyBytes'>): number {
  return maxBodyBytes ?? BODY_LIMIT
}
