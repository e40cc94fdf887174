import { describe, expect, test } from 'vitest'

import type { ContextVariable, ContextVariables } from '../../../src/ci-config/context-variable.js'
import { compareScopes, isInScope } from '../../../src/ci-config/variables/environment-scope.js'
import { includeVariables, jobVariables, workflowVariables } from '../../../src/ci-config/variables/sets.js'

const from = (source: string): ContextVariable[] => [{ key: 'X', value: source }]

describe('of sources with one name the one with the highest precedence counts', () => {
  const order = ['job predefined', 'predefined', 'yaml', 'user', 'settings', 'pipeline'] as const

  test.each(order.map((source, index) => [source, index] as const))(
    '%s over those before',
    (source, index) => {
      const list = (name: (typeof order)[number]) => (order.indexOf(name) <= index ? from(name) : [])
      const variables: ContextVariables = {
        predefined: list('predefined'),
        user: list('user'),
        settings: list('settings'),
        pipeline: list('pipeline'),
      }
      const job = jobVariables({ variables }, { predefined: list('job predefined'), yaml: list('yaml') })
      expect(job.get('X')).toBe(source)
    },
  )

  test('of one list the last entry counts', () => {
    const variables = {
      predefined: [],
      user: [],
      settings: [...from('group'), ...from('project')],
      pipeline: [],
    }
    expect(jobVariables({ variables }, { yaml: [] }).get('X')).toBe('project')
  })
})

test('the workflow sees the top of the file, include nothing of it and not the user', () => {
  const variables: ContextVariables = {
    predefined: [{ key: 'P', value: 'p' }],
    user: [{ key: 'U', value: 'u' }],
    settings: [
      { key: 'S', value: 's' },
      { key: 'E', value: 'e', environmentScope: 'prod' },
    ],
    pipeline: [{ key: 'G', value: 'g' }],
  }
  const names = '$P $Y $U $S $E $G'
  const yaml = [{ key: 'Y', value: 'y' }]
  expect(workflowVariables({ variables }, { yaml }).expand(names, 'keep')).toBe('p y u s $E g')
  expect(includeVariables({ variables }).expand(names, 'keep')).toBe('p $Y $U s $E g')
  expect(jobVariables({ variables }, { yaml, environment: 'prod' }).expand(names, 'keep')).toBe('p y u s e g')
})

describe('environment scopes', () => {
  test.each<[string, string | undefined, boolean]>([
    ['*', undefined, true],
    ['*', 'prod', true],
    ['prod', undefined, false],
    ['prod', 'prod', true],
    ['prod', 'production', false],
    ['review/*', 'review/a/b', true],
    ['review/*', 'review', false],
    ['*/eu', 'prod/eu', true],
    ['a*b*c', 'a--b--c', true],
    ['a*b*c', 'a--c--b', false],
    ['ab*ba', 'aba', false],
    ['a.c', 'abc', false],
    ['**', 'x', true],
  ])('%s for %s: %s', (scope, environment, expected) => {
    expect(isInScope(scope, environment)).toBe(expected)
  })

  test('the longest literal text comes last, a name after a pattern', () => {
    const scopes = ['prod', '*', 'review/*', 'prod*', 'review/a']
    expect(scopes.sort(compareScopes)).toEqual(['*', 'prod*', 'prod', 'review/*', 'review/a'])
  })
})
