import { describe, expect, test } from 'vitest'

import { limits } from '../../src/ci-config/limits.js'
import { loadConfig } from '../../src/ci-config/yaml/load-config.js'

describe('the cache of parsed CI files', () => {
  test('returns the parsed file for the same text and name', () => {
    const text = 'a: {script: x}'
    expect(loadConfig(text, 'one.yml')).toBe(loadConfig(text, 'one.yml'))
    expect(loadConfig(text, 'other.yml')).not.toBe(loadConfig(text, 'one.yml'))
  })

  test('does not keep a large file, nor one that cannot be parsed', () => {
    const large = `a: {script: ${'x'.repeat(limits.keptFile)}}`
    expect(loadConfig(large, 'one.yml')).not.toBe(loadConfig(large, 'one.yml'))
    expect(() => loadConfig('a: [', 'one.yml')).toThrow(/line 1/)
    expect(() => loadConfig('a: [', 'one.yml')).toThrow(/line 1/)
  })
})
