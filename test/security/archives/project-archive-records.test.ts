import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { findProject } from '../../../src/coordinator/hosting/projects/store.js'
import { ApiError } from '../../../src/coordinator/http/errors.js'
import { transferParts } from '../../../src/coordinator/start/services/archive-parts.js'
import { openGitScene } from '../../coordinator/planning/merge-requests/git-scene.js'
import { planningRecords } from '../../coordinator/planning/support/project-records.js'
import { importArchiveInto } from '../../coordinator/support/copy-project.js'
import { packArchive, type PackedEntry, projectFile } from '../../coordinator/support/project-archive.js'
import { addPerson } from '../../coordinator/support/test-app.js'
import { describeOnDatabase, type OpenDatabase, openSqlite } from '../../support/databases.js'
import { gitOk } from '../../support/git-client.js'
import { openForFile } from '../../support/lifetime.js'
import { sampled } from '../../support/nightly.js'
import { tempDir } from '../../support/temp-dir.js'

const TIME = '2030-01-01T00:00:00.000Z'
const SHA = 'a'.repeat(40)
const BY = { user: 'root', created_at: TIME }

const HISTORY = {
  state_events: [{ action: 'closed', ...BY }],
  label_events: [{ action: 'add', label: 'bug', ...BY }],
  milestone_events: [{ action: 'add', milestone: 'v1', ...BY }],
  award_emoji: [{ name: 'tada', ...BY }],
}
const COMMON = {
  description: 'text',
  labels: ['bug'],
  milestone: 'v1',
  author: 'root',
  assignees: ['root'],
  discussion_locked: false,
  time_estimate: 3600,
  total_time_spent: 60,
  last_edited_at: TIME,
  last_edited_by: 'root',
  created_at: TIME,
  updated_at: TIME,
  closed_at: TIME,
  closed_by: 'root',
  ...HISTORY,
}

/** Records that can be imported, each with all of its fields, by the name of the part. */
const GOOD: Record<string, (number: number) => Record<string, unknown>> = {
  issues: (iid) => ({
    ...COMMON,
    iid,
    title: `issue ${iid}`,
    state: 'opened',
    due_date: '2030-01-01',
    weight: 1,
    confidential: false,
    issue_type: 'issue',
    relative_position: iid,
  }),
  merge_requests: (iid) => ({
    ...COMMON,
    iid,
    title: `merge request ${iid}`,
    state: 'opened',
    source_branch: `topic-${iid}`,
    target_branch: 'main',
    from_other_project: false,
    reviewers: [{ state: 'approved', ...BY }],
    approvals: [BY],
    squash: false,
    allow_collaboration: false,
    force_remove_source_branch: false,
    should_remove_source_branch: null,
    head_sha: SHA,
    merge_status: 'unchecked',
    merge_commit_sha: SHA,
    squash_commit_sha: SHA,
    merged_at: TIME,
    merged_by: 'root',
    merge_user: 'root',
    prepared_at: TIME,
    issues: [{ iid: 1, closes: true }],
    versions: [
      {
        head_sha: SHA,
        base_sha: SHA,
        start_sha: SHA,
        commit_count: 1,
        file_count: 1,
        pushed_by: 'root',
        created_at: TIME,
      },
    ],
  }),
  notes: (number) => ({
    merge_request: 1,
    discussion_id: number.toString(16).padStart(40, '0'),
    type: 'DiffNote',
    author: 'root',
    body: `note ${number}`,
    system: false,
    action: null,
    internal: false,
    resolved_at: TIME,
    resolved_by: 'root',
    position: {
      base_sha: SHA,
      start_sha: SHA,
      head_sha: SHA,
      position_type: 'text',
      new_path: 'a',
      new_line: 1,
    },
    original_position: null,
    line_code: 'a_1_1',
    outdated_at: TIME,
    suggestions: [{ lines_above: 0, lines_below: 0, from_content: 'a', to_content: 'b', commit_sha: null }],
    created_at: TIME,
    updated_at: TIME,
    last_edited_at: TIME,
  }),
}

const HOSTILE: unknown[] = [
  ...[-1, 1e300, 2 ** 53, 2 ** 31, 0.5, true, null, ''],
  ...['text', 'a\0b', '\ud800', '__proto__', 'x'.repeat(1_100_000)],
  ...['0000-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '2030-13-45T99:00:00Z'],
  ...[{}, [null], [{}], [[]], ['root', 'root'], Array.from({ length: 2500 }, (_, index) => `l${index}`)],
]

function nested(value: unknown): unknown[] {
  const record = { label: value, milestone: value, name: value, action: value, state: value }
  return [[{ ...BY, ...record }], [{ ...BY, user: value }], [{ ...BY, created_at: value }]]
}

/** Good records with one hostile value each, the first one without. */
function hostileRecords(make: (number: number) => Record<string, unknown>): unknown[] {
  const records: unknown[] = [make(1)]
  const add = (field: string, value: unknown) => records.push({ ...make(records.length + 1), [field]: value })
  for (const [field, good] of Object.entries(make(1))) {
    for (const value of HOSTILE) add(field, value)
    if (Array.isArray(good))
      for (const value of HOSTILE.slice(3, 11)) for (const each of nested(value)) add(field, each)
  }
  return [...records, 5, 'x', null, [], {}, [[]]]
}

/** The record as a line of an archive holds it. */
function asLine(record: unknown): unknown {
  return JSON.parse(JSON.stringify(record))
}

async function openProject(open: OpenDatabase) {
  const scene = await openGitScene(open)
  const { database, services, ok } = scene
  const root = await addPerson(database, 'root', { admin: true })
  const { id } = await ok<{ id: number }>('POST /projects', { name: 'copy' }, root)
  const project = await findProject(database, id)
  const importer = await database
    .selectFrom('user')
    .selectAll()
    .where('id', '=', root.id)
    .executeTakeFirstOrThrow()
  if (!project) throw new Error('The project is gone')
  return { ...scene, root, id, target: { project, importer }, parts: transferParts(services) }
}

describeOnDatabase('a hostile record of a project archive', (open) => {
  const filled = openForFile(async () => {
    const { database, id, target, parts } = await openProject(open)
    const write = (part: string, record: unknown) =>
      parts.find((each) => each.name === part)?.write(target, asLine(record))
    await write('issues', GOOD.issues?.(1))
    await write('merge_requests', GOOD.merge_requests?.(1))
    return { database, id, write }
  })

  test('is refused with what is wrong, or stored as a whole so that it can be read', async () => {
    const { database, ok, root, id, target, parts } = await openProject(open)
    for (const [table, [name, make]] of [
      ['issue', ['issues', GOOD.issues]],
      ['merge_request', ['merge_requests', GOOD.merge_requests]],
      ['note', ['notes', GOOD.notes]],
    ] as const) {
      const part = parts.find((each) => each.name === name)
      if (!part || !make) throw new Error(`There is no part ${name}`)
      const records = sampled(hostileRecords(make), 60).map(asLine)
      const refusals: string[] = []
      for (const record of records) {
        const problem = await part.write(target, record).catch((error: unknown) => error)
        if (problem === undefined) continue
        if (!(problem instanceof ApiError))
          throw new Error(JSON.stringify(record).slice(0, 500), { cause: problem })
        expect(problem.status).toBeLessThan(500)
        refusals.push(JSON.stringify(problem.body))
      }
      const rows = await database.selectFrom(table).select('id').where('project_id', '=', id).execute()
      expect(rows).toHaveLength(records.length - refusals.length)
      expect(refusals.length).toBeGreaterThan(records.length / 3)
      for (const refusal of refusals) expect(refusal).toMatch(/^\{"(error|message)":.*[a-z]{4}/)
    }
    await planningRecords(ok, id, root)
    const next = await ok(`POST /projects/${id}/issues`, { title: 'next' }, root)
    expect(next.iid).toBeLessThan(2 ** 31)
  })

  test.each<[string, string, Record<string, unknown>, number, RegExp]>([
    ['an issue with the number of another', 'issues', { iid: 1 }, 409, /Duplicated issue/],
    [
      'a merge request with the number of another',
      'merge_requests',
      { iid: 1 },
      409,
      /Duplicated merge request/,
    ],
    [
      'a closed merge request with the number of another',
      'merge_requests',
      { iid: 1, state: 'closed', head_sha: null },
      409,
      /Duplicated merge request/,
    ],
    [
      'an open merge request with the branches of another',
      'merge_requests',
      { source_branch: 'topic-1' },
      409,
      /Another open merge request already exists/,
    ],
    [
      'an open merge request of a branch into itself',
      'merge_requests',
      { source_branch: 'main' },
      422,
      /can't use same/,
    ],
    [
      'a merged merge request whose head is no commit',
      'merge_requests',
      { state: 'merged' },
      400,
      /head_sha.*is not a commit/,
    ],
    ['a branch that git does not know', 'merge_requests', { source_branch: 'a..b' }, 400, /source_branch/],
    ['an unknown emoji', 'issues', { award_emoji: [{ name: 'nothing', ...BY }] }, 400, /award_emoji/],
    ['a note of an unknown issue', 'notes', { issue: 99, merge_request: null }, 404, /Issue 99/],
    ['a note of an unknown merge request', 'notes', { merge_request: 99 }, 404, /Merge Request 99/],
    [
      'a note of an issue and a merge request',
      'notes',
      { issue: 1 },
      400,
      /one of issue, merge_request and commit/,
    ],
    ['a note of nothing', 'notes', { merge_request: null }, 400, /one of issue, merge_request and commit/],
    ['a note without a text', 'notes', { body: ' ' }, 400, /body/],
  ])('%s leaves nothing behind', async (_what, name, change, status, message) => {
    const { database, id, write } = filled()
    const counted = async () => {
      const counts: Record<string, number> = {}
      for (const table of [
        'issue',
        'merge_request',
        'note',
        'resource_event',
        'award_emoji',
        'label',
      ] as const) {
        counts[table] = (await database.selectFrom(table).selectAll().execute()).length
      }
      const columns = [
        'issue_count',
        'open_issue_count',
        'merge_request_count',
        'open_merge_request_count',
      ] as const
      const project = await database
        .selectFrom('project')
        .select(columns)
        .where('id', '=', id)
        .executeTakeFirst()
      return { ...counts, ...project }
    }
    const before = await counted()
    const problem: unknown = await write(name, { ...GOOD[name]?.(2), ...change })?.catch(
      (error: unknown) => error,
    )
    expect(problem).toMatchObject({ status })
    expect(JSON.stringify(problem instanceof ApiError && problem.body)).toMatch(message)
    expect(await counted()).toEqual(before)
  })
})

const source = openForFile(() => openProject(openSqlite))

test('a ref of the bundle that belongs to no merge request of the archive is not kept', async () => {
  const { services, database, main, root } = source()
  const bundle = await bundleOf([1, 7].map((iid) => `refs/merge-requests/${iid}/head`))
  const merged = asLine({ ...GOOD.merge_requests?.(1), state: 'merged', head_sha: main })
  const records = { name: 'merge_requests.ndjson', content: `${JSON.stringify(merged)}\n` }
  const archive = await packArchive([projectFile(), records, bundle])
  const copy = await importArchiveInto(services, archive, root, 'second')
  expect([copy.status, copy.problems]).toEqual(['finished', []])
  const refs = await gitOk(
    services.repositories.path(copy.id),
    'for-each-ref',
    '--format=%(refname)',
    'refs/merge-requests',
  )
  expect(refs.trim()).toBe('refs/merge-requests/1/head')
  const rows = await database
    .selectFrom('merge_request')
    .select('iid')
    .where('project_id', '=', copy.id)
    .execute()
  expect(rows).toEqual([{ iid: 1 }])
})

test('a bundle with another ref below those of merge requests is refused with its name', async () => {
  const { services, root } = source()
  const bundle = await bundleOf(['refs/merge-requests/1/2/x/head'])
  const archive = await packArchive([projectFile(), bundle])
  const { status, error } = await importArchiveInto(services, archive, root, 'third')
  expect([status, error]).toEqual(['failed', expect.stringContaining('refs/merge-requests/1/2/x/head')])
})

/** The branches of the project, and these refs to its main branch. */
async function bundleOf(refs: string[]): Promise<PackedEntry> {
  const { services, project, git, main } = source()
  for (const ref of refs) await git('update-ref', ref, main)
  const file = join(await tempDir(), 'a.bundle')
  const gitDir = services.repositories.path(project)
  await gitOk(gitDir, 'bundle', 'create', '-q', file, '--branches', ...refs)
  return { name: 'repository.bundle', content: await readFile(file) }
}
