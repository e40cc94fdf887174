import type { AgentOptions } from 'node:https'
import type { Readable } from 'node:stream'

export type TlsMaterial = Pick<AgentOptions, 'ca' | 'cert' | 'key'>

export interface HttpRequest {
  method: string
  url: URL
  headers: Record<string, string>
  /** A stream is destroyed when the request ends before it. */
  body?: string | Buffer | Readable | undefined
  /** Aborts the request, its response included. */
  signal?: AbortSignal
  /** Milliseconds from the last byte sent to the start of the response. 0: no limit. */
  headersTimeout: number
  /** Milliseconds between two parts of the response. 0: no limit. */
  bodyTimeout: number
}

/** Must be read to its end, destroyed or dumped: its connection is in use until then. */
export type ResponseBody = Readable & {
  /** Reads what is left, unless that is much. Resolves when the body has ended, in any way. */
  dump(): Promise<unknown>
}

export interface HttpResponse {
  status: number
  /** With names in lower case. */
  headers: Record<string, string | string[] | undefined>
  body: ResponseBody
}

/** Connections that are kept open and used again. */
export interface Connections {
  /** Rejects if no response arrives. Redirects are not followed. */
  request(wanted: HttpRequest): Promise<HttpResponse>
  /** The address of the proxy for requests to this URL, without its password. Undefined if there is none. */
  proxyOf?(url: URL): string | undefined
  /** Resolves when the open requests have ended. Others are refused. */
  close(): Promise<void>
  /** Aborts open requests. */
  destroy(): Promise<void>
}
