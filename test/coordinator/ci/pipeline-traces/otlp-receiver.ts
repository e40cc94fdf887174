import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'

import { deferred } from '../../../../src/lib/deferred.js'
import { webServer } from '../../egress/web-server.js'

export interface ReceivedSpan {
  traceId: string
  spanId: string
  parentId: string
  name: string
  start: number
  end: number
  attributes: Record<string, unknown>
  events: string[]
  links: string[]
  /** 2 = error. */
  status: number
  message: string
  resource: Record<string, unknown>
}

/**
 * A collector on this machine that decodes what it receives over OTLP/HTTP as protobuf
 * (https://github.com/open-telemetry/opentelemetry-proto, `trace.proto`). `status` is what it responds with.
 */
export async function otlpReceiver(status: () => number = () => 200) {
  const spans: ReceivedSpan[] = []
  const requests: IncomingMessage[] = []
  let arrived = deferred()
  const { url } = await webServer((request, response) => {
    void buffer(request).then((body) => {
      requests.push(request)
      const code = status()
      if (code === 200) spans.push(...spansIn(body))
      response.writeHead(code).end()
      arrived.resolve()
    })
  })
  /** Resolves when the trace with this number of spans has arrived. */
  const until = async (count: number): Promise<ReceivedSpan[]> => {
    while (spans.length < count) {
      await arrived.promise
      arrived = deferred()
    }
    return spans
  }
  return { url, spans, requests, until }
}

type Fields = Map<number, (bigint | Buffer)[]>

/** Reads a message in the wire format of protobuf: varints, 64 and 32 bits, and bytes. */
function fieldsOf(bytes: Buffer): Fields {
  const fields: Fields = new Map()
  let at = 0
  const varint = (): bigint => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at++)
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  const take = (length: number): Buffer => bytes.subarray(at, (at += length))
  while (at < bytes.length) {
    const key = Number(varint())
    const kinds = [varint, () => take(8).readBigUInt64LE(), () => take(Number(varint()))]
    const value = (key & 7) === 5 ? BigInt(take(4).readUInt32LE()) : kinds[key & 7]?.()
    if (value === undefined) throw new Error(`unknown wire type ${key & 7}`)
    fields.set(key >> 3, [...(fields.get(key >> 3) ?? []), value])
  }
  return fields
}

function all(fields: Fields, number: number): Fields[] {
  return (fields.get(number) ?? []).map((value) => fieldsOf(value as Buffer))
}

function bytes(fields: Fields, number: number): Buffer {
  return (fields.get(number)?.[0] as Buffer | undefined) ?? Buffer.alloc(0)
}

function milliseconds(fields: Fields, number: number): number {
  return Number(fields.get(number)?.[0] ?? 0n) / 1e6
}

function attributesOf(fields: Fields, number: number): Record<string, unknown> {
  return Object.fromEntries(
    all(fields, number).map((attribute) => {
      const value = fieldsOf(bytes(attribute, 2))
      const [boolean, integer] = [value.get(2)?.[0], value.get(3)?.[0]]
      const read =
        boolean === undefined
          ? integer === undefined
            ? bytes(value, 1).toString()
            : Number(integer)
          : boolean === 1n
      return [bytes(attribute, 1).toString(), read]
    }),
  )
}

function spansIn(body: Buffer): ReceivedSpan[] {
  return all(fieldsOf(body), 1).flatMap((ofResource) => {
    const resource = attributesOf(fieldsOf(bytes(ofResource, 1)), 1)
    return all(ofResource, 2)
      .flatMap((ofScope) => all(ofScope, 2))
      .map((span) => {
        const status = fieldsOf(bytes(span, 15))
        return {
          traceId: bytes(span, 1).toString('hex'),
          spanId: bytes(span, 2).toString('hex'),
          parentId: bytes(span, 4).toString('hex'),
          name: bytes(span, 5).toString(),
          start: milliseconds(span, 7),
          end: milliseconds(span, 8),
          attributes: attributesOf(span, 9),
          events: all(span, 11).map((event) => bytes(event, 2).toString()),
          links: all(span, 13).map((link) => bytes(link, 2).toString('hex')),
          status: Number(status.get(3)?.[0] ?? 0n),
          message: bytes(status, 2).toString(),
          resource,
        }
      })
  })
}
