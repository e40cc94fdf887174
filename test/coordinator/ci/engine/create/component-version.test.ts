import { expect, test } from 'vitest'

import {
  isVersionRange,
  newestTag,
} from '../../../../../src/coordinator/ci/engine/create/component-version.js'

const tags = ['1.0.0', '1.10.0', '1.9.3', '2.0.0-rc.1', 'v1.10.1', 'latest', '0.1.0', 'v3']

test.each<[string, string | undefined]>([
  ['~latest', 'v1.10.1'],
  ['1', 'v1.10.1'],
  ['1.9', '1.9.3'],
  ['0', '0.1.0'],
  ['2', undefined],
])('the newest of %s is %s', (range, tag) => {
  expect(newestTag(tags, range)).toBe(tag)
})

test.each<[string, boolean]>([
  ['~latest', true],
  ['1', true],
  ['1.2', true],
  ['1.2.3', false],
  ['v1', false],
  ['main', false],
])('%s is a range: %s', (version, isRange) => {
  expect(isVersionRange(version)).toBe(isRange)
})
