import { Readable, Transform, type TransformCallback } from 'node:stream'

import type Docker from 'dockerode'

import { readAtMost } from '../../../../lib/read-at-most.js'

/** Maximum size of a response with one small record. */
const MAX_RECORD_BYTES = 64 * 1024

/**
 * Waits until a started container ends and returns its exit code. The client's own call never returns if the engine
 * stops after the headers of the response, which it sends at once. A stream fails in that case.
 */
export async function waitForExit(docker: Pick<Docker, 'modem'>, containerId: string): Promise<number> {
  const response = await openStream(docker, 'POST', `/containers/${containerId}/wait`)
  const record = await readAtMost(response, MAX_RECORD_BYTES)
  const { StatusCode: exitCode } = JSON.parse(record.toString()) as { StatusCode: number }
  return exitCode
}

/**
 * The output of a container since its creation, in frames. With `follow`, continues until the container ends. The
 * client's own call would hold the whole log in memory.
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
 * The events of some containers, one JSON record per line: from now on, or from `since` until `until`, in seconds since
 * 1970. Returns the response of the engine itself, so that destroying it closes the connection. A wrapper that waits for
 * the next event would keep it open.
 */
export async function openEvents(
  docker: Pick<Docker, 'modem'>,
  containerIds: readonly string[],
  events: readonly string[],
  period: { since?: number; until?: number } = {},
): Promise<Readable> {
  const filters = JSON.stringify({ type: ['container'], container: containerIds, event: events })
  const rest = Object.entries(period).map(([name, value]) => `&${name}=${value}`)
  return await openStream(docker, 'GET', `/events?filters=${encodeURIComponent(filters)}${rest.join('')}`)
}

async function openStream(
  docker: Pick<Docker, 'modem'>,
  method: 'GET' | 'POST',
  path: string,
): Promise<Readable> {
  const response = await new Promise<unknown>((resolve, reject) => {
    docker.modem.dial(
      {
        // The client removes the last character of a path that contains a question mark.
        path: path.includes('?') ? `${path}&` : path,
        method,
        isStream: true,
        statusCodes: { 200: true, 404: 'no such container', 500: 'server error' },
      },
      (error, result) => (error ? reject(error) : resolve(result)),
    )
  })
  if (response instanceof Readable) return response
  throw new Error(`The engine responded to ${path} without a stream`)
}

const HEADER_BYTES = 8
const LENGTH_OFFSET = 4
const STDERR = 2

/**
 * Podman ends the output of a container that it can read no longer with a frame of its own, such as
 * `Error: read unixpacket @->/proc/self/fd/13/attach: read: connection reset by peer`.
 */
const BREAK = 'Error: read unixpacket '
const MAX_BREAK_BYTES = 1024

export interface DemultiplexerOptions {
  skip?: number
  keep?: number
  findsBreak?: boolean
}

/**
 * Splits the output of a container into frames: 8 bytes of header, of which the last four are the length, then the
 * printed bytes. A frame is passed on in the pieces that arrive, so that none is held as a whole.
 */
export class Demultiplexer extends Transform {
  /** Number of printed bytes passed on so far. */
  passed = 0
  private header = Buffer.alloc(0)
  private missing = 0
  private first = Buffer.alloc(0)
  private toSkip: number
  private readonly keep: number
  private readonly findsBreak: boolean
  /** A frame that may be the last one, in which the engine says that the output breaks off. */
  private suspect: Buffer | undefined
  private isBroken = false

  /**
   * `skip`: number of printed bytes to drop at the beginning. `keep`: number of following bytes that stay readable
   * in `beginning`. `findsBreak`: whether the engine may say at the end that the output breaks off, which is not passed on.
   */
  constructor({ skip = 0, keep = 0, findsBreak = false }: DemultiplexerOptions = {}) {
    super()
    this.toSkip = skip
    this.keep = keep
    this.findsBreak = findsBreak
  }

  /** Whether the engine has more output than it sent. */
  get hasBroken(): boolean {
    return this.isBroken
  }

  get beginning(): string {
    return this.first.toString('utf8')
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let rest = chunk
    while (rest.length > 0) rest = this.missing > 0 ? this.passPayload(rest) : this.takeHeader(rest)
    done()
  }

  override _flush(done: TransformCallback): void {
    this.isBroken = this.missing === 0 && this.suspect !== undefined
    if (!this.isBroken) this.releaseSuspect()
    done()
  }

  private passPayload(bytes: Buffer): Buffer {
    const payload = bytes.subarray(0, this.missing)
    this.missing -= payload.length
    if (this.suspect === undefined) this.pass(payload)
    else {
      this.suspect = Buffer.concat([this.suspect, payload])
      const begin = BREAK.slice(0, this.suspect.length)
      if (this.suspect.toString('latin1', 0, begin.length) !== begin) this.releaseSuspect()
    }
    return bytes.subarray(payload.length)
  }

  private releaseSuspect(): void {
    if (this.suspect) this.pass(this.suspect)
    this.suspect = undefined
  }

  private pass(payload: Buffer): void {
    this.output(payload.subarray(this.toSkip))
    this.toSkip = Math.max(0, this.toSkip - payload.length)
  }

  private output(bytes: Buffer): void {
    if (bytes.length === 0) return
    if (this.first.length < this.keep) this.first = Buffer.concat([this.first, bytes]).subarray(0, this.keep)
    this.passed += bytes.length
    this.push(bytes)
  }

  private takeHeader(bytes: Buffer): Buffer {
    this.releaseSuspect()
    const taken = bytes.subarray(0, HEADER_BYTES - this.header.length)
    this.header = Buffer.concat([this.header, taken])
    if (this.header.length === HEADER_BYTES) {
      this.missing = this.header.readUInt32BE(LENGTH_OFFSET)
      const mayBreak = this.findsBreak && this.header[0] === STDERR && this.missing <= MAX_BREAK_BYTES
      if (mayBreak && this.missing >= BREAK.length) this.suspect = Buffer.alloc(0)
      this.header = Buffer.alloc(0)
    }
    return bytes.subarray(taken.length)
  }
}
