import { describe, expect, test } from 'vitest'

import { findCycle } from '../../src/ci-config/checks/find-cycle.js'
import { errorsOf } from './support/compile-text.js'

const script = 'script: x'

describe('jobs that do not fit together are refused', () => {
  test.each<[string, string, string]>([
    [
      'an unknown stage',
      `a: {${script}, stage: Nope}`,
      'a job: chosen stage Nope does not exist; available stages are .pre, build, test, deploy, .post',
    ],
    [
      'stages without test and a job without stage',
      `stages: [one, [two, .pre]]\na: {${script}}`,
      'a job: chosen stage test does not exist; available stages are .pre, one, two, .post',
    ],
    ['an undefined dependency', `A: {${script}, dependencies: [B]}`, 'A job: undefined dependency: B'],
    [
      'a dependency in a later stage',
      `a: {${script}, stage: build, dependencies: [b]}\nb: {${script}}`,
      'a job: dependency b is not defined in current or prior stages',
    ],
    ['an undefined need', `A: {${script}, needs: [B]}`, 'A job: undefined need: B'],
    ['a hidden need', `a: {${script}, needs: [.b]}\n.b: {${script}}`, 'a job: undefined need: .b'],
    [
      'a need in a later stage, even an optional one',
      `a: {${script}, stage: build, needs: [{job: b, optional: true}]}\nb: {${script}}`,
      'a job: need b is not defined in current or prior stages',
    ],
    [
      'a need with a long name',
      `a: {${script}, needs: [${'n'.repeat(256)}]}`,
      `a job: need \`${'n'.repeat(256)}\` name is too long (maximum is 255 characters)`,
    ],
    [
      'a need written twice',
      `a: {${script}}\nb: {${script}, needs: [a, {job: a}]}`,
      'b has the following needs duplicated: a.',
    ],
    [
      'a job that needs itself',
      `a: {${script}, needs: [a]}`,
      'The pipeline has circular dependencies: self-dependency: a',
    ],
    [
      'a circle',
      `z: {${script}}\na: {${script}, needs: [z, b]}\nb: {${script}, needs: [c]}\nc: {${script}, needs: [a]}`,
      'The pipeline has circular dependencies: a -> b -> c -> a',
    ],
    [
      'a child pipeline from a file of an undefined job',
      'a: {trigger: {include: [{artifact: x.yml, job: b}]}}',
      'a job: undefined dependency: b',
    ],
    [
      'a child pipeline from a file of a later job',
      `a: {stage: build, trigger: {include: {artifact: x.yml, job: b}}}\nb: {${script}}`,
      'a job: dependency b is not defined in current or prior stages',
    ],
    [
      'a stop job that is not there',
      `a: {${script}, environment: {name: e, on_stop: s}}`,
      'a job: on_stop job s is not defined',
    ],
    [
      'a stop job without an environment',
      `a: {${script}, environment: {name: e, on_stop: s}}\ns: {${script}}`,
      'a job: on_stop job s does not have environment defined',
    ],
    [
      'a stop job of another environment',
      `a: {${script}, environment: {name: e, on_stop: s}}\ns: {${script}, environment: {name: f, action: stop}}`,
      'a job: on_stop job s have different environment name',
    ],
    [
      'a stop job that does not stop',
      `a: {${script}, environment: {name: e, on_stop: s}}\ns: {${script}, environment: e}`,
      'a job: on_stop job s needs to have action stop defined',
    ],
    [
      'a folder to publish written twice',
      `a: {${script}, publish: x, pages: {publish: y}}`,
      'a job: use either a:publish or a:pages:publish',
    ],
    [
      'a matrix value that is not there',
      `a: {${script}, parallel: {matrix: [{A: x}]}, needs: ['b: [$[[ matrix.B ]], $[[matrix.C]]]']}`,
      "a job: 'B' does not exist in matrix configuration, 'C' does not exist in matrix configuration",
    ],
    [
      'a need of an instance that is not there',
      `a: {${script}, parallel: 2}\nb: {${script}, needs: [a 3/2]}`,
      'b job: undefined need: a 3/2',
    ],
    [
      'a need of values that are not there',
      `a: {${script}, parallel: {matrix: [{A: x}]}}\nb: {${script}, needs: [{job: a, parallel: {matrix: [{A: y}]}}]}`,
      'b job: undefined need: a: [y]',
    ],
    [
      'an instance needed besides all of them',
      `a: {${script}, parallel: 2}\nb: {${script}, needs: [a, a 2/2]}`,
      'b has the following needs duplicated: a 2/2.',
    ],
  ])('%s', async (_, text, message) => {
    expect(await errorsOf(text)).toEqual([message])
  })
})

test('errors in several jobs are all reported, circles last', async () => {
  const text = `a: {${script}, stage: Nope}\nb: {${script}, needs: [c, d]}\nd: {${script}, needs: [d]}`
  expect(await errorsOf(text)).toEqual([
    'a job: chosen stage Nope does not exist; available stages are .pre, build, test, deploy, .post',
    'b job: undefined need: c',
  ])
})

test.each([
  [
    'a stop job that does',
    `a: {${script}, environment: {name: e, on_stop: s}}\ns: {${script}, environment: {name: e, action: stop}}`,
  ],
  [
    'a child pipeline from a file of an earlier job',
    `a: {${script}, stage: build}\nb: {trigger: {include: {artifact: x.yml, job: a}}}`,
  ],
  ['a need in the same stage', `a: {${script}}\nb: {${script}, needs: [a]}`],
  ['an optional need that nobody defined', `a: {${script}, needs: [{job: b, optional: true}]}`],
  ['no needs at all', `a: {${script}, needs: [], dependencies: []}`],
  ['dependencies among the needs', `a: {${script}}\nb: {${script}, needs: [a], dependencies: [a]}`],
  ['one need without a list', `a: {${script}}\nb: {${script}, needs: {job: a}}`],
])('%s is fine', async (_, text) => {
  expect(await errorsOf(text)).toEqual([])
})

describe('a circle among needs', () => {
  test.each<[Record<string, string[]>, string[] | undefined]>([
    [{}, undefined],
    [{ a: ['b'], b: ['c'], c: [] }, undefined],
    [{ a: ['missing'] }, undefined],
    [{ a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }, undefined],
    [{ a: ['a'] }, ['a']],
    [{ a: ['b'], b: ['c'], c: ['b'] }, ['b', 'c']],
  ])('%j: %j', (needs, cycle) => {
    expect(findCycle(new Map(Object.entries(needs)))).toEqual(cycle)
  })

  test('is found in a chain as long as a file can be', () => {
    const names = Array.from({ length: 50_000 }, (_, index) => `job ${index}`)
    const needs = new Map(names.map((name, index) => [name, index === 0 ? [] : [names[index - 1] ?? '']]))
    expect(findCycle(needs)).toBeUndefined()
    needs.set('job 0', ['job 49999'])
    expect(findCycle(needs)).toHaveLength(50_000)
  })
})
