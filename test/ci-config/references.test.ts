import { describe, expect, test } from 'vitest'

import { compileText, errorsOf, jobOf } from './support/compile-text.js'

const hidden = `
.s: {script: [x, y], nested: !reference [.s, script], deep: {a: {b: z}}}
.t: {list: [!reference [.s, script], w], none: null, wrong: false}
`

describe('!reference is replaced by the value at its keys', () => {
  test.each<[string, string, string[]]>([
    ['in a list, flattened', '[!reference [.s, script], z]', ['x', 'y', 'z']],
    ['as the whole value', '!reference [.s, script]', ['x', 'y']],
    ['of a reference', '!reference [.s, nested]', ['x', 'y']],
    ['of a list that holds one', '[a, !reference [.t, list]]', ['a', 'x', 'y', 'w']],
    ['deep down', '!reference [.s, deep, a, b]', ['z']],
  ])('%s', async (_, script, lines) => {
    expect((await jobOf(`${hidden}a: {script: ${script}}`, 'a')).options.script).toEqual(lines)
  })

  test('a value that extends brought', async () => {
    const text = `.base: {script: [x]}\n.mid: {extends: .base}\na: {script: !reference [.mid, script]}`
    expect((await jobOf(text, 'a')).options.script).toEqual(['x'])
  })

  test('a map, with the types of its values', async () => {
    const text = `.v: {variables: {A: 1, B: 1.0}}\na: {script: x, variables: !reference [.v, variables]}`
    expect((await jobOf(text, 'a')).variables.map(({ value }) => value)).toEqual(['1', '1.0'])
  })

  test('a key on the way that is a reference itself', async () => {
    const text = `.x: {script: [x]}\n.y: {z: !reference [.x]}\na: {script: !reference [.y, z, script]}`
    expect((await jobOf(text, 'a')).options.script).toEqual(['x'])
  })
})

describe('a reference is refused', () => {
  test.each<[string, string, string]>([
    ['nothing there', '!reference [.s, nothing]', '!reference [".s", "nothing"] could not be found'],
    ['null', '!reference [.t, none]', '!reference [".t", "none"] could not be found'],
    ['false', '!reference [.t, wrong]', '!reference [".t", "wrong"] could not be found'],
    [
      'no map on the way',
      '!reference [.s, script, x]',
      '!reference [".s", "script", "x"] could not be found',
    ],
    ['no keys', '!reference []', '!reference [] is not valid'],
    ['a key that is no text', '!reference [.s, 1]', '!reference [".s", 1] is not valid'],
    ['itself', '[!reference [a, script]]', '!reference ["a", "script"] is part of a circular chain'],
    ['its own job', '[!reference [a]]', '!reference ["a"] is part of a circular chain'],
  ])('%s', async (_, script, message) => {
    expect(await errorsOf(`${hidden}a: {script: ${script}}`)).toEqual([message])
  })

  test('two that lead to each other', async () => {
    const text = '.a: {s: !reference [.b, s]}\n.b: {s: !reference [.a, s]}\nc: {script: x}'
    expect(await errorsOf(text)).toEqual(['!reference [".b", "s"] is part of a circular chain'])
  })

  test('as the value of extends', async () => {
    expect(await errorsOf('.a: {script: x}\nb: {extends: !reference [.a]}')).toEqual([
      'b: `extends` cannot be a !reference',
    ])
  })

  test('in a list that does not flatten', async () => {
    expect(await errorsOf('.a: {t: [x]}\nb: {script: x, tags: [!reference [.a, t]]}')).toEqual([
      'jobs:b:tags config should be an array of strings',
    ])
  })

  test('where it stands', async () => {
    const result = await compileText('a:\n  script:\n    - x\n    - !reference [.b]\n')
    expect(result).toMatchObject({
      problems: [{ path: ['a', 'script', '1'], location: { line: 4, column: 18 } }],
    })
  })
})

describe('references that multiply end in a clear error', () => {
  test('each standing for two of the one before', async () => {
    const lines = Array.from(
      { length: 60 },
      (_, i) => `.r${i + 1}: [!reference [.r${i}], !reference [.r${i}]]`,
    )
    const text = ['.r0: [x, x]', ...lines, 'a: {script: !reference [.r60]}'].join('\n')
    expect(await errorsOf(text)).toEqual(['The parsed YAML is too big'])
  })

  test.each(['forwards', 'backwards'])('a chain as long as a file can be, %s', async (direction) => {
    const links = Array.from({ length: 8000 }, (_, i) => `.r${i + 1}: [!reference [.r${i}]]`)
    const text = ['a: {script: x}', '.r0: [x]', ...(direction === 'forwards' ? links : links.reverse())].join(
      '\n',
    )
    expect(await errorsOf(text)).toEqual(['The parsed YAML is too big'])
  })
})
