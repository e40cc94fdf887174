import { expect, test } from 'vitest'

import { isLocalAddress } from '../../../src/egress/address-rules.js'

test.each([
  ...['127.0.0.1', '127.9.9.9', '0.0.0.0', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  ...['169.254.169.254', '100.64.0.1', '198.18.0.1', '224.0.0.1', '255.255.255.255', '::1', '[::1]', '::'],
  ...['fe80::1', 'fe80::1%eth0', 'fc00::1', 'fd12::1', 'ff02::1', '::ffff:127.0.0.1', '::ffff:8.8.8.8'],
  ...['::127.0.0.1', '64:ff9b::7f00:1', '2002:7f00:1::', '2001:0:1::', 'localhost', ''],
  // An IPv4 address inside an IPv6 one, in every way that is defined: mapped, translated, compatible, NAT64, 6to4, Teredo.
  ...[
    '::ffff:0:127.0.0.1',
    '::ffff:0:a00:1',
    '::ffff:0:0:0',
    '::a00:1',
    '64:ff9b::10.0.0.1',
    '64:ff9b:1::a00:1',
  ],
  ...['64:ff9b:1:ffff::1', '2002:a00:1::', '2001::1', '192.88.99.1'],
  // Where clouds tell virtual machines their credentials.
  ...['168.63.129.16', 'fd00:ec2::254', '100.100.100.200', '192.0.0.192', 'fd20:ce::254'],
  // Ranges for documentation, benchmarks, identifiers and tests, some of which are routed inside networks.
  ...['192.0.2.1', '198.51.100.1', '203.0.113.1', '198.19.255.255', '192.0.0.1', '240.0.0.1', '2001:db8::1'],
  ...['2001:2::1', '2001:10::1', '2001:20::1', '3fff::1', '5f00::1', '100::1', 'fec0::1', 'feb0::1'],
  // Not how an address is written.
  ...['0177.0.0.1', '2130706433', '0x7f000001', '127.1', '[127.0.0.1', '127.0.0.1 '],
])('%s is of the local network', (address) => {
  expect(isLocalAddress(address)).toBe(true)
})

test.each([
  ...['8.8.8.8', '172.15.0.1', '172.32.0.1', '192.167.0.1', '100.128.0.1', '126.0.0.1', '128.0.0.1'],
  ...['168.63.129.15', '168.63.129.17', '192.88.98.1', '99.255.255.255', '2001:4860:4860::8888', '2003::1'],
  ...['2606:4700::1111', '[2606:4700::1111]', '2a00:1450::1'],
])('%s is of the public one', (address) => {
  expect(isLocalAddress(address)).toBe(false)
})
