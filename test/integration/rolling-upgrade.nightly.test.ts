import { appendFile, cp, symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'

import { execa } from 'execa'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

import { connectDatabase, type DatabaseSettings } from '../../src/coordinator/database/connect.js'
import { migrations } from '../../src/coordinator/database/migrations/index.js'
import { createReleaseSchema, latestRelease } from '../coordinator/support/release-schemas.js'
import { tempDir } from '../support/temp-dir.js'
import { CI_FILE, expectDoneOnce, FIRST_JOB } from './support/interrupted-work.js'
import { planUpgrade } from './support/plan-upgrade.js'
import { SWITCHYARD } from './support/processes.js'
import { startTwoCoordinators } from './support/two-coordinators.js'

const CURRENT = Object.keys(migrations)

test('coordinators are upgraded one after the other while runners of both versions work', async () => {
  const released = await releasedMigrations()
  const { from, addsMigration } = planUpgrade({ tags: await releaseTags(), released, current: CURRENT })
  const program = addsMigration ? await build(await workTree(), addNextMigration) : SWITCHYARD
  const coordinators = await startTwoCoordinators({}, await build(from))
  const { system, urls, store } = coordinators
  await system.startRunner({ concurrent: 3 })
  const project = await system.createProject()
  const first = await project.pushCi(CI_FILE)
  await project.jobIn(first, FIRST_JOB, 'running')
  expect(await recordedMigrations(store)).toEqual(released)

  system.program = program
  await system.restart(urls[1], 'SIGTERM')
  expect(await recordedMigrations(store)).toEqual(addsMigration ? [...CURRENT, NEXT] : CURRENT)
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

async function releaseTags(): Promise<string[]> {
  const { stdout } = await execa('git', ['tag', '--merged', 'HEAD', '--list', 'v*.*.*'])
  return stdout.split('\n').filter(Boolean)
}

async function releasedMigrations(): Promise<string[]> {
  const settings = { dialect: 'sqlite', file: join(await tempDir(), 'switchyard.db') } as const
  await createReleaseSchema(settings, latestRelease())
  return recordedMigrations(settings)
}

/** A commit with the changes that are not committed yet. */
async function workTree(): Promise<string> {
  const { stdout } = await execa('git', ['stash', 'create'])
  return stdout || 'HEAD'
}

/**
 * Builds a commit with the packages that are installed. Returns its entry point. The pages are those of this version.
 * @param change of its sources
 */
async function build(commit: string, change?: (folder: string) => Promise<void>): Promise<string> {
  const folder = await tempDir()
  const archive = join(folder, 'sources.tar')
  await execa('git', ['archive', '--output', archive, commit])
  await execa('tar', ['--extract', '--file', archive, '--directory', folder])
  await change?.(folder)
  await symlink(resolve('node_modules'), join(folder, 'node_modules'))
  await execa('node_modules/.bin/rolldown', ['-c'], { cwd: folder })
  await cp('dist/web', join(folder, 'dist/web'), { recursive: true })
  return join(folder, 'dist/cli/main.js')
}

const NEXT = '9999-next'

/** So that the first coordinator of the new version changes the schema under the other one. */
async function addNextMigration(folder: string): Promise<void> {
  await appendFile(
    join(folder, 'src/coordinator/database/migrations/index.ts'),
    `
import { executeStatements } from './execute-statements.js'
migrations['${NEXT}'] = {
  up: (db) => executeStatements(db, 'alter table job add column next text;\\ncreate table next (id bigint);\\n'),
}
`,
  )
}

async function recordedMigrations(store: DatabaseSettings): Promise<string[]> {
  const database = connectDatabase(store)
  try {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(
      database,
    )
    return rows.map(({ name }) => name)
  } finally {
    await database.destroy()
  }
}
