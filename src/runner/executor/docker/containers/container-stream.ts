import { Readable, Transform, type TransformCallback } from 'node:stream'

import type Docker from 'dockerode'

import { readAtMost } from '../../../../lib/read-at-most.js'

/** Of an answer that is one small record. */
const MAX_RECORD_BYTES = 64 * 1024

/**
 * The exit code of a container that was started, once it has ended. The client's own call waits for ever when the
 * engine goes away after the headers of the answer, which it sends at once; a stream fails then.
 */
export async function waitForExit(docker: Pick<Docker, 'modem'>, containerId: string): Promise<number> {
  const answer = await openStream(docker, 'POST', `/containers/${containerId}/wait`)
  const record = await readAtMost(answer, MAX_RECORD_BYTES)
  const { StatusCode: exitCode } = JSON.parse(record.toString()) as { StatusCode: number }
  return exitCode
}

/**
 * What a container has printed since it was made, in frames, with `follow` until it ends. The client's own call would
 * hold the whole log in memory.
 */
export async function openLog(
  docker: Pick<Docker, 'modem'>,
  containerId: string,
  follow: boolean,
  more: { since?: number; tail?: number; timestamps?: boolean } = {},
): Promise<Readable> {
  const rest = Object.entries(more).map(([name, value]) => `&${name}=${value}`)
  const query = `stdout=true&stderr=true&follow=${follow}${rest.join('')}`
  return await openStream(docker, 'GET', `/containers/${containerId}/logs?${query}`)
}

/**
 * What the engine reports of some containers from now on, one JSON record a line. The answer of the engine itself, so
 * that destroying it ends the connection: a wrapper that waits for the next event would keep it open.
 */
export async function openEvents(
  docker: Pick<Docker, 'modem'>,
  containerIds: readonly string[],
  events: readonly string[],
): Promise<Readable> {
  const filters = JSON.stringify({ type: ['container'], container: containerIds, event: events })
  return await openStream(docker, 'GET', `/events?filters=${encodeURIComponent(filters)}`)
}

async function openStream(
  docker: Pick<Docker, 'modem'>,
  method: 'GET' | 'POST',
  path: string,
): Promise<Readable> {
  const answer = await new Promise<unknown>((resolve, reject) => {
    docker.modem.dial(
      {
        // The client cuts off the last character of an address that holds a question mark.
        path: path.includes('?') ? `${path}&` : path,
        method,
        isStream: true,
        statusCodes: { 200: true, 404: 'no such container', 500: 'server error' },
      },
      (error, result) => (error ? reject(error) : resolve(result)),
    )
  })
  if (answer instanceof Readable) return answer
  throw new Error(`The engine did not answer ${path} with a stream`)
}

const HEADER_BYTES = 8
const LENGTH_OFFSET = 4

/**
 * Takes the frames of a container's output apart: 8 bytes of header, the last four of them the length, then the
 * bytes that were printed. A frame passes through in the pieces it came in, so that none is held whole.
 */
export class Demultiplexer extends Transform {
  /** Printed bytes that were given out so far. */
  passed = 0
  private header = Buffer.alloc(0)
  private missing = 0
  private first = Buffer.alloc(0)
  private toSkip: number
  private readonly keep: number

  /**
   * `skip`: printed bytes that are dropped from the beginning. `keep`: how many bytes of what follows stay readable in
   * `beginning`.
   */
  constructor({ skip = 0, keep = 0 }: { skip?: number; keep?: number } = {}) {
    super()
    this.toSkip = skip
    this.keep = keep
  }

  get beginning(): string {
    return this.first.toString('utf8')
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let rest = chunk
    while (rest.length > 0) rest = this.missing > 0 ? this.passPayload(rest) : this.takeHeader(rest)
    done()
  }

  private passPayload(bytes: Buffer): Buffer {
    const payload = bytes.subarray(0, this.missing)
    this.missing -= payload.length
    this.give(payload.subarray(this.toSkip))
    this.toSkip = Math.max(0, this.toSkip - payload.length)
    return bytes.subarray(payload.length)
  }

  private give(bytes: Buffer): void {
    if (bytes.length === 0) return
    if (this.first.length < this.keep) this.first = Buffer.concat([this.first, bytes]).subarray(0, this.keep)
    this.passed += bytes.length
    this.push(bytes)
  }

  private takeHeader(bytes: Buffer): Buffer {
    const taken = bytes.subarray(0, HEADER_BYTES - this.header.length)
    this.header = Buffer.concat([this.header, taken])
    if (this.header.length === HEADER_BYTES) {
      this.missing = this.header.readUInt32BE(LENGTH_OFFSET)
      this.header = Buffer.alloc(0)
    }
    return bytes.subarray(taken.length)
  }
}
