import { expect, test } from 'vitest'

import { parseRawAddress, possibleSplits } from '../../../../src/coordinator/hosting/files/raw-address.js'

test.each([
  ['/a/b/-/raw/main/x.png', { project: 'a/b', refPath: 'main/x.png' }],
  ['/a/b/-/raw/main/my%20dir/x.png?inline=true', { project: 'a/b', refPath: 'main/my dir/x.png' }],
  ['/a/b/-/raw/', undefined],
  ['/a/b/-/raw/%ff', undefined],
  ['/a/b/-/blob/main/x.png', undefined],
])('%s', (address, parsed) => {
  expect(parseRawAddress(address)).toEqual(parsed)
})

test('a ref may end at each slash, the longest first', () => {
  expect(possibleSplits('feature/x/a.png')).toEqual([
    { ref: 'feature/x', path: 'a.png' },
    { ref: 'feature', path: 'x/a.png' },
  ])
  expect(possibleSplits('main')).toEqual([])
  expect(possibleSplits('a/'.repeat(500) + 'b')).toHaveLength(20)
})
