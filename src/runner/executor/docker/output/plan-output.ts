import { randomBytes } from 'node:crypto'

import type { ContainerWorkspace } from '../../executor.js'
import type { OutputRecord } from '../environment-record.js'
import { DEFAULT_OUTPUT_LIMIT, type DockerExecutorSettings } from '../settings.js'

/** Segments that wait for the runner, and as many bytes before them. */
export const SEGMENTS = 8
/** Few jobs print more, and the log of a job may be shorter than this. */
const MIN_SEGMENT_BYTES = 1024 * 1024

/**
 * The files for the output of a job. They hold 32 times what its log shows. Undefined if the container mounts no
 * directory for them, or the settings leave the output to the engine.
 */
export function planOutput(
  { output }: Pick<ContainerWorkspace, 'output'>,
  { scriptOutput, outputLimitBytes }: Pick<DockerExecutorSettings, 'scriptOutput' | 'outputLimitBytes'>,
): OutputRecord | undefined {
  if (!output || scriptOutput === 'engine') return undefined
  const segmentBytes = Math.max(2 * (outputLimitBytes ?? DEFAULT_OUTPUT_LIMIT), MIN_SEGMENT_BYTES)
  return {
    directory: output.hostPath,
    token: randomBytes(16).toString('hex'),
    headBytes: SEGMENTS * segmentBytes,
    segmentBytes,
  }
}
