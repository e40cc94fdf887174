import { isIP } from 'node:net'

import type { LogLevel } from '../../../lib/logger.js'
import type { DatabaseSettings } from '../../database/connect.js'
import type { ReadSetting } from './setting-sources.js'

export interface ListenAddress {
  host: string
  /** 0 = any free port. */
  port: number
}

/** `127.0.0.1:8929`, `[::1]:8929`, `:8929` (all interfaces). */
export const readListen: ReadSetting<ListenAddress> = (raw) => {
  const match = /^(?:\[(?<six>[^\]]+)\]|(?<host>[^:]*)):(?<port>\d+)$/.exec(readText(raw))
  const port = Number(match?.groups?.['port'])
  if (!match || port > 65_535) throw new Error('must be an address and a port, such as 127.0.0.1:8929')
  return { host: match.groups?.['six'] ?? (match.groups?.['host'] || '0.0.0.0'), port }
}

/** Without its trailing slash. */
export const readExternalUrl: ReadSetting<string> = (raw) => {
  const text = readText(raw)
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) {
    throw new Error('must be a URL such as https://switchyard.example.com')
  }
  // Cookies and the addresses of pages are those of a whole host.
  if (!/^\/+$/.test(url.pathname)) {
    throw new Error(
      `must have no path: give the coordinator a host name or a port of its own, such as ${url.origin}, instead of ${url.pathname}`,
    )
  }
  return url.origin
}

export const readHostName: ReadSetting<string> = (raw) => {
  const text = readText(raw).toLowerCase()
  if (
    text.length > 253 ||
    !/^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(text)
  ) {
    throw new Error('must be a host name such as pages.example.net')
  }
  return text
}

export const readDatabaseUrl: ReadSetting<DatabaseSettings> = (raw) => {
  const url = readText(raw)
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url)) {
    throw new Error('must be a URL such as postgres://user:password@host/database')
  }
  return { dialect: 'postgres', url }
}

export const readMailUrl: ReadSetting<string> = (raw) => {
  const url = readText(raw)
  if (!/^smtps?:\/\/./.test(url) || !URL.canParse(url) || new URL(url).hostname === '') {
    throw new Error('must be a URL such as smtps://user:password@mail.example.com')
  }
  return url
}

/** `Switchyard <ci@example.com>`, or an address alone. */
export const readMailbox: ReadSetting<{ name: string; address: string }> = (raw) => {
  const match = /^(?:(?<name>[^<>\r\n]*)<(?<inner>[^<>]+)>|(?<bare>[^<>]+))$/.exec(readText(raw))
  const address = (match?.groups?.['inner'] ?? match?.groups?.['bare'] ?? '').trim()
  if (!/^[^\s@]+@[^\s@]+$/.test(address)) {
    throw new Error('must be an address such as Switchyard <switchyard@example.com>')
  }
  return { name: match?.groups?.['name']?.trim() || 'Switchyard', address }
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

export const readLogLevel: ReadSetting<LogLevel> = (raw) => {
  const level = LOG_LEVELS.find((each) => each === raw)
  if (!level) throw new Error(`must be one of ${LOG_LEVELS.join(', ')}`)
  return level
}

export const readText: ReadSetting<string> = (raw) => {
  if (typeof raw !== 'string' || raw === '') throw new Error('must be a text')
  return raw
}

/** `10.0.0.1, 192.168.0.0/16`. */
export const readAddresses: ReadSetting<string[]> = (raw) => {
  const addresses = readText(raw)
    .split(',')
    .map((address) => address.trim())
  if (!addresses.every(isAddressOrNetwork)) {
    throw new Error('must be addresses or networks, such as 10.0.0.1 or 192.168.0.0/16, separated by commas')
  }
  return addresses
}

function isAddressOrNetwork(text: string): boolean {
  const [address = '', bits] = text.split('/')
  const version = isIP(address)
  return (
    version > 0 && (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)))
  )
}

export const readFlag: ReadSetting<boolean> = (raw) => {
  if (raw === true || raw === 'true') return true
  if (raw === false || raw === 'false') return false
  throw new Error('must be true or false')
}

/** A whole number of the given unit. */
export function readCount(unit: string, minimum: number): ReadSetting<number> {
  return (raw) => {
    const value = typeof raw === 'string' && /^\d+$/.test(raw) ? Number(raw) : raw
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < minimum) {
      throw new Error(`must be a whole number of ${unit}, ${minimum} or more`)
    }
    return value
  }
}
