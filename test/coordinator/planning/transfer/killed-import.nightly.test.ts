import { Readable } from 'node:stream'

import { expect, test } from 'vitest'

import { findImport, findImports } from '../../../../src/coordinator/hosting/projects/import-store.js'
import { importArchive } from '../../../../src/coordinator/hosting/projects/import/import-archive.js'
import { startImport } from '../../../../src/coordinator/hosting/projects/import/start-import.js'
import { importWiki } from '../../../../src/coordinator/hosting/wikis/import-wiki.js'
import { UploadedFile } from '../../../../src/coordinator/http/parameters/types.js'
import { transferParts } from '../../../../src/coordinator/start/services/archive-parts.js'
import { openSqlite } from '../../../support/databases.js'
import { sampled } from '../../../support/nightly.js'
import { tempDir } from '../../../support/temp-dir.js'
import { NO_IMPORTS } from '../../support/no-imports.js'
import { packArchive, type PackedEntry, projectFile } from '../../support/project-archive.js'
import { withSqliteStatements } from '../../support/statement-hooks.js'
import { openPlanningScene } from '../support/planning-scene.js'

const TIME = '2030-01-01T00:00:00.000Z'
const COMMON = {
  state: 'opened',
  author: 'root',
  labels: ['bug'],
  created_at: TIME,
  updated_at: TIME,
  assignees: ['root'],
  state_events: [{ action: 'closed', user: 'root', created_at: TIME }],
  label_events: [{ action: 'add', label: 'bug', user: 'root', created_at: TIME }],
  award_emoji: [{ name: 'thumbsup', user: 'root', created_at: TIME }],
}
const note = (body: string, more: object) => ({
  discussion_id: 'a'.repeat(40),
  body,
  author: 'root',
  created_at: TIME,
  updated_at: TIME,
  ...more,
})
const PARTS = {
  issues: [
    { ...COMMON, iid: 1, title: 'a' },
    { ...COMMON, iid: 3, title: 'b' },
  ],
  issue_links: [{ source_iid: 1, target_iid: 3, link_type: 'blocks' }],
  merge_requests: [
    { ...COMMON, iid: 2, title: 'a', source_branch: 'a', target_branch: 'main' },
    { ...COMMON, iid: 5, title: 'b', source_branch: 'b', target_branch: 'main' },
  ],
  // Two notes of one thread with one time.
  notes: [note('one', { issue: 3 }), note('two', { issue: 3 }), note('one', { merge_request: 5 })],
}
const FILES: PackedEntry[] = Object.entries(PARTS).map(([part, records]) => ({
  name: `${part}.ndjson`,
  content: records.map((record) => `${JSON.stringify(record)}\n`).join(''),
}))

async function openScene() {
  const scene = await openPlanningScene(openSqlite)
  const { services, database, root } = scene
  const archive = await packArchive([projectFile(), ...FILES])
  const deps = {
    ...services,
    addWiki: (id: number, fill: () => Promise<boolean>) => importWiki(services, id, fill),
    parts: transferParts(services),
    workFolder: await tempDir(),
  }
  const start = async (path: string): Promise<{ project: number; id: number }> => {
    const spooled = {
      size: archive.length,
      open: () => Readable.from([archive]),
      remove: async () => undefined,
    }
    const file = new UploadedFile('a.tar.gz', 'application/octet-stream', spooled)
    const given = { ...services, imports: NO_IMPORTS }
    const project = await startImport(given, { file, path }, root)
    const wanted = (await findImports(database)).find(({ project_id }) => project_id === project.id)
    return { project: project.id, id: wanted?.id ?? 0 }
  }
  const attempt = async (id: number) => {
    const wanted = await findImport(database, id)
    if (!wanted) throw new Error('There is no such import')
    await importArchive(deps, wanted, new AbortController().signal)
  }
  /** What the project has, and what could not be imported. */
  const result = async (project: number) => {
    const records: Record<string, object[]> = {}
    for (const part of deps.parts) {
      const own = await database
        .selectFrom('project')
        .selectAll()
        .where('id', '=', project)
        .executeTakeFirstOrThrow()
      records[part.name] = []
      for await (const record of part.read(own)) records[part.name]?.push(record)
    }
    const problems = await database
      .selectFrom('project_import_problem')
      .select(['part', 'line', 'message'])
      .where('project_id', '=', project)
      .execute()
    const { issue_count, open_issue_count, merge_request_count, open_merge_request_count } = await database
      .selectFrom('project')
      .selectAll()
      .where('id', '=', project)
      .executeTakeFirstOrThrow()
    const counts = [issue_count, open_issue_count, merge_request_count, open_merge_request_count]
    return { records, problems, counts }
  }
  return { start, attempt, result }
}

test('an import that is killed at any statement is completed by the next attempt, with nothing twice', async () => {
  const { start, attempt, result } = await openScene()
  const whole = await start('whole')
  const statements = await withSqliteStatements(
    () => undefined,
    () => attempt(whole.id),
  )
  const expected = await result(whole.project)
  expect(expected).toMatchObject({ problems: [], counts: [3, 2, 5, 2] })
  expect(expected.records.notes).toMatchObject([{ body: 'one' }, { body: 'two' }, { merge_request: 5 }])
  // The records are written by the same few statements, again and again.
  const points = Array.from({ length: Math.ceil(statements / 7) }, (_, index) => 1 + 7 * index)
  for (const at of sampled(points, 3)) {
    const { project, id } = await start(`copy-${at}`)
    const killed = (statement: number, sql: string) => {
      if (statement >= at && sql !== 'rollback') throw new Error('killed')
    }
    await withSqliteStatements(killed, () => attempt(id).catch(() => undefined))
    await attempt(id)
    expect({ at, ...(await result(project)) }).toEqual({ at, ...expected })
  }
})
