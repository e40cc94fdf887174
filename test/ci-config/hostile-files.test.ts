import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { compile } from '../../src/ci-config/compile.js'
import { fuzzRuns } from '../support/fuzz-runs.js'
import { ciFiles } from './support/ci-files.js'
import { compileProject, problemsOf } from './support/compile-project.js'
import { pushOfMain } from './support/compile-text.js'
import { EVERY_KEYWORD } from './support/every-keyword.js'
import { projectSources, SHA } from './support/project-sources.js'

const TOO_BIG = 'The parsed YAML is too big'

describe('a file that would cost too much ends in a clear error', () => {
  const bomb = (levels: number): string =>
    [
      '.a0: &a0 [x]',
      ...Array.from({ length: levels }, (_, i) => `.a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(9)}]`),
    ].join('\n')

  test.each<[string, string, string]>([
    ['aliases that multiply', bomb(30), TOO_BIG],
    ['deep nesting', `a: ${'['.repeat(20_000)}`, TOO_BIG],
    ['deep maps', `a: ${'{a: '.repeat(20_000)}`, TOO_BIG],
    ['a huge file', `a: {script: x}\n# ${'x'.repeat(3_000_000)}`, 'The provided YAML is too big'],
  ])('%s', async (_, text, message) => {
    expect(await problemsOf({ '.gitlab-ci.yml': text })).toEqual([message])
    const [included] = await problemsOf({ '.gitlab-ci.yml': 'include: a.yml', 'a.yml': text })
    expect(included).toBe(`\`a.yml\`: ${message}`)
  })

  test('a large file at the bottom of many that include one another', async () => {
    const keys = Array.from({ length: 8000 }, (_, i) => `.k${i}: 1`).join('\n')
    const chain = Object.fromEntries(
      Array.from({ length: 149 }, (_, i) => [
        `f${i}.yml`,
        i === 148 ? keys : `include: f${i + 1}.yml\n.x${i}: 1`,
      ]),
    )
    const text = 'include: f0.yml\nj: {script: x}'
    expect(await problemsOf({ '.gitlab-ci.yml': text, ...chain })).toEqual([TOO_BIG])
  })

  test('files that are large when they are put together', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [
        `f${i}.yml`,
        `.h${i}: {script: [${'xxxxxxxxxxxxxxxxxxxxxxxx,'.repeat(3000)}]}`,
      ]),
    )
    const jobs = Array.from({ length: 40 }, (_, i) => `!reference [.h${i}, script]`)
    const refer = Array.from({ length: 10 }, (_, i) => `.r${i}: {script: [${jobs.join(',')}]}`).join('\n')
    const text = `include: "*.yml"\n${refer}\nj: {script: x}`
    expect(await problemsOf({ '.gitlab-ci.yml': text, ...files })).toEqual([TOO_BIG])
  })
})

describe('keys that mean something to JavaScript are keys like any other', () => {
  const keys = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype']

  test.each(keys)('%s', async (key) => {
    const files = {
      '.gitlab-ci.yml': `include: a.yml\n${key}: {extends: .${key}, variables: {${key}: x}}\nj: {script: !reference [.${key}, script]}`,
      'a.yml': `spec: {inputs: {${key}: {default: {}}, n: {default: x}}}\n---\n.${key}: {script: ["$[[ inputs.n ]]"]}`,
    }
    expect(await problemsOf(files)).toEqual([`\`a.yml\`: \`${key}\` input: default value is not a string`])
    const right = { ...files, 'a.yml': files['a.yml'].replace('default: {}', 'default: v') }
    const result = await compileProject(right)
    expect(result).toMatchObject({
      kind: 'plan',
      plan: { jobs: [{ name: key, variables: [{ key, value: 'x' }] }, { name: 'j' }] },
    })
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  test.each(keys)('%s as an undefined name', async (key) => {
    const text = `spec: {inputs: {n: {default: x}}}\n---\nj: {script: "$[[ inputs.${key} ]]"}`
    expect(await problemsOf({ '.gitlab-ci.yml': text })).toEqual([
      `unknown interpolation provided: \`${key}\` in \`inputs.${key}\``,
    ])
  })
})

/** Texts made of the words of the language, so that many of them get far. */
const words = fc.constantFrom(
  ...[
    'include',
    'local',
    'project',
    'file',
    'ref',
    'remote',
    'template',
    'component',
    'rules',
    'inputs',
    'spec',
  ],
  ...[
    'extends',
    'script',
    'default',
    'variables',
    'stages',
    'a',
    '.b',
    'a.yml',
    'b.yml',
    '*.yml',
    '**',
    '$A',
    'if',
  ],
  ...[
    'type',
    'options',
    'regex',
    'exists',
    'changes',
    'when',
    'never',
    '$[[ inputs.a ]]',
    '$[[ inputs.b | truncate(0,1) ]]',
  ],
  ...[
    '$[[',
    ']]',
    '__proto__',
    'https://example.com/x.yml',
    'workflow',
    'needs',
    'image',
    'array',
    'string',
    '1',
    'true',
    'null',
  ],
)
const { value: data } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, depthSize: 'small' },
    words,
    fc.constantFrom(null, true, 1, 1.5, ''),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(words, tie('value')), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
  ),
}))
const header = fc.option(
  fc.oneof(
    fc.dictionary(words, data, { maxKeys: 3 }).map((inputs) => ({ spec: { inputs } })),
    fc.tuple(data, data).map(([include, inputs]) => ({ spec: { include, inputs } })),
  ),
)
const structured = fc
  .tuple(header, fc.dictionary(words, data, { maxKeys: 6 }))
  .map(([spec, content]) => `${spec ? `${JSON.stringify(spec)}\n---\n` : ''}${JSON.stringify(content)}`)
const signs = fc.constantFrom(
  ...[
    '\n',
    '  ',
    '- ',
    ': ',
    '[',
    ']',
    '{',
    '}',
    ',',
    '&x ',
    '*x',
    '<<: ',
    '!reference ',
    '---\n',
    '|\n',
    '"',
    "'",
    '#',
  ],
  ...[
    'spec',
    'include',
    'a',
    '.b',
    'script',
    'extends',
    '$[[ inputs.a ]]',
    '!!str ',
    '? ',
    '\t',
    '\0',
    'é',
    '%',
  ],
)
const loose = fc.array(signs, { maxLength: 60 }).map((parts) => parts.join(''))

describe('whatever a file says, compiling ends in a plan or in problems', () => {
  test.each([
    ['of the right shape', structured],
    ['of any shape', loose],
  ])('texts %s', async (_, text) => {
    await fc.assert(
      fc.asyncProperty(text, text, text, async (main, a, b) => {
        const files = { '.gitlab-ci.yml': main, 'a.yml': a, 'b.yml': b, 'templates/a.yml': b }
        const sources = projectSources({
          projects: { 'a/b': files },
          remote: { 'https://example.com/x.yml': a },
        })
        const origin = { file: '.gitlab-ci.yml', commit: { projectPath: 'a/b', sha: SHA } }
        const result = await compile(main, sources, { ...pushOfMain, origin, inputs: { a: 'x' } })
        if (result.kind !== 'invalid') return
        expect(result.problems.length).toBeGreaterThan(0)
        for (const { message, location } of result.problems) {
          expect(message).not.toBe('')
          if (location) expect(location.line).toBeGreaterThan(0)
        }
      }),
      fuzzRuns(100),
    )
  })
})

/** Right files with many keywords, to be made wrong. */
const RIGHT = [
  ...['gem', 'monorepo', 'platform', 'toolchain', 'web-app'].map((project) => ciFiles(project)),
  { '.gitlab-ci.yml': EVERY_KEYWORD },
].map((files) => ({ files, lines: (files['.gitlab-ci.yml'] ?? '').split('\n') }))

const change = fc.record({
  kind: fc.constantFrom('remove', 'repeat', 'move', 'indent', 'replace', 'cut' as const),
  at: fc.nat(),
  to: fc.nat(),
  word: fc.oneof(
    words,
    fc.constantFrom('[]', '{}', '1', 'null', '""', '[[x]]', '!reference [a]', '$[[ x ]]'),
  ),
})

type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

function changed(lines: readonly string[], changes: readonly Change[]): string {
  const left = [...lines]
  for (const { kind, at, to, word } of changes) {
    const index = at % Math.max(1, left.length)
    const line = left[index] ?? ''
    switch (kind) {
      case 'remove':
        left.splice(index, 1)
        break
      case 'repeat':
        left.splice(to % (left.length + 1), 0, line)
        break
      case 'move':
        left.splice(to % left.length, 0, ...left.splice(index, 1))
        break
      case 'indent':
        left[index] = `  ${line}`
        break
      case 'replace':
        left[index] = line.replace(/:.*$|- .*$/, (found) => `${found.startsWith(':') ? ':' : '-'} ${word}`)
        break
      case 'cut':
        left[index] = line.slice(0, to % (line.length + 1))
    }
  }
  return left.join('\n')
}

test('a right file that is changed at random ends in a plan or in problems', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...RIGHT),
      fc.array(change, { minLength: 1, maxLength: 4 }),
      async (right, changes) => {
        const files = { ...right.files, '.gitlab-ci.yml': changed(right.lines, changes) }
        const result = await compileProject(files)
        expect(['plan', 'invalid', 'filtered', 'empty']).toContain(result.kind)
      },
    ),
    fuzzRuns(100),
  )
})
