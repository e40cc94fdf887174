import { randomBytes } from 'node:crypto'

import type { OutputRecord } from '../output-record.js'

/** Segments that wait for the runner, and as many bytes before them. */
export const SEGMENTS = 8
/** Few jobs print more, and the log of a job may be shorter than this. */
const MIN_SEGMENT_BYTES = 1024 * 1024

/** Bytes of a job log without a setting. */
export const DEFAULT_OUTPUT_LIMIT = 4 * 1024 * 1024

/** The files in `directory` for the output of a job, which hold 32 times the bytes that its log shows. */
export function planOutputFiles(directory: string, outputLimitBytes = DEFAULT_OUTPUT_LIMIT): OutputRecord {
  const segmentBytes = Math.max(2 * outputLimitBytes, MIN_SEGMENT_BYTES)
  const token = randomBytes(16).toString('hex')
  return { directory, token, headBytes: SEGMENTS * segmentBytes, segmentBytes }
}
