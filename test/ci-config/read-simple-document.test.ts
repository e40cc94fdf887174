import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { ConfigError } from '../../src/ci-config/errors.js'
import { readByLibrary, readDocument } from '../../src/ci-config/yaml/read-document.js'
import { readSimpleDocument } from '../../src/ci-config/yaml/simple/read-simple-document.js'
import { splitDocuments } from '../../src/ci-config/yaml/split-documents.js'
import type { YamlNode } from '../../src/ci-config/yaml/yaml-node.js'
import { fuzzRuns } from '../support/fuzz-runs.js'
import { ciFiles } from './support/ci-files.js'

/** The document that the library reads from a text, or its error. */
function byLibrary(text: string): YamlNode | undefined | string {
  try {
    return readByLibrary({ text, firstLine: 1, firstColumn: 1 }, 'f').root
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}

/** What is said to be wrong with a text. */
function problemOf(text: string): string | undefined {
  try {
    readDocument({ text, firstLine: 1, firstColumn: 1 }, 'f')
    return undefined
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}

const SIMPLE: [string, string][] = [
  ['plain scalars', 'a: b\nc: x y  # z\n# w\n\nd: -1\ne: a#b:c\nf: 0.5\non: yes\n<<: 1\n"<<": 2\n'],
  ['quoted scalars', `a: 'it''s'\n"b": "x\\ty"\n'c d': "e: f"\ng: "" # h\n`],
  ['empty values', 'a:\nb: # c\nd: ~\n'],
  ['nested maps', 'a:\n  b:\n    c: d\n  e: f\ng:\n   h: i\n'],
  ['a scalar in a line of its own', 'a:\n  b c\nd:\n  "e"\n'],
  ['lists', 'a:\n  - b\n  - c: d\n    e: f\n  - - g\n    - h\n  -\n    i: j\n'],
  ['lists at the indentation of their key', 'a:\n- b\n- c\nd:\n  e:\n  - f\n  g: h\n'],
  ['text on several lines', 'a: b\n  c\n\n  d\ne:\n  - f\n    g\n  - "h\n    i"\n'],
  [
    'blocks of text',
    'a: |\n  b\n    c\n\n  d\n\ne: >-\n  f\n  g\n\n  h\nlist:\n  - |\n    i\n  - |-\n    j # k\n',
  ],
  ['a block of text at the end', 'a: |\n  b'],
  ['flow maps and lists', 'a: [b, "c", {d: e, "f": g}, [], {}, ]\nh: {i: [j], k: l # m\n  , n: o}\n'],
  ['brackets over several lines', 'a: [\n  b, # c\n  d\n]\ne:\n  - {\n      f: g,\n      h: "i"\n    }\n'],
  ['anchors and aliases', 'a: &x\n  b: c\nd: *x\ne: &y [f, *x]\ng: &z h\ni:\n  <<: *x\n  j: [*y, *z]\n'],
  ['anchors of lists', 'a: &x\n  - b\nc: &y\n- d\ne:\n  - &z f\n  - *z\ng: [&w h, *w]\n'],
  ['references', 'a: !reference [.b, c]\nd:\n  - !reference [e]\n  - f\ng: &h !reference [i]\n'],
  ['JSON', '{"a":{"b":["c",1,null,true,[]]},"d": {}}\n'],
  ['comments alone', '# a\n\n  # b'],
  ['comments everywhere', '# a\n\nb: # c\n  # d\n  e: f # g\n   # h\n# i\nj:\n  # k\n  - l # m\n  # n\n'],
]

describe('a document that is read in one pass', () => {
  test.each(SIMPLE)('%s', (_, text) => {
    const read = readSimpleDocument(text)
    expect(read).toBeDefined()
    expect(read?.root).toEqual(byLibrary(text))
  })

  test.each(['gem', 'monorepo', 'platform', 'toolchain', 'web-app'])('%s', (project) => {
    for (const [path, text] of Object.entries(ciFiles(project))) {
      const documents = splitDocuments(text)
      for (const document of documents) {
        expect(readSimpleDocument(document.text), path).toBeDefined()
        expect(readSimpleDocument(document.text)?.root).toEqual(byLibrary(document.text))
      }
    }
  })
})

describe('an unclosed quote gives the error of the YAML library', () => {
  test.each([
    'a: "b',
    "a: 'b",
    'a:\n  - "b\n    c\n\n',
    'a: [b, {c: "d\n e}]\n',
    "a: 'it''s\n  x\n",
    '"a: b\nc: d',
    '- "a',
    'a: "\\q',
    "'",
    'a: "',
  ])('%j', (text) => {
    expect(problemOf(text)).toEqual(byLibrary(text))
  })
})

test.each([
  ['a: "b\\"', '"'],
  ["a: 'b''", "'"],
])('%j is not closed, which the library overlooks', (text, quote) => {
  expect(byLibrary(text)).toMatchObject({ kind: 'map' })
  expect(problemOf(text)).toMatch(new RegExp(`^Missing closing ${quote}quote at line 1 column \\d+$`))
})

/** Lines of a block, some of them blank, some with more spaces than the first. */
const blockLine = fc.tuple(
  fc.integer({ min: 0, max: 4 }),
  fc.constantFrom('', '', 'x', 'y z', '# w', '- v', '\\'),
)
const blocks = fc
  .tuple(
    fc.constantFrom('|', '>', '|-', '>-'),
    fc.array(blockLine, { maxLength: 10 }),
    fc.constantFrom('', 'b: c\n'),
  )
  .map(
    ([header, all, after]) =>
      `a: ${header}\n${all.map(([indent, text]) => `${' '.repeat(indent)}${text}\n`).join('')}${after}`,
  )
/** Escapes, those of JSON and others. */
const quoted = fc
  .array(fc.constantFrom(...'n t " \\ / u0041 ud83d x41 U0001F600 q e  '.split(' '), '\n '), { maxLength: 8 })
  .map((parts) => `a: "${parts.map((part) => (part === '\n ' ? part : `\\${part}-`)).join('')}"\n`)

/** Pieces of YAML, the strange ones among them. */
const pieces = fc.constantFrom(
  ...[
    'a',
    'b c',
    ': ',
    ':',
    '\n',
    '\n',
    '\n',
    '  ',
    '  ',
    ' ',
    '- ',
    '-',
    '&x ',
    '*x',
    '!reference ',
    '<<',
    '#',
    ' # ',
  ],
  ...[
    '[',
    ']',
    '{',
    '}',
    ', ',
    ',',
    '"',
    "'",
    '|',
    '>',
    '|-',
    '>-',
    '|+',
    '\\',
    '?',
    '? ',
    '!!str ',
    '%',
    '@',
    '`',
  ],
  ...[
    'a: b',
    'c:',
    'd: [e, f]',
    '{g: h}',
    '- i',
    "'j'",
    '"k: l"',
    '012',
    '1:30',
    'yes',
    '~',
    '2020-01-01',
    '\t',
    '...',
    '---',
  ],
)
const anyText = fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(''))

/** Lines that are often right: an indentation, and something that may stand there. */
const line = fc
  .tuple(
    fc.integer({ min: 0, max: 4 }),
    fc.constantFrom(
      ...[
        'a:',
        'b: c',
        '- d',
        '- e: f',
        '-',
        '- - g',
        'h: |',
        '- >',
        'i: &x',
        'j: &y k',
        'l: *x',
        '# m',
        '',
        'n o',
        '"p": q',
      ],
      ...[
        'r: [s,',
        't]',
        'u: {v: w}',
        '}',
        '- !reference [x]',
        "y: 'z",
        "z'",
        'A: "B',
        'C"',
        'D: E # F',
        '<<: *x',
        '- *y',
        'G: |-',
      ],
      ...[
        'H:   ',
        '- [',
        '],',
        '- &z I: J',
        'K:L',
        'M: N: O',
        '- P:',
        '  Q',
        '? R',
        'S: - T',
        'U: >',
        'V: [W] X',
        '{Y: Z}: 1',
      ],
    ),
  )
  .map(([indent, text]) => ' '.repeat(indent) + text)
const json = fc.json({ maxDepth: 4 }).map((text) => text.replaceAll(',', ', '))
const lines = fc.array(line, { maxLength: 12 }).map((all) => all.join('\n'))

describe('whatever a text says, one pass reads it as the library does or not at all', () => {
  test.each([
    ['pieces', anyText],
    ['lines', lines],
    ['blocks of text', blocks],
    ['escapes', quoted],
    [
      'JSON',
      fc.oneof(
        json,
        fc.json(),
        fc.tuple(json, anyText).map((parts) => parts.join('')),
      ),
    ],
  ])('%s', (_, text) => {
    fc.assert(
      fc.property(text, (written) => {
        const read = readSimpleDocument(written)
        if (read?.unclosed && written.endsWith(read.unclosed)) return
        const expected = byLibrary(written)
        // What the library says of a quote in the place of a key, which it finds to be on several lines.
        if (read?.unclosed && isProblemOfKey(expected)) return
        if (read) expect(read.unclosed ? problemOf(written) : read.root).toEqual(expected)
      }),
      fuzzRuns(1000),
    )
  })
})

function isProblemOfKey(problem: unknown): boolean {
  return typeof problem === 'string' && problem.startsWith('Implicit keys need to be on a single line')
}
