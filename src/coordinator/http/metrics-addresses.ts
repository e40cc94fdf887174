import { BlockList, isIPv6 } from 'node:net'

import type { FastifyRequest } from 'fastify'

/** Addresses that may read `/metrics` by default. */
export const LOOPBACK = ['127.0.0.0/8', '::1/128']

/**
 * Headers that name the client of a proxy. If the settings do not list the proxy, the address of the request
 * is not the client's.
 */
const FORWARDED = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'] as const

/** Whether the client address of a request is one of these or in one of these networks. */
export function addressFilter(networks: readonly string[]): (request: FastifyRequest) => boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    list.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family)
  }
  return ({ ip, ips, headers }) => {
    const isOfUnknownProxy = ips === undefined && FORWARDED.some((name) => headers[name] !== undefined)
    return !isOfUnknownProxy && list.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4')
  }
}
