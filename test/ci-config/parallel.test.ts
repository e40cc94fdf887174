import { describe, expect, test } from 'vitest'

import { errorsOf, jobOf, namesOf, planOf, variablesOf } from './support/compile-text.js'
import { NO_CONTEXT_VARIABLES } from './support/no-context-variables.js'

describe('instances of a parallel job (CI language, 3.12 and 19.6)', () => {
  test.each([
    ['parallel: 3', ['t 1/3', 't 2/3', 't 3/3']],
    ['parallel: 1', ['t 1/1']],
    ['parallel: {matrix: [{A: [1, 2], B: x}, {C: [y]}]}', ['t: [1, x]', 't: [2, x]', 't: [y]']],
    ['parallel: {matrix: [{A: [a, b], B: [1, 2]}]}', ['t: [a, 1]', 't: [a, 2]', 't: [b, 1]', 't: [b, 2]']],
    ['parallel: {matrix: [{A: one}]}', ['t: [one]']],
  ])('%s', async (keyword, names) => {
    expect(await namesOf(`t: {script: x, ${keyword}}`)).toEqual(names)
  })

  test('are two hundred at most', async () => {
    expect(await namesOf('t: {script: x, parallel: 200}')).toHaveLength(200)
    const values = Array.from({ length: 200 }, (_, index) => index).join(', ')
    expect(await namesOf(`t: {script: x, parallel: {matrix: [{A: [${values}]}]}}`)).toHaveLength(200)
  })

  test('know which of how many they are', async () => {
    const { jobs } = await planOf(
      't: {script: x, parallel: {matrix: [{A: [1, 2], B: x}, {C: [y]}]}}\na: {script: x}',
    )
    expect(jobs.map(({ parallel }) => parallel)).toEqual([
      { index: 1, total: 3 },
      { index: 2, total: 3 },
      { index: 3, total: 3 },
      undefined,
    ])
  })

  test('have their values as variables, over those of the job', async () => {
    const text = `
variables: {A: top, T: top}
t:
  script: x
  variables: {A: job, B: job}
  tags: [$A, $B]
  environment: $A
  resource_group: r-$A
  parallel: {matrix: [{A: [1, two], C: 3}]}`
    const job = await jobOf(text, 't: [two, 3]')
    expect(variablesOf(job)).toEqual({ A: 'two', T: 'top', B: 'job', C: '3' })
    expect([job.tags, job.environment?.name, job.resourceGroup]).toEqual([['two', 'job'], 'two', 'r-two'])
  })

  test('that have one name are one: the last of them, with a warning', async () => {
    const plan = await planOf('t: {script: x, parallel: {matrix: [{A: v}, {B: v}]}}\nt 1/1: {script: y}')
    expect(plan.jobs.map(({ name }) => name)).toEqual(['t: [v]', 't 1/1'])
    expect(plan.warnings).toEqual(['jobs:t: [v] is created more than once by parallel: the last one is used'])
  })
})

describe('needs of parallel jobs (CI language, 3.8)', () => {
  const build =
    'build: {script: x, stage: build, parallel: {matrix: [{OS: [linux, mac], ARCH: [arm, amd]}]}}\n'

  test.each([
    ['[build]', ['build: [linux, arm]', 'build: [linux, amd]', 'build: [mac, arm]', 'build: [mac, amd]']],
    ['["build: [mac, arm]"]', ['build: [mac, arm]']],
    [
      '[{job: build, parallel: {matrix: [{OS: linux, ARCH: [amd, arm]}]}}]',
      ['build: [linux, amd]', 'build: [linux, arm]'],
    ],
    [
      '[{job: build, parallel: {matrix: [{OS: mac, ARCH: arm}, {OS: linux, ARCH: amd}]}}]',
      ['build: [mac, arm]', 'build: [linux, amd]'],
    ],
  ])('%s', async (needs, names) => {
    const job = await jobOf(`${build}t: {script: x, needs: ${needs}}`, 't')
    expect(job.needs.map(({ name }) => name)).toEqual(names)
  })

  test('keep what they say of the job in every instance', async () => {
    const text =
      'a: {script: x, parallel: 2}\nt: {script: x, needs: [{job: a, artifacts: false, optional: true}]}'
    expect((await jobOf(text, 't')).needs).toEqual([
      { name: 'a 1/2', artifacts: false, optional: true },
      { name: 'a 2/2', artifacts: false, optional: true },
    ])
  })

  test.each([
    ['"build: [$[[ matrix.SYSTEM ]], arm]"'],
    ['{job: build, parallel: {matrix: [{OS: ["$[[matrix.SYSTEM]]"], ARCH: arm}]}}'],
    ['{job: "build", parallel: {matrix: [{OS: "$[[ matrix.SYSTEM ]]", ARCH: [arm]}]}}'],
  ])('may name a value of the job that needs: %s', async (need) => {
    const text = `${build}t: {script: x, parallel: {matrix: [{SYSTEM: [linux, mac]}]}, needs: [${need}]}`
    const { jobs } = await planOf(text)
    const needs = jobs.slice(4).map((job) => [job.name, job.needs.map(({ name }) => name)])
    expect(needs).toEqual([
      ['t: [linux]', ['build: [linux, arm]']],
      ['t: [mac]', ['build: [mac, arm]']],
    ])
  })

  test('dependencies stand for all instances too', async () => {
    const text = 'a: {script: x, parallel: 2}\nt: {script: x, stage: deploy, dependencies: [a]}'
    expect((await jobOf(text, 't')).options.dependencies).toEqual(['a 1/2', 'a 2/2'])
  })

  test('are counted as instances', async () => {
    const text = (count: number) => `a: {script: x, parallel: ${count}}\nt: {script: x, needs: [a]}`
    expect(await errorsOf(text(50))).toEqual([])
    expect(await errorsOf(text(51))).toEqual([
      't: one job can only need 50 others, but you have listed 51. See needs keyword documentation for more details',
    ])
  })
})

describe('a file that asks for too much ends in a clear error', () => {
  const manyJobs = (count: number, keywords: string) =>
    Array.from({ length: count }, (_, index) => `j${index}: {script: x, ${keywords}}`).join('\n')

  test.each([
    [
      'instances',
      () => manyJobs(51, 'parallel: 200'),
      'The pipeline is too big: parallel makes more than 10000 jobs',
    ],
    [
      'variables of instances',
      () => {
        const names = Array.from({ length: 2000 }, (_, index) => `V${index}: 1`).join(', ')
        const values = Array.from({ length: 200 }, (_, index) => index).join(', ')
        return `j: {script: x, parallel: {matrix: [{A: [${values}], ${names}}]}}`
      },
      'The pipeline is too big: parallel jobs have more than 200000 variables',
    ],
    [
      'needs of instances',
      () => `a: {script: x, parallel: 200}\n${manyJobs(30, `parallel: 200, needs: [${'a, '.repeat(100)}]`)}`,
      'The pipeline is too big: its jobs need more than 500000 jobs all together',
    ],
    [
      'long names',
      () => {
        const values = Array.from({ length: 200 }, (_, index) => index).join(', ')
        return `j: {script: x, parallel: {matrix: [{A: [${values}], B: ${'b'.repeat(1_000_000)}}]}}`
      },
      'The variables expand to more than 16777216 characters',
    ],
  ])('%s', async (_, text, message) => {
    expect(await errorsOf(text())).toEqual([message])
  })
})

describe('needs of rules', () => {
  test('stand for all instances, each job with its own', async () => {
    const text = `
a: {script: x, stage: build, parallel: 2}
t: {script: x, rules: [{if: $CI, needs: [a]}]}
u: {script: x, parallel: {matrix: [{N: [1, 2]}]}, rules: [{if: $CI, needs: ['a $[[ matrix.N ]]/2']}]}`
    const variables = { ...NO_CONTEXT_VARIABLES, predefined: [{ key: 'CI', value: 'true' }] }
    const { jobs } = await planOf(text, { variables })
    expect(jobs.slice(2).map((job) => [job.name, job.needs.map(({ name }) => name)])).toEqual([
      ['t', ['a 1/2', 'a 2/2']],
      ['u: [1]', ['a 1/2']],
      ['u: [2]', ['a 2/2']],
    ])
  })

  test.each([
    ['needs: [{pipeline: a/b}]', 'jobs:t:rules:rule:needs config uses invalid types: bridge'],
    ['needs: [{pipeline: 1, job: b}]', 'jobs:t:rules:rule:needs config uses invalid types: cross_dependency'],
    ['needs: [nobody]', 't job: undefined need: nobody'],
    ['needs: [a, a]', 't has the following needs duplicated: a.'],
  ])('may only name jobs of the pipeline: %s', async (needs, message) => {
    expect(await errorsOf(`a: {script: x}\nt: {script: x, rules: [{if: $CI, ${needs}}]}`)).toEqual([message])
  })
})

test('rules and tags see which instance they are of', async () => {
  const text =
    't: {script: x, tags: ["$CI_NODE_INDEX/$CI_NODE_TOTAL"], parallel: 3, rules: [{if: $CI_NODE_INDEX != "2"}]}'
  const { jobs } = await planOf(text)
  expect(jobs.map(({ name, tags }) => [name, tags])).toEqual([
    ['t 1/3', ['1/3']],
    ['t 3/3', ['3/3']],
  ])
})
