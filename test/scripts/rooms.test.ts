import { ESLint } from 'eslint'
import { expect, test } from 'vitest'

import { refusal } from '../../scripts/lint/rooms.mjs'

const allowed: [importer: string, specifier: string][] = [
  ['src/lib/retry.ts', './pause.js'],
  ['src/lib/logger.ts', 'pino'],
  ['src/git/run-git.ts', '../lib/errors.js'],
  ['src/protocol/job-update.ts', 'typebox/value'],
  ['src/cli/main.ts', '../coordinator/coordinator.js'],
  ['src/runner/runner.ts', './executor/docker/docker-executor.js'],
  ['src/runner/executor/docker/docker-executor.ts', '../../trace/job-log.js'],
  ['src/coordinator/coordinator.ts', './queue/job-queue.js'],
  ['src/coordinator/http/app.ts', '../secret-box.js'],
  ['src/coordinator/engine/tables.ts', '../resources/users/table.js'],
  ['src/coordinator/resources/jobs/operations.ts', '../../engine/cancel.js'],
  ['src/coordinator/resources/jobs/store.ts', '../projects/table.js'],
]

const refused: [importer: string, specifier: string][] = [
  ['src/lib/retry.ts', '../git/errors.js'],
  ['src/protocol/job-update.ts', '../lib/errors.js'],
  ['src/protocol/job-update.ts', 'node:fs'],
  ['src/ci-config/plan.ts', '../git/errors.js'],
  ['src/ci-config/plan.ts', 'execa'],
  ['src/ci-config/plan.ts', 'yaml-of-another-kind'],
  ['src/git/run-git.ts', '../coordinator/tables.js'],
  ['src/runner/executor/executor.ts', '../../coordinator/tables.js'],
  ['src/runner/executor/executor.ts', '../../ci-config/plan.js'],
  ['src/runner/executor/executor.ts', '../client.js'],
  ['src/runner/executor/executor.ts', './docker/docker-executor.js'],
  ['src/runner/job/run-job.ts', '../executor/docker/docker-executor.js'],
  ['src/runner/job/run-job.ts', '../runner.js'],
  ['src/runner/trace/job-log.ts', '../executor/executor.js'],
  ['src/coordinator/coordinator.ts', '../runner/runner.js'],
  ['src/coordinator/coordinator.ts', '../cli/main.js'],
  ['src/coordinator/database/connect.ts', '../http/errors.js'],
  ['src/coordinator/queue/claim.ts', '../engine/cancel.js'],
  ['src/coordinator/engine/cancel.ts', '../resources/jobs/store.js'],
  ['src/coordinator/engine/cancel.ts', '../coordinator.js'],
  ['src/coordinator/resources/jobs/operations.ts', '../projects/store.js'],
]

test.each(allowed)('%s may import %s', (importer, specifier) => {
  expect(refusal(importer, specifier)).toBeUndefined()
})

test.each(refused)('%s may not import %s', (importer, specifier) => {
  expect(refusal(importer, specifier)).toBeDefined()
})

test.each([
  "import '../../coordinator/tables.js'",
  "export * from '../../coordinator/tables.js'",
  "export { a } from '../../coordinator/tables.js'",
  "await import('../../coordinator/tables.js')",
])('the linter reports %s in a file of the runner', async (statement) => {
  const [result] = await new ESLint().lintText(`${statement}\n`, { filePath: 'src/runner/trace/job-log.ts' })
  expect(result?.messages.map(({ ruleId }) => ruleId)).toContain('switchyard/room-imports')
})
