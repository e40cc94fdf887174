import { expect, test } from 'vitest'

import { branchOrTag, isObjectId, isRefName } from '../../src/git/names.js'

test.each(['main', 'feature/x', 'v1.0', 'a@b', 'ünïcode', 'refs/heads/main', 'a-b_c', '@x'])(
  '%j is a valid ref name',
  (name) => {
    expect(isRefName(name)).toBe(true)
  },
)

test.each([
  '',
  '@',
  '-x',
  '/x',
  'x/',
  'a//b',
  'a..b',
  '.x',
  'a/.x',
  'x.lock',
  's\ud800',
  '\udc00s',
  'a.lock/b',
  'x.',
  'a b',
  'a\nb',
  'a\0b',
  'a~1',
  'a^{commit}',
  'a:b',
  'a?',
  'a*',
  'a[b',
  'a\\b',
  'a@{1}',
  '\x7f',
])('%j is not a valid ref name', (name) => {
  expect(isRefName(name)).toBe(false)
})

test('an object ID has 40 lower-case hex digits', () => {
  expect(isObjectId('0123456789abcdef0123456789abcdef01234567')).toBe(true)
  expect(isObjectId('0123456789abcdef')).toBe(false)
  expect(isObjectId('HEAD')).toBe(false)
})

test('branches and tags are distinguished from other refs', () => {
  expect(branchOrTag('refs/heads/a/b')).toEqual({ kind: 'branch', name: 'a/b' })
  expect(branchOrTag('refs/tags/v1')).toEqual({ kind: 'tag', name: 'v1' })
  expect(branchOrTag('refs/notes/x')).toBeUndefined()
})
