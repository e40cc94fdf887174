import type { ListenAddress } from './settings.js'
import type { TableReader } from './table-reader.js'

/** Runner protocol, 9.2. */
const DEFAULT_PORT = 9252

export function readListenAddress(reader: TableReader): ListenAddress | undefined {
  const text = reader.string('listen_address')
  if (!text) return undefined
  const address = parseListenAddress(text)
  if (!address) reader.problem('listen_address', `is "${text}"; it must be host:port, host or :port`)
  return address
}

/** Parses `127.0.0.1:9252`, `[::1]:9252`, `localhost` or `:9252`. Returns undefined for other texts. */
export function parseListenAddress(text: string): ListenAddress | undefined {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]\s]*))(?::(\d{1,5}))?$/.exec(text.trim())
  if (!match) return undefined
  const port = match[3] === undefined ? DEFAULT_PORT : Number(match[3])
  return port > 65535 ? undefined : { host: match[1] ?? match[2] ?? '', port }
}
