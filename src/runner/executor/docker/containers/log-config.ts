import type { HostConfig } from 'dockerode'

const DEFAULT_OUTPUT_LIMIT = 4 * 1024 * 1024
/** One file: no reader meets the change from one to the next before the limit. */
const FILES = 1
/**
 * Bytes of the engine's log for a byte of output, at worst: each line of the driver `local` has some thirty bytes beside
 * its text.
 */
const OVERHEAD = 32

/**
 * Where the output of a job stays with the engine until the container is removed: the runner that is started again reads
 * it from its beginning. No output is lost before there is more of it than a trace may have (`output_limit`); beyond, the
 * engine drops the oldest, so that a job cannot fill the disk by printing. (`json-file` is slower and replaces bytes that
 * are not UTF-8.)
 */
export function jobLogConfig(outputLimitBytes = DEFAULT_OUTPUT_LIMIT): NonNullable<HostConfig['LogConfig']> {
  const kibibytes = Math.ceil((outputLimitBytes * OVERHEAD) / FILES / 1024)
  return {
    Type: 'local',
    Config: { 'max-size': `${kibibytes}k`, 'max-file': String(FILES), compress: 'false' },
  }
}

/** Of services: their last lines are shown when they fail, all of them with `CI_DEBUG_SERVICES` as they are printed. */
export const SERVICE_LOG_CONFIG = {
  Type: 'json-file',
  Config: { 'max-size': '16m', 'max-file': '2' },
} satisfies NonNullable<HostConfig['LogConfig']>
