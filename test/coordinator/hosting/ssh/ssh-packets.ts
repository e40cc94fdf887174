import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'

import { ByteReader } from '../../../../src/git/byte-reader.js'
import { onFinished } from '../../../support/lifetime.js'

/** Numbers of messages (RFC 4253, 12). */
export const MESSAGE = { disconnect: 1, ignore: 2, kexInit: 20, kexDhInit: 30, kexDhReply: 31 }

/** A client of the transport protocol before its messages are encrypted. */
export async function packetClient(port: number) {
  const socket = connect(port, '127.0.0.1')
  onFinished(() => socket.destroy())
  socket.on('error', () => undefined) // its reader sees the end
  const reader = new ByteReader(socket)
  const ident = await reader.line()
  socket.write('SSH-2.0-test\r\n')
  return {
    ident: ident?.trimEnd(),
    socket,
    send: (payload: Buffer) => socket.write(packet(payload)),
    /** The payload of the next message; undefined at the end of the connection. */
    async next(): Promise<Buffer | undefined> {
      const length = await reader.take(4)
      const body = length && (await reader.take(length.readUInt32BE()))
      return body && body.subarray(1, body.length - (body[0] ?? 0))
    },
  }
}

/** A message with padding to a multiple of eight bytes. */
function packet(payload: Buffer): Buffer {
  const padding = 8 - ((payload.length + 5) % 8) + 8
  const head = Buffer.alloc(5)
  head.writeUInt32BE(payload.length + padding + 1)
  head[4] = padding
  return Buffer.concat([head, payload, Buffer.alloc(padding)])
}

export function ssh(value: Buffer | string): Buffer {
  const bytes = Buffer.from(value)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

/** The offer of a client with these lists of names, in the order of the protocol. */
export function kexInit(lists: readonly string[]): Buffer {
  return Buffer.concat([Buffer.of(MESSAGE.kexInit), randomBytes(16), ...lists.map(ssh), Buffer.alloc(5)])
}

/** The ten lists of names of an offer. */
export function listsOf(offer: Buffer): string[][] {
  const lists: string[][] = []
  for (let at = 17; lists.length < 10;) {
    const length = offer.readUInt32BE(at)
    lists.push(offer.toString('latin1', at + 4, at + 4 + length).split(','))
    at += 4 + length
  }
  return lists
}
