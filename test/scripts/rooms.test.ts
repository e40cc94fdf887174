import { posix } from 'node:path'

import { expect, test } from 'vitest'

import {
  circleOf,
  circlesOf,
  heightsOf,
  type ImportGraph,
  readImportGraph,
} from '../../scripts/lint/import-graph.mjs'
import { roomImports } from '../../scripts/lint/room-imports.mjs'
import { refusal, roomIn, tables } from '../../scripts/lint/rooms.mjs'
import { testAtNight } from '../support/nightly.js'
import { reportsOf } from './support/reports-of.js'

const allowed: [importer: string, specifier: string][] = [
  ['src/lib/retry.ts', './pause.js'],
  ['src/web/kit/time.tsx', '../../lib/time-units.js'],
  ['src/web/records/roles.ts', '../../coordinator/access/access-levels.js'],
  ['src/lib/logger.ts', 'pino'],
  ['src/git/run-git.ts', '../lib/errors.js'],
  ['src/protocol/job-update.ts', 'typebox/value'],
  ['src/cli/main.ts', '../coordinator/coordinator.js'],
  ['src/runner/registrations/executor-factories.ts', '../executor/docker/docker-executor.js'],
  ['src/runner/job/run-job.ts', '../executor/executor.js'],
  ['src/runner/config/settings.ts', '../artifacts/upload-attempt.js'],
  ['src/runner/executor/docker/docker-executor.ts', '../../trace/job-log.js'],
  ['src/coordinator/coordinator.ts', './ci/queue/job-queue.js'],
  ['src/coordinator/http/app.ts', '../crypto/secret-box.js'],
  ['src/coordinator/ci/engine/job-store.ts', '../../database/tables/pipelines.js'],
  ['src/coordinator/ci/jobs/operations.ts', '../engine/retry/cancel.js'],
  ['src/coordinator/ci/engine/retry/cancel.ts', '../jobs/close-job.js'],
  ['src/coordinator/ci/engine/downstream/start-downstream.ts', '../create/store-pipeline.js'],
  ['src/coordinator/accounts/users/account/create-user.ts', '../../members/accept-invitations.js'],
  ['src/coordinator/hosting/tags/store.ts', '../../ci/engine/create/create-on-ref.js'],
  ['src/coordinator/http/app.ts', './paging/paging.js'],
  ['src/coordinator/http/app.ts', './metrics.js'],
  ['src/web/main.tsx', '../addresses/match-page.js'],
  ['src/web/pages/jobs/job/page.tsx', '../job-row.js'],
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
  ['src/runner/job/run-job.ts', '../registrations/runtime.js'],
  ['src/runner/artifacts/send-artifact.ts', '../config/settings.js'],
  ['src/runner/runner.ts', './executor/docker/docker-executor.js'],
  ['src/coordinator/coordinator.ts', '../runner/runner.js'],
  ['src/coordinator/coordinator.ts', '../cli/main.js'],
  ['src/coordinator/crypto/secret-box.ts', '../http/errors.js'],
  ['src/coordinator/ci/queue/claim.ts', '../engine/retry/cancel.js'],
  ['src/coordinator/ci/engine/retry/cancel.ts', '../../jobs/store.js'],
  ['src/coordinator/ci/engine/retry/cancel.ts', '../../../coordinator.js'],
  ['src/coordinator/ci/engine/finish/finish-job.ts', '../retry/cancel.js'],
  ['src/coordinator/ci/engine/advance/advance-pipeline.ts', '../finish/finish-job.js'],
  ['src/coordinator/ci/engine/jobs/end-job.ts', '../advance/advance-pipeline.js'],
  ['src/coordinator/ci/engine/job-store.ts', '../../integrations/webhooks/outbox/outbox.js'],
  ['src/coordinator/ci/jobs/operations.ts', '../pipelines/store.js'],
  ['src/coordinator/hosting/tags/operations.ts', '../branches/operations.js'],
  ['src/coordinator/http/paging/paging.ts', '../app.js'],
  ['src/coordinator/http/new-folder/file.ts', '../errors.js'],
  ['src/web/api/client.ts', '../../coordinator/pages/schema.js'],
  ['src/web/kit/time.tsx', '../../lib/retry.js'],
  ['src/web/records/roles.ts', '../../coordinator/access/access.js'],
  ['src/web/kit/button.tsx', '../frame/notices.js'],
  ['src/web/pages/jobs/job/page.tsx', '../list/page.js'],
  ['src/web/pages/jobs/job/page.tsx', '../../pipelines/pipeline-row.js'],
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
])('the rule reports %s in a file of the runner', (statement) => {
  expect(reportsOf(roomImports, 'src/runner/trace/job-log.ts', statement)).toEqual([
    'src/runner and src/coordinator are on one line',
  ])
})

const graph = readImportGraph('.')
const files = [...graph.keys()]
/** Its folders import each other in both directions; only circles of files are refused there. */
const DOCKER = 'src/runner/executor/docker'
/** No page imports another one; the folders need no lines. */
const PAGES = 'src/web/pages'

testAtNight('no import of the sources goes against the lines', () => {
  const refusals = files.flatMap((importer) =>
    (graph.get(importer) ?? []).flatMap((imported) => {
      const specifier = posix.relative(posix.dirname(importer), imported)
      // Whether an import is for types alone is checked by the linter.
      const reason = refusal(importer, specifier.startsWith('.') ? specifier : `./${specifier}`, true)
      return reason === undefined ? [] : [`${importer} → ${imported}: ${reason}`]
    }),
  )
  expect(refusals).toEqual([])
})

test('every folder with three or more folders has lines, which name each of them and nothing else', () => {
  const folders = new Set(files.flatMap((file) => foldersOf(file)))
  const children = (folder: string) => [...folders].filter((each) => posix.dirname(each) === folder)
  const wanted = [...folders].filter(
    (folder) => children(folder).length >= 3 && folder !== DOCKER && !folder.startsWith(PAGES),
  )
  expect(tables.map(({ folder }) => folder)).toEqual(expect.arrayContaining(wanted))
  for (const { folder, lines } of tables) {
    const rooms = new Set(files.map((file) => roomIn(folder, file)))
    const named = lines.flat().filter((name) => name !== '.')
    expect([...rooms], folder).toEqual(expect.arrayContaining(named))
    expect(named, folder).toEqual(
      expect.arrayContaining(children(folder).map((each) => posix.basename(each))),
    )
  }
})

function foldersOf(file: string): string[] {
  const folder = posix.dirname(file)
  return folder === '.' ? [] : [folder, ...foldersOf(folder)]
}

test('no imports of the sources go around a circle, types included', () => {
  const circles = circlesOf(graph)
  expect(circles.map((circle) => circle.join(' → '))).toEqual([])
})

test('a circle is found at the import that closes it', () => {
  const small: ImportGraph = new Map([
    ['a', ['b']],
    ['b', ['c']],
    ['c', []],
  ])
  const heights = heightsOf(small)
  expect(circleOf(small, heights, 'c', 'a')).toEqual(['c', 'a', 'b', 'c'])
  expect(circleOf(small, heights, 'a', 'c')).toBeUndefined()
  expect(circlesOf(small)).toEqual([])
  expect(circlesOf(new Map([...small, ['c', ['a']]]))).toEqual([['c', 'a', 'b', 'c']])
})
