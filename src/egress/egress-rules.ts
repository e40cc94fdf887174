import { lookup as lookupAll } from 'node:dns/promises'
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net'

import { isLocalAddress } from './address-rules.js'
import { LocalAddressError } from './errors.js'
import { publicLookup } from './public-lookup.js'

/** One entry of a list of allowed hosts: a host name, or a network such as `10.0.0.0/8`. */
export type AllowedHost =
  | { kind: 'name'; name: string }
  | { kind: 'network'; address: string; prefix: number; family: 'ipv4' | 'ipv6' }

/** Parses a host name, an IP address or a network in CIDR notation. Returns undefined for other texts. */
export function parseAllowedHost(text: string): AllowedHost | undefined {
  const [address = '', length, ...rest] = text.replace(/^\[(.*)\]$/, '$1').split('/')
  const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0
  if (bits === 0) {
    const isName = /^[a-z0-9_]([a-z0-9._-]{0,251}[a-z0-9])?$/i.test(text)
    return isName ? { kind: 'name', name: text.toLowerCase() } : undefined
  }
  const prefix = length === undefined ? bits : /^\d{1,3}$/.test(length) ? Number(length) : NaN
  if (rest.length > 0 || !(prefix <= bits)) return undefined
  return { kind: 'network', address, prefix, family: bits === 32 ? 'ipv4' : 'ipv6' }
}

/**
 * The hosts that this process may connect to if a user gave the address: public hosts, and local ones that the
 * administrator lists. An allowed name may resolve to any address.
 */
export class EgressRules {
  private readonly names = new Set<string>()
  private readonly networks = new BlockList()

  constructor(allowed: readonly AllowedHost[] = []) {
    for (const host of allowed) {
      if (host.kind === 'name') this.names.add(host.name)
      else this.networks.addSubnet(host.address, host.prefix, host.family)
    }
  }

  /**
   * The `lookup` option for sockets. Node.js calls it for every host that is not an IP address. Fails with
   * `LocalAddressError`.
   */
  readonly lookup: LookupFunction = (hostname, options, callback) => {
    const isRefused = this.isAllowedName(hostname)
      ? () => false
      : (address: string) => this.isRefused(address)
    publicLookup(isRefused)(hostname, options, callback)
  }

  /** Throws `LocalAddressError` if the host is a refused IP address. `lookup` checks names. */
  checkHost(hostname: string): void {
    const host = withoutBrackets(hostname)
    if (isIP(host) !== 0 && this.isRefused(host)) throw new LocalAddressError(host)
  }

  /**
   * Resolves the host to an allowed address. Throws `LocalAddressError` if one of its addresses is refused, or the
   * error of the resolver.
   */
  async addressOf(hostname: string): Promise<string> {
    const host = withoutBrackets(hostname)
    this.checkHost(host)
    if (isIP(host) !== 0) return host
    const [first, ...others] = (await lookupAll(host, { all: true })).map(({ address }) => address)
    if (first === undefined) throw new Error(`the host ${host} has no address`)
    const isRefused = [first, ...others].some((address) => this.isRefused(address))
    if (isRefused && !this.isAllowedName(host)) throw new LocalAddressError(host)
    return first
  }

  private isRefused(address: string): boolean {
    return isLocalAddress(address) && !this.isAllowedAddress(address)
  }

  /** Whether the administrator lists the IP address, or its network. */
  isAllowedAddress(address: string): boolean {
    return this.networks.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
  }

  /** Whether the administrator lists the name. */
  isAllowedName(hostname: string): boolean {
    return this.names.has(hostname.toLowerCase().replace(/\.$/, ''))
  }
}

function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '')
}
