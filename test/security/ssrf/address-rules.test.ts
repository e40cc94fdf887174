import { expect, test } from 'vitest'

import { isLocalAddress } from '../../src/egress/address-rules.js'

test.each([
  ...['127.0.0.1', '127.9.9.9', '0.0.0.0', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  ...['169.254.169.254', '100.64.0.1', '198.18.0.1', '224.0.0.1', '255.255.255.255', '::1', '[::1]', '::'],
  ...['fe80::1', 'fe80::1%eth0', 'fc00::1', 'fd12::1', 'ff02::1', '::ffff:127.0.0.1', '::ffff:8.8.8.8'],
  ...['::127.0.0.1', '64:ff9b::7f00:1', '2002:7f00:1::', '2001:0:1::', 'localhost', ''],
])('%s is of the local network', (address) => {
  expect(isLocalAddress(address)).toBe(true)
})

test.each([
  ...['8.8.8.8', '172.15.0.1', '172.32.0.1', '192.167.0.1', '100.128.0.1', '126.0.0.1', '128.0.0.1'],
  ...['2606:4700::1111', '[2606:4700::1111]', '2a00:1450::1'],
])('%s is of the public one', (address) => {
  expect(isLocalAddress(address)).toBe(false)
})
