import { expect, test } from 'vitest'

import { hashKey, sanitizeKey } from '../../../src/runner/cache/cache-store.js'

test.each([
  ['default', 'default'],
  ['build/main', 'build/main'],
  ['a%2Fb%2e%2E/c', 'a/b../c'],
  ['../../etc/passwd', 'etc/passwd'],
  ['a/%2e%2e/%2E./b', 'b'],
  ['a\\..\\..\\b', 'b'],
  ['a /b\t', 'a/b'],
  ['a/.. /b', 'b'],
  ['//a//b/', 'a/b'],
  ['..', ''],
  ['  ', ''],
  ['a\0b', 'ab'],
])('the key %j names %j', (key, sanitized) => {
  expect(sanitizeKey(key)).toBe(sanitized)
})

test('a key that was sanitized stays as it is', () => {
  for (const key of ['a%252e%252e/b', 'x/%2e%2e%5c..', 'feature/né']) {
    const once = sanitizeKey(key)
    expect(once.split('/')).not.toContain('..')
    expect(once.startsWith('/')).toBe(false)
  }
})

test('a hashed key has 64 characters', () => {
  expect(hashKey('default')).toBe('37a8eec1ce19687d132fe29051dca629d164e2c4958ba141d5f4133a33f0688f')
})
