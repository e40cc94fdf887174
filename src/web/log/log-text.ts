import { queryOf } from '../../addresses/address-of.js'
import type { TraceLines, TraceSearchHit } from '../../coordinator/ci/jobs/trace/schema.js'
import { request, requestJson, requestLines } from '../api/client.js'
import type { LineRange } from '../kit/line-range.js'
import { plainText, styledLines } from './styled-text.js'

/** Most lines of one request. */
const MAX_LINES = 1000
/** Most lines that are copied; more can be downloaded. */
export const MAX_COPIED = 20_000
const MAX_FOUND = 10_000

/** Lines of a log without colors. */
export async function readPlainLines(path: string, { first, last }: LineRange): Promise<string> {
  const texts: string[] = []
  for (let from = first; from <= last;) {
    const count = Math.min(MAX_LINES, last - from + 1)
    const { lines } = await requestJson<TraceLines>(`${path}/lines${queryOf({ from, count })}`)
    if (lines.length === 0) break
    texts.push(...styledLines(lines, '').map(plainText))
    from += lines.length
  }
  return `${texts.join('\n')}\n`
}

/** Lines of a log as the runner sent them, `lines` being all of them. */
export async function readRawLines(path: string, { first, last }: LineRange, lines: number): Promise<Blob> {
  const start = first === 1 ? 0 : await byteAfter(path, first - 1)
  const end = last >= lines ? '' : (await byteAfter(path, last)) - 1
  return (await request(path, { range: `bytes=${start}-${end}` })).blob()
}

/** Where the line after this one begins, in bytes. */
async function byteAfter(path: string, line: number): Promise<number> {
  const response = await requestJson<TraceLines>(`${path}/lines${queryOf({ from: line, count: 1 })}`)
  return response.next_byte
}

/** The lines that a search finds, each with its number. */
export async function readFound(path: string, text: string): Promise<Blob> {
  const lines: string[] = []
  const query = queryOf({ q: text, limit: MAX_FOUND })
  for await (const response of requestLines<Partial<TraceSearchHit>>(`${path}/search${query}`))
    if (response.text !== undefined) lines.push(`${response.line}: ${response.text}\n`)
  return new Blob(lines, { type: 'text/plain' })
}

/** Lets the browser save a file that the page has made. */
export function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content)
  saveAddress(address, name)
  URL.revokeObjectURL(address)
}

/** Lets the browser save what is at an address of this server. */
export function saveAddress(address: string, name: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}
