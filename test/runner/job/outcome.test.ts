import { expect, test } from 'vitest'

import { ExecutorError } from '../../../src/runner/executor/executor.js'
import { JobStopError } from '../../../src/runner/job/job-control.js'
import { acceptedReason, finalUpdate, type JobOutcome, outcomeOf } from '../../../src/runner/job/outcome.js'

test.each([
  ['script_failure', [], 'script_failure'],
  ['job_execution_timeout', [], 'job_execution_timeout'],
  ['image_pull_failure', ['image_pull_failure'], 'image_pull_failure'],
  ['image_pull_failure', [], 'runner_system_failure'],
  ['runner_configuration_error', [], 'script_failure'],
  ['runner_external_dependency_failure', [], 'runner_system_failure'],
  ['runner_interrupted', [], 'unknown_failure'],
] as const)('%s is sent to a coordinator that knows %j as %s', (reason, known, expected) => {
  expect(acceptedReason(reason, known)).toBe(expected)
})

test.each<[string, JobOutcome, object]>([
  ['success', { kind: 'success' }, { state: 'success' }],
  [
    'a script that failed',
    { kind: 'failed', message: 'exit code 7', reason: 'script_failure', exitCode: 7 },
    { state: 'failed', failure_reason: 'script_failure', exit_code: 7 },
  ],
  [
    'a job that took too long',
    { kind: 'stopped', stop: { kind: 'timeout', seconds: 3600 } },
    { state: 'failed', failure_reason: 'job_execution_timeout' },
  ],
  [
    'a runner that was stopped',
    { kind: 'stopped', stop: { kind: 'interrupted', by: 'terminated' } },
    { state: 'failed', failure_reason: 'runner_system_failure' },
  ],
  [
    'what nobody expected',
    { kind: 'system-failure', error: new Error('?') },
    { state: 'failed', failure_reason: 'runner_system_failure' },
  ],
])('%s is reported', (_name, outcome, expected) => {
  expect(finalUpdate(outcome, [])).toEqual(expected)
})

test.each([
  [new JobStopError({ kind: 'canceled' }), 'stopped'],
  [new ExecutorError('no image', 'image_pull_failure'), 'failed'],
  [new ExecutorError('no engine', 'runner_system_failure'), 'system-failure'],
  [new TypeError('a mistake of ours'), 'system-failure'],
])('%s ends a job as %s', (error, kind) => {
  expect(outcomeOf(error).kind).toBe(kind)
})
