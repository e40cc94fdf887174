import { pipeline } from 'node:stream/promises'

import type { Container } from 'dockerode'

import { messageOf } from '../../../../lib/errors.js'
import { TailRing } from '../../../trace/tail-ring.js'
import { openLog } from '../containers/container-stream.js'
import { Demultiplexer } from '../containers/demultiplex.js'

const MOST_LINES = 1000
const MOST_BYTES = 64 * 1024

/** The end of what a service printed, with the time of each line, at most 64 KiB (runner protocol, 7.8). */
export async function lastOutput(container: Container): Promise<Buffer> {
  try {
    const frames = await openLog(container, container.id, false, { tail: MOST_LINES, timestamps: true })
    const end = new TailRing(MOST_BYTES)
    await pipeline(frames, new Demultiplexer(), async (output: AsyncIterable<Buffer>) => {
      for await (const chunk of output) end.push(chunk)
    })
    return end.read()
  } catch (error) {
    return Buffer.from(`The output of the service cannot be read: ${messageOf(error)}`)
  }
}
