import { expect, test } from 'vitest'

import { chooseJobs } from '../../../src/cli/commands/local/choose-jobs.js'
import { planned } from './planned-job.js'

const JOBS = [
  planned('build', { stageIndex: 1 }),
  planned('approve', { stageIndex: 1, when: 'manual' }),
  planned('test 1/2', { stageIndex: 2 }),
  planned('test 2/2', { stageIndex: 2 }),
  planned('report', { stageIndex: 3, when: 'on_failure' }),
  planned('sign', { stageIndex: 3, when: 'manual' }),
  planned('deploy', { stageIndex: 4, when: 'manual', needs: ['sign'] }),
  planned('child', { stageIndex: 4, trigger: { kind: 'child', include: [], forward: FORWARD() } }),
  planned('other', { stageIndex: 4, trigger: { kind: 'project', project: 'a/b', forward: FORWARD() } }),
]

function FORWARD() {
  return { yamlVariables: true, pipelineVariables: false }
}

function chosen(names: string[], withNeeds = false): [name: string, when: string][] {
  return chooseJobs(JOBS, names, { withNeeds }).map(({ planned: job, when }) => [job.name, when])
}

test('all jobs are chosen by default, except those that start pipelines of other projects', () => {
  expect(chosen([]).map(([name]) => name)).toEqual(JOBS.slice(0, -1).map(({ name }) => name))
})

test('a named job runs alone, also a manual one or one for failures', () => {
  expect(chosen(['deploy'])).toEqual([['deploy', 'on_success']])
  expect(chosen(['report'])).toEqual([['report', 'always']])
})

test('the name of a parallel job selects all of its instances', () => {
  expect(chosen(['test'])).toEqual([
    ['test 1/2', 'on_success'],
    ['test 2/2', 'on_success'],
  ])
  expect(chosen(['test 2/2'])).toEqual([['test 2/2', 'on_success']])
})

test('needed jobs of a chosen job are included and run even if they are manual', () => {
  expect(chosen(['deploy'], true)).toEqual([
    ['build', 'on_success'],
    ['test 1/2', 'on_success'],
    ['test 2/2', 'on_success'],
    ['sign', 'on_success'],
    ['deploy', 'on_success'],
  ])
})

test('a job without needs depends on all jobs of earlier stages except manual ones', () => {
  expect(chosen(['test 1/2'], true)).toEqual([
    ['build', 'on_success'],
    ['test 1/2', 'on_success'],
  ])
})

test('an unknown name is reported with the existing names', () => {
  expect(() => chosen(['biuld'])).toThrow(
    'There is no job biuld in this pipeline. Its jobs are: build, approve',
  )
  expect(() => chosen(['other'])).toThrow(
    'other is for the pipeline of another project, which a local run neither starts nor reads',
  )
})
