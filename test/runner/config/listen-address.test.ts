import { expect, test } from 'vitest'

import { parseListenAddress } from '../../../src/runner/config/read-listen-address.js'

test.each([
  ['127.0.0.1:9000', { host: '127.0.0.1', port: 9000 }],
  [':9000', { host: '', port: 9000 }],
  ['[::1]:9000', { host: '::1', port: 9000 }],
  ['localhost', { host: 'localhost', port: 9252 }],
  ['localhost:0', { host: 'localhost', port: 0 }],
  ['localhost:70000', undefined],
  ['http://localhost:9000', undefined],
  ['a b', undefined],
])('%s', (text, address) => {
  expect(parseListenAddress(text)).toEqual(address)
})
