import { describe, expect, test } from 'vitest'

import { jobOf } from './support/compile-text.js'
import { NO_CONTEXT_VARIABLES } from './support/no-context-variables.js'

const FORWARD = { yamlVariables: true, pipelineVariables: false }

describe('targets of a trigger job (CI language, 13.1)', () => {
  test.each([
    ['group/project', { kind: 'project', project: 'group/project', forward: FORWARD }],
    [
      '{project: $P, branch: main, strategy: depend}',
      { kind: 'project', project: '$P', branch: 'main', strategy: 'depend', forward: FORWARD },
    ],
    [
      '{project: a/b, forward: {yaml_variables: false, pipeline_variables: true}, inputs: {n: 1, l: [a]}}',
      {
        kind: 'project',
        project: 'a/b',
        inputs: { n: 1, l: ['a'] },
        forward: { yamlVariables: false, pipelineVariables: true },
      },
    ],
    ['{include: child.yml}', { kind: 'child', include: ['child.yml'], forward: FORWARD }],
    [
      '{include: {local: child.yml, inputs: {on: true}}, strategy: mirror}',
      {
        kind: 'child',
        include: [{ local: 'child.yml', inputs: { true: true } }],
        strategy: 'mirror',
        forward: FORWARD,
      },
    ],
    [
      '{include: [a.yml, {project: a/b, file: [x.yml]}, {template: t.yml}]}',
      {
        kind: 'child',
        include: ['a.yml', { project: 'a/b', file: ['x.yml'] }, { template: 't.yml' }],
        forward: FORWARD,
      },
    ],
  ])('%s', async (written, trigger) => {
    expect((await jobOf(`t: {trigger: ${written}}`, 't')).trigger).toEqual(trigger)
  })
})

test('a trigger job inherits interruptible and nothing else', async () => {
  const text = `
default: {interruptible: true, tags: [a], before_script: b, retry: 2, image: i}
variables: {A: 1}
t: {trigger: p, variables: {B: 2}}`
  const job = await jobOf(text, 't')
  expect(job).toMatchObject({ interruptible: true, tags: [], stage: 'test' })
  expect(job.options).toEqual({ script: [], afterScript: [], services: [] })
  expect(job.variables.map(({ key }) => key)).toEqual(['A', 'B'])
})

test('a trigger job may be a matrix, and have an environment', async () => {
  const text = 't: {trigger: $P, environment: e/$P, parallel: {matrix: [{P: [a, b]}]}}'
  const job = await jobOf(text, 't: [b]')
  expect(job).toMatchObject({ environment: { name: 'e/b' }, parallel: { index: 2, total: 2 } })
})

describe('needs of several kinds (CI language, 3.8)', () => {
  const variables = { ...NO_CONTEXT_VARIABLES, predefined: [{ key: 'P', value: 'group/project' }] }

  test.each([
    ['{needs: {pipeline: $P}}', { mirrors: 'group/project', schedulingType: 'stage', needs: [] }],
    ['{needs: [{pipeline: a/b}], stage: deploy}', { mirrors: 'a/b', schedulingType: 'stage' }],
    ['{trigger: p, needs: [a]}', { schedulingType: 'dag', needs: [{ name: 'a' }] }],
    ['{needs: [{pipeline: a/b}, a]}', { mirrors: 'a/b', schedulingType: 'dag', needs: [{ name: 'a' }] }],
    [
      '{script: x, needs: [{pipeline: 12, job: b, artifacts: false}, {project: g/p, ref: r, job: c}]}',
      {
        schedulingType: 'dag',
        needs: [],
        options: {
          foreignNeeds: [
            { kind: 'pipeline', pipeline: '12', job: 'b', artifacts: false },
            { kind: 'project', project: 'g/p', ref: 'r', job: 'c', artifacts: true },
          ],
        },
      },
    ],
  ])('%s', async (job, expected) => {
    expect(await jobOf(`a: {script: x}\nt: ${job}`, 't', { variables })).toMatchObject(expected)
  })

  test('five of other pipelines and five of other projects are allowed', async () => {
    const needs = '{pipeline: $P, job: a}, '.repeat(5) + '{project: p, ref: r, job: a}, '.repeat(5)
    const job = await jobOf(`t: {script: x, needs: [${needs}]}`, 't')
    expect(job.options.foreignNeeds).toHaveLength(10)
  })
})
