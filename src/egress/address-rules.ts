import { BlockList, isIP, isIPv6 } from 'node:net'

/**
 * Addresses outside the public network: this machine, its network, and ranges that lead to them indirectly (an IPv4
 * address inside an IPv6 one).
 */
const LOCAL: readonly [network: string, prefix: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Serves each virtual machine of Azure from its host.
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['::', 96],
  ['::ffff:0:0', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
]

const [localIpv4, localIpv6] = [new BlockList(), new BlockList()]
for (const [network, prefix] of LOCAL) {
  if (isIPv6(network)) localIpv6.addSubnet(network, prefix, 'ipv6')
  else localIpv4.addSubnet(network, prefix, 'ipv4')
}

/** Whether an IP address, with or without `[…]`, is local. Also true for a text that is not an IP address. */
export function isLocalAddress(address: string): boolean {
  const plain = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '')
  if (isIP(plain) === 0) return true
  return isIPv6(plain) ? localIpv6.check(plain, 'ipv6') : localIpv4.check(plain, 'ipv4')
}
