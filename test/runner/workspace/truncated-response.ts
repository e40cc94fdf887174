import type { Socket } from 'node:net'

export interface GitResponse {
  status: number
  headers: Record<string, string>
  body: Buffer
}

/** Where a connection ends, as when the server is killed. */
export interface Cut {
  /** Which one from now on, counted from 1. */
  request: number
  place: 'before the response' | 'after its head' | 'in its middle' | 'before its last byte'
  end: 'closed' | 'reset'
}

/** Sends the part of a response that is before the cut. */
export function cutResponse(
  socket: Socket,
  { status, headers, body }: GitResponse,
  { place, end }: Cut,
): void {
  const head = Object.entries({ ...headers, 'Transfer-Encoding': 'chunked' }).map((line) => line.join(': '))
  const chunks = [`${body.length.toString(16)}\r\n`, body, '\r\n0\r\n\r\n']
  const before = Buffer.from([`HTTP/1.1 ${status} OK`, ...head, '\r\n'].join('\r\n'))
  const after = Buffer.concat(chunks.map((chunk) => Buffer.from(chunk)))
  const lengths = {
    'before the response': 0,
    'after its head': before.length,
    'in its middle': before.length + after.length / 2,
    'before its last byte': before.length + after.length - 1,
  }
  socket.write(Buffer.concat([before, after]).subarray(0, lengths[place]), () => {
    if (end === 'closed') socket.destroy()
    else socket.resetAndDestroy()
  })
}
