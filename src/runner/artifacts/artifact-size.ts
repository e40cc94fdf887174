import { SwitchyardError } from '../../lib/errors.js'
import { formatBytes } from '../../lib/format-bytes.js'

/** More than the coordinator takes, as it said in the job. */
export class ArtifactTooLargeError extends SwitchyardError {
  readonly name = 'ArtifactTooLargeError'
  readonly code = 'ARTIFACT_TOO_LARGE'

  /** `size`: bytes, when they are known before the end. */
  constructor(limit: number, size?: number) {
    const is = size === undefined ? 'is larger' : `has ${formatBytes(size)}, which is more`
    super(`it ${is} than the ${formatBytes(limit)} that the coordinator takes`)
  }
}

/** Bytes that went by. */
export interface Meter {
  bytes: number
}

/** Hands bytes on and counts them; throws `ArtifactTooLargeError` at the first one past the limit. */
export async function* measured(
  content: AsyncIterable<Buffer>,
  meter: Meter,
  limit = Infinity,
): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    meter.bytes += chunk.length
    if (meter.bytes > limit) throw new ArtifactTooLargeError(limit)
    yield chunk
  }
}
