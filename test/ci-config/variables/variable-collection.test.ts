import { describe, expect, test } from 'vitest'

import type { ContextVariable } from '../../../src/ci-config/context-variable.js'
import { ConfigError } from '../../../src/ci-config/errors.js'
import { VariableCollection } from '../../../src/ci-config/variables/variable-collection.js'

function listOf(values: Record<string, string>): ContextVariable[] {
  return Object.entries(values).map(([key, value]) => ({ key, value }))
}

const raw = (key: string, value: string): ContextVariable => ({ key, value, raw: true })

describe('a text with references', () => {
  const variables = VariableCollection.of(
    [
      ...listOf({ A: 'a', B: '$A-b', C: '${B}-c', E: '', U: '$NOBODY.', S: '$S:x' }),
      raw('RAW', '$A'),
      ...listOf({ R: '<$RAW>', _x1: 'low' }),
    ],
    listOf({ TWICE: '1' }),
    listOf({ TWICE: '$TWICE:2' }),
    listOf({ TWICE: '$TWICE:3' }),
  )

  test.each([
    ['$A', 'a', 'a', 'a'],
    ['${A}', 'a', 'a', 'a'],
    ['%A%', 'a', 'a', 'a'],
    ['$C', 'a-b-c', 'a-b-c', '${B}-c'],
    ['x$Ay', 'x', 'x$Ay', 'x$Ay'],
    ['x${A}y', 'xay', 'xay', 'xay'],
    ['[$E]', '[]', '[]', '[]'],
    ['$U', '.', '.', '$NOBODY.'],
    ['$NOBODY', '', '$NOBODY', '$NOBODY'],
    ['$$A %%A%% $$', '$$A %%A%% $$', '$$A %%A%% $$', '$$A %%A%% $$'],
    ['$1 $ ${A', '$1 $ ${A', '$1 $ ${A', '$1 $ ${A'],
    ['${A:-x}', '${A:-x}', '${A:-x}', '${A:-x}'],
    ['$RAW', '$A', '$A', '$A'],
    ['$R', '<$A>', '<$A>', '<$RAW>'],
    ['$_x1', 'low', 'low', 'low'],
    ['$S', ':x', ':x', '$S:x'],
    ['$TWICE', '1:2:3', '1:2:3', '$TWICE:3'],
    ['$constructor', '', '$constructor', '$constructor'],
  ])('%s', (text, emptied, kept, once) => {
    expect(variables.expand(text, 'empty')).toBe(emptied)
    expect(variables.expand(text, 'keep')).toBe(kept)
    expect(variables.expandOnce(text)).toBe(once)
  })

  test('an expression sees the value as it was given', () => {
    expect(variables.get('B')).toBe('$A-b')
    expect(variables.expanded('B')).toBe('a-b')
    expect(variables.get('TWICE')).toBe('$TWICE:3')
    expect([variables.get('NOBODY'), variables.expanded('NOBODY')]).toEqual([undefined, undefined])
  })
})

describe('a circle of references', () => {
  test.each<[string, Record<string, string>[], string | undefined]>([
    ['two', [{ A: '$B', B: '$A' }], '["A", "B"]'],
    ['three after a way in', [{ W: '$A', A: '$B', B: '%C%', C: '${A}' }], '["A", "B", "C"]'],
    ['none', [{ A: '$B', B: '$C', C: 'x' }], undefined],
    ['a variable of itself', [{ PATH: '$PATH:x' }], undefined],
    ['a variable of a lower one', [{ A: 'x', B: '$A' }, { A: '$A:y' }], undefined],
    ['through a lower one', [{ A: '$B' }, { A: '$A:y', B: '$A' }], '["A", "A", "B"]'],
    ['overridden', [{ A: '$B', B: '$A' }, { A: 'x' }], undefined],
    ['escaped', [{ A: '$$B', B: '$$A' }], undefined],
  ])('%s', (_, lists, expected) => {
    const cycle = VariableCollection.of(...lists.map(listOf)).cycle()
    expect(cycle).toBe(expected && `circular variable reference detected: ${expected}`)
  })

  test('a raw variable is not expanded', () => {
    expect(VariableCollection.of([raw('A', '$B'), raw('B', '$A')]).cycle()).toBeUndefined()
  })
})

describe('hostile variables', () => {
  test('a chain of 50,000 is followed to its end', () => {
    const chain = Object.fromEntries(
      Array.from({ length: 50_000 }, (_, index) => [`V${index}`, `$V${index + 1}`]),
    )
    const variables = VariableCollection.of(listOf({ ...chain, V50000: 'end' }))
    expect(variables.cycle()).toBeUndefined()
    expect(variables.expanded('V0')).toBe('end')
  })

  test('variables that double one another are refused before they fill the memory', () => {
    const doubling = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`V${index}`, `$V${index + 1}$V${index + 1}`]),
    )
    const variables = VariableCollection.of(listOf({ ...doubling, V60: 'xx' }))
    expect(() => variables.expanded('V0')).toThrow(ConfigError)
    expect(() => variables.expanded('V0')).toThrow('expand to more than 16777216 characters')
  })
})
