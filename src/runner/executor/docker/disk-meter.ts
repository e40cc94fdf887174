import type { Container } from 'dockerode'

import type { Logger } from '../../../lib/logger.js'
import { MINUTE, SECOND } from '../../../lib/time-units.js'
import { openContainerShell } from './containers/container-shell.js'

/** Milliseconds between two measurements, and after one that failed. */
const INTERVAL = 10 * MINUTE
const INTERVAL_AFTER_FAILURE = MINUTE
const MAX_DURATION = 10 * SECOND
const MAX_OUTPUT_BYTES = 4096

/**
 * Measures the free space of an engine on another machine. No call of the engine reports it, so `df` runs now and then in
 * the container of a job that has just begun: on the disk with the containers, and with nothing that must be removed.
 */
export class DiskMeter {
  private bytes: number | undefined
  private nextAt = 0

  constructor(private readonly logger: Logger) {}

  /** Bytes, as last measured. Undefined until a job ran whose image has `df`. */
  get freeBytes(): number | undefined {
    return this.bytes
  }

  /** Must be called when the container of a job has started. Does not throw. */
  jobBegan(container: Container): void {
    if (Date.now() < this.nextAt) return
    this.nextAt = Date.now() + INTERVAL
    this.measure(container).catch((error: unknown) => {
      this.nextAt = Date.now() + INTERVAL_AFTER_FAILURE
      // A short job may have ended, and its image may have no such program.
      this.logger.debug({ err: error }, 'The disk of the engine could not be measured')
    })
  }

  private async measure(container: Container): Promise<void> {
    const signal = AbortSignal.timeout(MAX_DURATION)
    const shell = await openContainerShell(
      container,
      { command: ['df', '-P', '-k', '/'], size: undefined },
      signal,
    )
    let output = ''
    for await (const { channel, bytes } of shell.output) {
      if (channel === 'stdout') output += bytes.toString('latin1')
      if (output.length > MAX_OUTPUT_BYTES) break
    }
    this.bytes = readFreeBytes(output)
  }
}

/** Reads the output of `df -P -k` for one file system. Throws if it is in another form. */
export function readFreeBytes(output: string): number {
  const [, kibibytes] = /\s(\d+)\s+\d+%\s+\/\s*$/.exec(output) ?? []
  if (kibibytes === undefined) throw new Error(`"df" printed: ${output.slice(0, 200)}`)
  return Number(kibibytes) * 1024
}
