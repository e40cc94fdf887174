import { isIPv6 } from 'node:net'

/** The subject of limits for an address: with IPv6, one customer has a whole /64. */
export function subjectOfAddress(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return `address ${mapped}`
  return `address ${isIPv6(address) ? `${networkOf(address)}::/64` : address}`
}

/** The first four of the eight groups of an address. */
function networkOf(address: string): string {
  const [head = '', tail] = (address.split('%')[0] ?? '').toLowerCase().split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - first.length - last.length
  const parts = [...first, ...Array.from({ length: Math.max(0, zeros) }, () => '0'), ...last]
  return parts
    .slice(0, 4)
    .map((part) => part.replace(/^0+(?=.)/, ''))
    .join(':')
}
