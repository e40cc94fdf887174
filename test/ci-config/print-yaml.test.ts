import { expect, test } from 'vitest'

import { loadConfig } from '../../src/ci-config/yaml/load-config.js'
import { printYaml } from '../../src/ci-config/yaml/print-yaml.js'

test('printed YAML parses to the same values', () => {
  const text = [
    'plain: text',
    'words: ["yes", "012", "12:30:00", "null", "~", "1.0", "", " x ", "2024-01-01", "<<", "=", "- a", "a: b"]',
    'numbers: [1, 1.0, 0.5, -3, 12345678901234567890]',
    'others: [true, no, null, {}, []]',
    '"12": second',
    '__proto__: { a: 1 }',
    'lines: |',
    '  one',
    '',
    '  two',
    'base: &base { a: [x, y] }',
    'shared: [*base, *base]',
  ].join('\n')
  const { content } = loadConfig(text, 'a.yml')
  const printed = printYaml(content)
  expect(printed).not.toContain('&')
  expect(loadConfig(printed, 'b.yml').content).toEqual(content)
})
