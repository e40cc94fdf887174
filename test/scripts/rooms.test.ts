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
  ['src/coordinator/coordinator.ts', './ci/queue/job-queue.js'],
  ['src/coordinator/http/app.ts', '../crypto/secret-box.js'],
  ['src/coordinator/ci/engine/job-store.ts', '../../database/tables/pipelines.js'],
  ['src/coordinator/ci/jobs/operations.ts', '../engine/retry/cancel.js'],
  ['src/coordinator/accounts/users/account/create-user.ts', '../members/accept-invitations.js'],
  ['src/coordinator/hosting/tags/store.ts', '../../ci/engine/create/create-on-ref.js'],
]

const refused: [importer: string, specifier: string][] = [
  ['src/lib/retry.ts', '../git/errors.js'],
  ['src/lib/retry.ts', '../new-folder/file.js'],
  ['src/protocol/job-update.ts', '../lib/new-folder/../../git/errors.js'],
  ['src/protocol/job-update.ts', 'node:fs'],
  ['src/ci-config/plan.ts', '../git/errors.js'],
  ['src/ci-config/plan.ts', 'execa'],
  ['src/ci-config/plan.ts', 'yaml-of-another-kind'],
  ['src/git/run-git.ts', '../coordinator/coordinator.js'],
  ['src/runner/executor/executor.ts', '../../coordinator/coordinator.js'],
  ['src/runner/executor/executor.ts', './docker/docker-executor.js'],
  ['src/runner/job/run-job.ts', '../executor/docker/docker-executor.js'],
  ['src/coordinator/coordinator.ts', '../runner/runner.js'],
  ['src/coordinator/coordinator.ts', '../cli/main.js'],
  ['src/coordinator/crypto/secret-box.ts', '../http/errors.js'],
  ['src/coordinator/ci/queue/claim.ts', '../engine/retry/cancel.js'],
  ['src/coordinator/ci/engine/retry/cancel.ts', '../../jobs/store.js'],
  ['src/coordinator/ci/engine/retry/cancel.ts', '../../../coordinator.js'],
  ['src/coordinator/ci/jobs/operations.ts', '../pipelines/store.js'],
  ['src/coordinator/hosting/tags/operations.ts', '../branches/operations.js'],
]

test.each(allowed)('%s may import %s', (importer, specifier) => {
  expect(refusal(importer, specifier)).toBeUndefined()
})

test.each(refused)('%s may not import %s', (importer, specifier) => {
  expect(refusal(importer, specifier)).toBeDefined()
})

test.each([
  "import '../../coordinator/coordinator.js'",
  "export * from '../../coordinator/coordinator.js'",
  "export { a } from '../../coordinator/coordinator.js'",
  "await import('../../coordinator/coordinator.js')",
])('the linter reports %s in a file of the runner', async (statement) => {
  const [result] = await new ESLint().lintText(`${statement}\n`, { filePath: 'src/runner/trace/job-log.ts' })
  expect(result?.messages.map(({ ruleId }) => ruleId)).toContain('switchyard/room-imports')
})
