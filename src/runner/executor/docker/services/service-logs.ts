import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

import type { Container } from 'dockerode'

import { messageOf } from '../../../../lib/errors.js'
import { Demultiplexer } from '../containers/demultiplex.js'

const MOST_LINES = 1000
const MOST_BYTES = 64 * 1024

/** The end of what a service printed, with the time of each line, at most 64 KiB (runner protocol, 7.8). */
export async function lastOutput(container: Container): Promise<Buffer> {
  try {
    const options = { stdout: true, stderr: true, timestamps: true, tail: MOST_LINES }
    const frames = await container.logs({ ...options, follow: false })
    const output = await buffer(Readable.from([frames]).pipe(new Demultiplexer()))
    return output.subarray(-MOST_BYTES)
  } catch (error) {
    return Buffer.from(`The output of the service cannot be read: ${messageOf(error)}`)
  }
}
