import { join } from 'node:path'

import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'

import { connectDatabase, type Database } from '../../../src/coordinator/database/connect.js'
import { migrate } from '../../../src/coordinator/database/migrate.js'
import { createEmptyPostgres } from '../../support/databases.js'
import { onFinished } from '../../support/lifetime.js'
import { tempDir } from '../../support/temp-dir.js'
import { makeOldStore } from '../support/old-schema.js'

const NOW = 1_700_000_000_000

describe.each(['sqlite', 'postgres'] as const)('new columns of rows that are there (%s)', (dialect) => {
  async function openBefore(version: string): Promise<Database> {
    const settings =
      dialect === 'sqlite'
        ? { dialect, file: join(await tempDir(), 'switchyard.db') }
        : { dialect, url: await createEmptyPostgres() }
    const database = connectDatabase(settings)
    onFinished(() => database.destroy())
    // With the user 1, the group team and its project 1, team/app.
    await makeOldStore(database, dialect, version)
    return database
  }

  test('mirrors belong to the creator of the project, and marks to the user who has set the last one', async () => {
    const database = await openBefore('0196-intentions')
    await insert(database, 'user', person('bob'))
    await insert(database, 'project', project({ path: 'b', creator_id: 2, marked_for_deletion_at: NOW }))
    await insert(database, 'project', project({ path: 'c', marked_for_deletion_at: NOW }))
    for (const [author_id, entity_id, custom_message] of [
      [1, 2, 'Mark a project for deletion'],
      [2, 2, 'Mark a project for deletion'],
      [2, 1, 'Mark a project for deletion'],
      [2, 3, 'Something else'],
    ] as const) {
      await insert(database, 'audit_event', auditEvent({ author_id, entity_id, custom_message }))
    }
    await insert(database, 'remote_mirror', mirror(2))
    await migrate(database, dialect)
    const marks = database.selectFrom('project').select(['id', 'marked_for_deletion_by_id']).orderBy('id')
    expect(await marks.execute()).toEqual([
      { id: 1, marked_for_deletion_by_id: null },
      { id: 2, marked_for_deletion_by_id: 2 },
      { id: 3, marked_for_deletion_by_id: null },
    ])
    expect(await database.selectFrom('remote_mirror').select('user_id').execute()).toEqual([{ user_id: 2 }])
  })

  test('notes about the places that name something have the IDs of these places', async () => {
    const database = await openBefore('0197-marked-by')
    await insert(database, 'project', project({ path: 'b' }))
    await insert(database, 'old_path', { path: 'team/Old', project_id: 2, created_at: NOW })
    for (const [project_id, iid] of [
      [1, 1],
      [1, 2],
      [2, 2],
    ] as const)
      await insert(database, 'issue', issue({ project_id, iid }))
    await insert(database, 'merge_request', mergeRequest({ project_id: 2, iid: 5 }))
    const bodies = {
      'mentioned in issue #2': { named_by_issue_id: 2 },
      'mentioned in issue TEAM/b#2': { named_by_issue_id: 3 },
      'mentioned in merge request team/old!5': { named_by_merge_request_id: 1 },
      'mentioned in commit 12345678': { named_by_project_id: 1 },
      'mentioned in commit team/b@12345678': { named_by_project_id: 2 },
      'mentioned in issue team/gone#2': {},
      'mentioned in issue #99': {},
    }
    for (const body of Object.keys(bodies)) await insert(database, 'note', note(body))
    await migrate(database, dialect)
    const notes = await database
      .selectFrom('note')
      .select(['body', 'named_by_issue_id', 'named_by_merge_request_id', 'named_by_project_id'])
      .orderBy('id')
      .execute()
    const none = { named_by_issue_id: null, named_by_merge_request_id: null, named_by_project_id: null }
    expect(notes).toEqual(Object.entries(bodies).map(([body, ids]) => ({ body, ...none, ...ids })))
  })
})

async function insert(database: Database, table: string, row: Record<string, unknown>): Promise<void> {
  const names = Object.keys(row).map((name) => sql.ref(name))
  const values = Object.values(row).map((value) => sql.val(value))
  await sql`insert into ${sql.table(table)} (${sql.join(names)}) values (${sql.join(values)})`.execute(
    database,
  )
}

function person(username: string) {
  const email = `${username}@example.com`
  return { username, name: username, email, state: 'active', is_admin: false, created_at: NOW }
}

function project({ path, ...more }: { path: string } & Record<string, unknown>) {
  return {
    namespace_id: 1,
    creator_id: 1,
    name: path,
    path,
    full_path: `team/${path}`,
    visibility: 'private',
    runners_token_digest: path,
    runners_token_encrypted: 'e',
    created_at: NOW,
    updated_at: NOW,
    last_activity_at: NOW,
    ...more,
  }
}

function auditEvent({ custom_message, ...row }: { custom_message: string } & Record<string, unknown>) {
  const details = JSON.stringify({ change: 'project', custom_message })
  return { ...row, entity_type: 'Project', details, created_at: NOW }
}

function mirror(project_id: number) {
  const rules = { enabled: true, only_protected_branches: false, keep_divergent_refs: false }
  return { project_id, url_encrypted: 'e', ...rules, update_status: 'none', created_at: NOW }
}

function issue(row: { project_id: number; iid: number }) {
  return { ...row, title: 'a', author_id: 1, created_at: NOW, updated_at: NOW }
}

function mergeRequest(row: { project_id: number; iid: number }) {
  return { ...issue(row), source_branch: 'topic', target_branch: 'main' }
}

function note(body: string) {
  const about = { project_id: 1, issue_id: 1, discussion_id: 'd', author_id: 1 }
  return { ...about, body, system: true, action: 'cross_reference', created_at: NOW, updated_at: NOW }
}
