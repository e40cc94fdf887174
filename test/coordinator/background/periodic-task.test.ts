import { pino } from 'pino'
import { expect, test } from 'vitest'

import { runPeriodicTask } from '../../../src/coordinator/background/periodic-task.js'
import { TaskRuns } from '../../../src/coordinator/background/task-runs.js'

test('a task that fails many times for the same reason is logged once, and once when it succeeds again', async () => {
  const problems = [
    'disk is full',
    'disk is full',
    'disk is full',
    undefined,
    undefined,
    'gone',
    'disk is full',
  ]
  const ending = new AbortController()
  const lines: unknown[] = []
  const write = (json: string) => {
    const { msg, err } = JSON.parse(json) as { msg: string; err?: { message: string } }
    lines.push([msg, err?.message])
  }
  const run = async () => {
    const problem = problems.shift()
    if (problems.length === 0) ending.abort()
    if (problem !== undefined) throw new Error(problem)
  }
  const runs = new TaskRuns()
  await runPeriodicTask({ name: 'sweep', every: 0.001, run }, ending.signal, pino({}, { write }), runs)
  expect(lines).toEqual([
    ['A periodic task failed and will be retried', 'disk is full'],
    ['The periodic task succeeds again', undefined],
    ['A periodic task failed and will be retried', 'gone'],
    ['A periodic task failed and will be retried', 'disk is full'],
  ])
})
