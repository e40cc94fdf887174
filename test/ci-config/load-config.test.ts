import { describe, expect, test } from 'vitest'

import { ConfigError, type Problem } from '../../src/ci-config/errors.js'
import type { ConfigValue } from '../../src/ci-config/yaml/config-value.js'
import { scalarText } from '../../src/ci-config/yaml/config-value.js'
import { loadConfig as load, type LoadedConfig } from '../../src/ci-config/yaml/load-config.js'

const loadConfig = (text: string): LoadedConfig => load(text, '.gitlab-ci.yml')

function problemsOf(text: string): readonly Problem[] {
  try {
    loadConfig(text)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

function valueOf(text: string): ConfigValue | undefined {
  return loadConfig(`key: ${text}`).content.get('key')
}

describe('a plain scalar follows YAML 1.1', () => {
  test.each<[string, ConfigValue]>([
    ['yes', true],
    ['On', true],
    ['TRUE', true],
    ['no', false],
    ['off', false],
    ['y', 'y'],
    ['n', 'n'],
    ['~', null],
    ['', null],
    ['null', null],
    ['012345', 5349n],
    ['08', '08'],
    ['1_000', 1000n],
    ['-7', -7n],
    ['0x1F', 31n],
    ['0b101', 5n],
    ['12:30:00', 45_000n],
    ['12:30', 45_000n],
    ['-1:30', -5400n],
    ['1:30.5', 5430],
    ['1:00:00.5', 3600.5],
    ['1:2:3:4', '1:2:3:4'],
    ['8080:80', '8080:80'],
    ['123456789012345678901234', 123_456_789_012_345_678_901_234n],
    ['1.0', 1],
    ['1.5e+3', 1500],
    ['-.inf', -Infinity],
    ['1e3', '1e3'],
    ['1234e567', '1234e567'],
    ['1.2.3', '1.2.3'],
    ['v1', 'v1'],
    ['"yes"', 'yes'],
    ["'012'", '012'],
    ['!!str 12', '12'],
    ['!!int "12"', 12n],
  ])('%s', (text, value) => {
    expect(valueOf(text)).toEqual(value)
  })
})

test.each<[string, string]>([
  ['1.0', '1.0'],
  ['1.10', '1.1'],
  ['12', '12'],
  ['1.0e+20', '1.0e+20'],
  ['0.00001', '1.0e-05'],
  ['yes', 'true'],
  ['', ''],
])('%s as text is %j', (written, text) => {
  const value = valueOf(written)
  expect(scalarText(value as string)).toBe(text)
})

describe('a map', () => {
  test('has text for keys, whatever they look like', () => {
    const { content } = loadConfig('on: a\n10: b\n1.0: c\n__proto__: d\n~: e\n"constructor": f')
    expect([...content.keys()]).toEqual(['true', '10', '1.0', '__proto__', '', 'constructor'])
    expect(Object.prototype).not.toHaveProperty('d')
  })

  test('takes the last of two equal keys', () => {
    expect(valueOf('{a: 1, a: 2}')).toEqual(new Map([['a', 2n]]))
  })

  test.each([
    ['its own keys win', '.a: &a {x: 1, y: 1}\nkey: {<<: *a, x: 2}', { x: 2n, y: 1n }],
    ['also those before the merge', '.a: &a {x: 1, y: 1}\nkey: {x: 2, <<: *a}', { x: 2n, y: 1n }],
    [
      'earlier maps of a list win',
      '.a: &a {x: 1}\n.b: &b {x: 2, y: 2}\nkey: {<<: [*a, *b]}',
      { x: 1n, y: 2n },
    ],
    ['the later of two merges wins', '.a: &a {x: 1}\n.b: &b {x: 2}\nkey:\n  <<: *a\n  <<: *b', { x: 2n }],
    ['merging is shallow', '.a: &a {m: {x: 1}}\nkey: {<<: *a, m: {y: 2}}', { m: new Map([['y', 2n]]) }],
    ['a quoted << is a key', '.a: &a {x: 1}\nkey: {"<<": *a}', { '<<': new Map([['x', 1n]]) }],
    ['<< of no map is a key', 'key: {<<: 3}', { '<<': 3n }],
  ])('merges with <<: %s', (_, text, expected) => {
    expect(loadConfig(text).content.get('key')).toEqual(new Map(Object.entries(expected)))
  })

  test('may have an anchor on its key', () => {
    expect(valueOf('{&a x: *a}')).toEqual(new Map([['x', 'x']]))
  })

  test('an anchor may be set again', () => {
    expect(valueOf('[&a 1, *a, &a 2, *a]')).toEqual([1n, 1n, 2n, 2n])
  })
})

describe('of several documents', () => {
  test.each([
    ['a leading line of dashes is dropped', '---\na: 1', ['a']],
    ['the first is the content', 'a: 1\n---\nb: 1', ['a']],
    ['empty ones do not count', '---\n---\n\n---\na: 1\n---\n', ['a']],
    ['comments alone do not count', '# hello\n---\na: 1', ['a']],
    ['dashes inside text divide nothing', 'a: |\n  x\n  ---\n  y', ['a']],
  ])('%s', (_, text, keys) => {
    expect([...loadConfig(text).content.keys()]).toEqual(keys)
  })

  test('the first is a header when it has spec', () => {
    const { header, content } = loadConfig('spec: {}\n---\na: 1')
    expect(header?.has('spec')).toBe(true)
    expect([...content.keys()]).toEqual(['a'])
  })
})

describe('text as editors leave it', () => {
  test.each([
    ['a byte order mark', '\uFEFFa: 1\nb: 2', [1n, 2n]],
    ['lines that end as on Windows', 'a: 1\r\nb: 2\r\n', [1n, 2n]],
    ['such lines in a block of text', 'a: |\r\n  x\r\n  y\r\nb: z', ['x\ny\n', 'z']],
    ['documents divided by such lines', '---\r\na: 1\r\nb: 2\r\n', [1n, 2n]],
    ['a mark of the end', 'a: 1\nb: 2\n...\n', [1n, 2n]],
    ['letters of all scripts', 'ä: é\n"🔍 x": "\\u00e9"', ['é', 'é']],
    ['a block that keeps its indentation', 'a: |2+\n    x\n\nb: y', ['  x\n\n', 'y']],
    ['tabs inside a line', 'a: x\ty\nb: |\n  \tz\n', ['x\ty', '\tz\n']],
    ['a byte order mark before dashes', '\uFEFF---\na: 1\nb: 2', [1n, 2n]],
    ['an explicit key', '? a\n: 1\n? b\n: 2', [1n, 2n]],
    ['a line that goes on', 'a: x &&\n  y\nb: >-\n  x\n  y\n\n  z', ['x && y', 'x y\nz']],
  ])('%s', (_, text, values) => {
    expect([...loadConfig(text).content.values()]).toEqual(values)
  })
})

describe('text that cannot be read is refused', () => {
  test.each([
    ['', 'Please provide content of .gitlab-ci.yml'],
    [' \n ', 'Please provide content of .gitlab-ci.yml'],
    ['- a', 'Invalid configuration format'],
    ['just text', 'Invalid configuration format'],
    ['# only a comment', 'Invalid configuration format'],
    ['a: 2024-01-31', 'Tried to load unspecified class: Date'],
    ['a: 2024-01-31 10:00:00', 'Tried to load unspecified class: Time'],
    ['a: *b', 'Unknown alias: b'],
    ['a: &a [*a]', 'Unknown alias: a'],
    ['a: 1\n---\nb: 1\n---\nc: 1', 'The YAML has more than two documents'],
    ['? [a]\n: b', 'Invalid YAML syntax: the key of a map must be a scalar'],
  ])('%j', (text, message) => {
    expect(() => loadConfig(text)).toThrow(message)
  })

  test.each([
    ['a: [', /at line 1 column 5$/],
    ['a: 1\nb: {', /at line 2 column 5$/],
    ['a: !foo bar', /^Unresolved tag: !foo at line 1 column 4$/],
    ['a: !!binary aGk=', /^Unresolved tag: .*binary at line 1 column 4$/],
    ['a: 1\n b: 2', /at line \d column \d$/],
    ['# a\n---\na: 1\nb: [', /at line 4 column 5$/],
    ['a:\n\tb: c', /^Tabs are not allowed as indentation at line 2 column 1$/],
    ['a: %b%', /at line 1 column 4$/],
  ])('%j with line and column', (text, message) => {
    expect(() => loadConfig(text)).toThrow(message)
  })

  test('a pattern that was left without quotes is pointed at', () => {
    const problems = problemsOf('job:\n  paths: [*.log]')
    expect(problems).toMatchObject([{ message: 'Unknown alias: .log', location: { line: 2, column: 11 } }])
  })
})

describe('hostile text ends in a clear error', () => {
  const bomb = ['a0: &a0 [x, x]', ...upTo(60, (n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}, *a${n}]`)].join(
    '\n',
  )
  const mergeBomb = [
    'm0: &m0 {x: y}',
    ...upTo(60, (n) => `m${n + 1}: &m${n + 1} {a: *m${n}, b: *m${n}}`),
  ].join('\n')

  test.each([
    ['aliases that multiply', bomb],
    ['maps that multiply', mergeBomb],
    ['deep flow lists', `a: ${'['.repeat(200_000)}`],
    ['deep flow maps', `a: ${'{a: '.repeat(50_000)}`],
    ['deep block lists', `a:\n${'- '.repeat(50_000)}`],
    ['deep maps, well formed', upTo(120, (n) => `${' '.repeat(n)}a:`).join('\n')],
    ['more nodes than bytes allow', 'a: 1\n'.repeat(60_000)],
    ['the same between brackets', `a: [${'x,'.repeat(700_000)}]`],
    ['the same where only the library reads it', `a: !!seq [${'x,'.repeat(700_000)}]`],
    ['comments where only the library reads them', `a: !!str b\n${'# c\n'.repeat(500_000)}`],
    ['anchors without end', '&a '.repeat(600_000)],
  ])('%s', (_, text) => {
    expect(() => loadConfig(text)).toThrow('The parsed YAML is too big')
  })

  test('nothing but comments is read at once, however many', () => {
    expect(() => loadConfig('# c\n'.repeat(500_000))).toThrow('Invalid configuration format')
  })

  test('ten thousand lines are fine, however they are written', () => {
    const job = (index: number, script: string): string =>
      `job ${index}:\n  stage: test\n  needs: [build]\n  script:\n    - ${script}\n`
    const text = upTo(2000, (index) => job(index, 'make "$A"')).join('')
    expect(loadConfig(text).content.size).toBe(2000)
    const unusual = upTo(2000, (index) => job(index, '!!str make')).join('')
    expect(loadConfig(unusual).content.size).toBe(2000)
  })

  test('too many bytes', () => {
    expect(() => loadConfig(`a: ${'x'.repeat(2_097_152)}`)).toThrow('The provided YAML is too big')
  })

  test('as deep as allowed is fine', () => {
    expect(loadConfig(`a: ${'['.repeat(99)}${']'.repeat(99)}`).content.size).toBe(1)
    expect(() => loadConfig(`a: ${'['.repeat(100)}${']'.repeat(100)}`)).toThrow('The parsed YAML is too big')
  })
})

function upTo<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index))
}
