import { setTimeout } from 'node:timers/promises'

import { expect, test } from 'vitest'

import type { RunnerClient } from '../coordinator/support/runner-client.js'
import { testAtNight } from '../support/nightly.js'
import { runPython } from './support/python.js'
import { type Gitbeaker, type Person, type ServedProject, Service } from './support/service.js'

const FILES = {
  'engine.txt': 'one\ntwo\nthree\n',
  '.gitlab-ci.yml':
    'test: { script: [make], rules: [{ if: $CI_PIPELINE_SOURCE == "merge_request_event" }] }\n',
}

interface Scene {
  service: Service
  project: ServedProject
  lead: Person
  ann: Person
  bob: Person
}

async function openScene(): Promise<Scene> {
  const service = await Service.start()
  const [lead, ann, bob] = await Promise.all(['lead', 'ann', 'bob'].map((name) => service.addPerson(name)))
  if (!lead || !ann || !bob) throw new Error('Somebody is missing')
  const group = await service.json<{ id: number }>('POST', '/groups', {
    name: 'Team',
    path: 'team',
    visibility: 'public',
  })
  const member = { user_id: lead.id, access_level: 50 }
  await service.json('POST', `/groups/${group.id}/members`, member)
  const more = { name: 'app', namespace_id: group.id, visibility: 'public' }
  const project = await service.addProject(FILES, lead, more)
  return { service, project, lead, ann, bob }
}

/**
 * Runs jobs until `until` is settled: that of the commit that breaks the engine fails, and the others succeed as soon as a
 * merge waits for them.
 */
async function runJobs(scene: Scene, runner: RunnerClient, until: Promise<unknown>): Promise<void> {
  const over = new AbortController()
  const end = () => {
    over.abort()
  }
  until.then(end, end)
  while (!over.signal.aborted) {
    const response = await runner.request()
    if (response.status === 201) await runJob(scene, runner, (await response.json()) as Job, over.signal)
    // The runner polls, as every runner does.
    else await setTimeout(50)
  }
}

interface Job {
  id: number
  token: string
  variables: Variable[]
}

async function runJob(scene: Scene, runner: RunnerClient, job: Job, over: AbortSignal): Promise<void> {
  const message = job.variables.find(({ key }) => key === 'CI_COMMIT_MESSAGE')?.value ?? ''
  if (message.startsWith('Break')) {
    await runner.update(job, 'failed', { failure_reason: 'script_failure' })
  } else {
    await waitForAutoMerge(scene, over)
    await runner.update(job, 'success')
  }
}

interface Variable {
  key: string
  value: string
}

async function waitForAutoMerge({ service, project }: Scene, over: AbortSignal): Promise<void> {
  const path = `/projects/${project.id}/merge_requests/1`
  while (!over.aborted) {
    const record = await service.json<{ merge_when_pipeline_succeeds: boolean }>('GET', path)
    if (record.merge_when_pipeline_succeeds) return
    await setTimeout(50)
  }
}

const STORY = {
  changes: ['engine.txt'],
  commits: ['Break the engine'],
  approved: ['ann'],
  merged: ['ann', true],
  issue: ['closed', [1]],
  branches: ['main'],
  todos: [],
  file: 'one\ntwo\nthree\n',
  release: ['- Keep the engine going (!1)', ['v1.1']],
}

test('a team reports, proposes from a fork, reviews, mends, merges and releases with @gitbeaker/rest', async () => {
  const scene = await openScene()
  const runner = await scene.service.addRunner()
  const story = playWithGitbeaker(scene)
  await runJobs(scene, runner, story)
  expect(await story).toMatchObject(STORY)
})

async function playWithGitbeaker({
  project: { id },
  lead,
  ann,
  bob,
}: Scene): Promise<Record<string, unknown>> {
  const [forLead, forAnn, forBob] = [lead.gitbeaker, ann.gitbeaker, bob.gitbeaker]
  await forLead.ProjectMembers.add(id, 40, { userId: ann.id })
  await forLead.ProjectMilestones.create(id, 'v1.1')
  const issue = await forBob.Issues.create(id, 'The engine stalls', { description: 'At 9.' })
  await forAnn.IssueNotes.create(id, issue.iid, 'Who takes it? @bob')
  const fork = await forBob.Projects.fork(id)
  await until(async () => (await forBob.Projects.show(fork.id)).import_status === 'finished')
  const change = { action: 'update' as const, filePath: 'engine.txt', content: 'one\ntwo!\nthree\n' }
  await forBob.Commits.create(fork.id, 'steady', 'Break the engine', [change], { startBranch: 'main' })
  const { iid } = await forBob.MergeRequests.create(fork.id, 'steady', 'main', 'Keep the engine going', {
    targetProjectId: id,
    description: `Closes #${issue.iid}`,
    removeSourceBranch: true,
  })
  const show = async (as: Gitbeaker) => (await as.MergeRequests.show(id, iid)) as unknown as Shown
  await until(async () => (await show(forBob)).head_pipeline?.status === 'failed')
  await forAnn.MergeRequests.edit(id, iid, { reviewerIds: [ann.id] })
  const { diff_refs } = await show(forAnn)
  const thread = await forAnn.MergeRequestDiscussions.create(id, iid, 'Better: two', {
    position: {
      baseSha: diff_refs.base_sha,
      startSha: diff_refs.start_sha,
      headSha: diff_refs.head_sha,
      positionType: 'text',
      newPath: 'engine.txt',
      oldPath: 'engine.txt',
      newLine: '2',
    },
  })
  const changes = await forAnn.MergeRequests.allDiffs(id, iid)
  const commits = await forAnn.MergeRequests.allCommits(id, iid)
  await forBob.MergeRequestDiscussions.addNote(id, iid, thread.id, 'Done')
  const mended = { ...change, content: 'one\ntwo\nthree\n' }
  await forBob.Commits.create(fork.id, 'steady', 'Mend the engine', [mended])
  await until(async () => (await forAnn.MergeRequests.allDiffVersions(id, iid)).length === 2)
  await forAnn.MergeRequestDiscussions.resolve(id, iid, thread.id, true)
  await forAnn.MergeRequestApprovals.approve(id, iid)
  const approvals = await forAnn.MergeRequestApprovals.showConfiguration(id, { mergerequestIId: iid })
  const { approved_by } = approvals as unknown as Approved
  await forAnn.MergeRequests.accept(id, iid, {
    autoMerge: true,
    shouldRemoveSourceBranch: true,
  })
  await until(async () => (await show(forAnn)).state === 'merged')
  const merged = await show(forAnn)
  await until(async () => (await forBob.Branches.all(fork.id)).length === 1)
  const done = await forAnn.MergeRequests.all({ projectId: id, state: 'merged' })
  const released = await forAnn.ProjectReleases.create(id, {
    tagName: 'v1.1',
    ref: 'main',
    description: done.map((each) => `- ${each.title} (!${each.iid})`).join('\n'),
    milestones: ['v1.1'],
  })
  const release = released as unknown as Released
  const closed = await forAnn.Issues.show(issue.iid, { projectId: id })
  const closers = await forAnn.Issues.allRelatedMergeRequests(id, issue.iid)
  return {
    changes: changes.map((each) => each.new_path),
    commits: commits.map((each) => each.title),
    approved: approved_by.map(({ user }) => user.username),
    merged: [merged.merged_by?.username, merged.merge_commit_sha !== null],
    issue: [closed.state, closers.map((each) => each.iid)],
    branches: (await forBob.Branches.all(fork.id)).map(({ name }) => name),
    todos: await forAnn.TodoLists.all(),
    file: await forAnn.RepositoryFiles.showRaw(id, 'engine.txt', 'main'),
    release: [release.description, release.milestones.map(({ title }) => title)],
  }
}

/** The parts of records that the story reads; the client does not know their types. */
interface Shown {
  state: string
  head_pipeline: { status: string } | null
  diff_refs: { base_sha: string; start_sha: string; head_sha: string }
  merged_by: { username: string } | null
  merge_commit_sha: string | null
}

interface Approved {
  approved_by: { user: { username: string } }[]
}

interface Released {
  description: string
  milestones: { title: string }[]
}

/** Asks again and again, as clients do that wait for something in the background. */
async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await setTimeout(50)
}

testAtNight(
  'a team reports, proposes from a fork, reviews, mends, merges and releases with python-gitlab',
  async () => {
    const scene = await openScene()
    const { service, project, lead, ann, bob } = scene
    const runner = await service.addRunner()
    const tokens = { lead: lead.token, ann: ann.token, bob: bob.token }
    const story = runPython('review.py', { url: service.url, project: project.id, ...tokens })
    await runJobs(scene, runner, story)
    expect(await story).toMatchObject({
      ...STORY,
      failed: ['mergeable', ['failed']],
      blocked: false,
      applied: true,
      versions: 2,
      threads: [true, false],
      events: expect.arrayContaining(['opened', 'closed', 'accepted', 'approved']) as unknown,
    })
  },
)
