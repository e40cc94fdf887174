import { cp, symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'

import { execa } from 'execa'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

import { connectDatabase, type DatabaseSettings } from '../../src/coordinator/database/connect.js'
import { VERSIONS } from '../coordinator/support/old-schema.js'
import { RELEASED } from '../coordinator/support/released.js'
import { tempDir } from '../support/temp-dir.js'
import { CI_FILE, expectDoneOnce, FIRST_JOB } from './support/interrupted-work.js'
import { SWITCHYARD } from './support/processes.js'
import { startTwoCoordinators } from './support/two-coordinators.js'

test('coordinators are upgraded one after the other while runners of both versions work', async () => {
  const released = await buildReleased()
  const coordinators = await startTwoCoordinators({}, released)
  const { system, urls, store } = coordinators
  await system.startRunner({ concurrent: 3 })
  const project = await system.createProject()
  const first = await project.pushCi(CI_FILE)
  await project.jobIn(first, FIRST_JOB, 'running')
  expect(await lastMigration(store)).toBe(RELEASED)

  system.program = SWITCHYARD
  await system.restart(urls[1], 'SIGTERM')
  expect(await lastMigration(store)).toBe(VERSIONS.at(-1))
  await system.startRunner({ concurrent: 3 })
  await project.commit({ 'mixed.txt': 'one coordinator is upgraded\n' })
  const mixed = await project.pushHead('mixed')
  await Promise.all([first, mixed].map((pipeline) => project.finished(pipeline)))

  await project.commit({ 'last.txt': 'the other one is upgraded\n' })
  const last = await project.pushHead('last')
  await system.restart(urls[0], 'SIGTERM')
  await project.finished(last)
  await expectDoneOnce(coordinators, project, [first, mixed, last])
})

/**
 * Builds the last commit with the schema of the latest release, with the packages that are installed. Returns its entry
 * point. The pages are those of this version.
 */
async function buildReleased(): Promise<string> {
  const folder = await tempDir()
  const archive = join(folder, 'sources.tar')
  await execa('git', ['archive', '--output', archive, await releasedCommit()])
  await execa('tar', ['--extract', '--file', archive, '--directory', folder])
  await symlink(resolve('node_modules'), join(folder, 'node_modules'))
  await execa('node_modules/.bin/rolldown', ['-c'], { cwd: folder })
  await cp('dist/web', join(folder, 'dist/web'), { recursive: true })
  return join(folder, 'dist/cli/main.js')
}

/** Throws in a clone without the history since then. */
async function releasedCommit(): Promise<string> {
  const next = VERSIONS[VERSIONS.indexOf(RELEASED) + 1]
  if (next === undefined) return 'HEAD' // nothing has changed the schema since
  const file = `src/coordinator/database/migrations/${next}.ts`
  const { stdout } = await execa('git', ['log', '--diff-filter=A', '--format=%H', '--', file])
  const { stdout: before } = await execa('git', ['rev-parse', '--verify', `${stdout.trim()}^`])
  return before.trim()
}

async function lastMigration(store: DatabaseSettings): Promise<string | undefined> {
  const database = connectDatabase(store)
  try {
    const { rows } = await sql<{ name: string }>`select max(name) as name from kysely_migration`.execute(
      database,
    )
    return rows[0]?.name
  } finally {
    await database.destroy()
  }
}
