import { execa } from 'execa'
import { expect, test } from 'vitest'

import { type Person, type ServedProject, Service } from '../conformance/support/service.js'
import { commit } from '../support/git-client.js'
import { openForFile } from '../support/lifetime.js'

const CI_FILE = 'test: { script: [make], rules: [{ if: $CI_PIPELINE_SOURCE == "merge_request_event" }] }\n'

const opened = openForFile(() => Service.start())

interface MergeRequest {
  iid: number
  title: string
  [field: string]: unknown
}

/** Pushes a commit to a branch; the lines that git shows. */
async function push(
  service: Service,
  project: ServedProject,
  branch: string,
  options: string[] = [],
  as: Person = project.owner,
): Promise<{ ok: boolean; lines: string[] }> {
  await commit(project.workTree, { [`${branch}.txt`]: `${Math.random()}\n` })
  const remote = `${service.url.replace('//', `//${as.username}:${as.token}@`)}/${project.path}.git`
  const given = options.flatMap((option) => ['-o', option])
  const { exitCode, stderr } = await execa('git', ['push', ...given, remote, `HEAD:refs/heads/${branch}`], {
    cwd: project.workTree,
    reject: false,
  })
  const lines = stderr.split('\n').filter((line) => line.startsWith('remote: '))
  return {
    ok: exitCode === 0,
    lines: lines.map((line) => line.slice('remote: '.length).trim()).filter(Boolean),
  }
}

const show = (service: Service, { id }: ServedProject, iid = 1) =>
  service.json<MergeRequest>('GET', `/projects/${id}/merge_requests/${iid}`)

test('a push creates the merge request of its branch, changes it, and says where it is', async () => {
  const service = opened()
  const project = await service.addProject({ '.gitlab-ci.yml': CI_FILE })
  await service.json('POST', `/projects/${project.id}/milestones`, { title: 'v1' })
  const plain = await push(service, project, 'topic')
  expect(plain.lines).toEqual([
    'To create a merge request for topic, visit:',
    `${service.url}/${project.path}/-/merge_requests/new?merge_request%5Bsource_branch%5D=topic`,
  ])
  const created = await push(service, project, 'topic', [
    ...['merge_request.create', 'merge_request.title=Add it', 'merge_request.description=One\\nTwo'],
    ...[
      'merge_request.draft',
      'merge_request.label=a',
      'merge_request.label=b',
      'merge_request.milestone=v1',
    ],
    ...['merge_request.assign=root', 'merge_request.remove_source_branch'],
  ])
  const url = `${service.url}/${project.path}/-/merge_requests/1`
  expect(created).toEqual({ ok: true, lines: ['View merge request for topic:', url] })
  expect(await show(service, project)).toMatchObject({
    title: 'Draft: Add it',
    description: 'One\nTwo',
    labels: ['a', 'b'],
    milestone: { title: 'v1' },
    assignees: [{ username: 'root' }],
    target_branch: 'main',
    force_remove_source_branch: true,
  })
  await push(service, project, 'topic', [
    ...['merge_request.title=Other', 'merge_request.unlabel=a', 'merge_request.unassign=root'],
    'merge_request.merge_when_pipeline_succeeds',
  ])
  expect(await show(service, project)).toMatchObject({
    title: 'Other',
    labels: ['b'],
    assignees: [],
    merge_when_pipeline_succeeds: true,
  })
})

test('options that cannot be followed are named, and the push succeeds', async () => {
  const service = opened()
  const project = await service.addProject()
  const error = "Error encountered with push options 'merge_request.*':"
  const missing = await push(service, project, 'topic', ['merge_request.title=x'])
  expect(missing.ok).toBe(true)
  expect(missing.lines.slice(0, 2)).toEqual([
    'WARNINGS:',
    `${error} A merge request for topic does not exist`,
  ])
  const options = ['merge_request.create', 'merge_request.target=none']
  const nowhere = await push(service, project, 'topic', options)
  expect(nowhere.ok).toBe(true)
  expect(nowhere.lines[1]).toBe(`${error} {"target_branch":["does not exist"]}`)
  await service.json('PUT', `/projects/${project.id}`, { printing_merge_request_link_enabled: false })
  expect(await push(service, project, 'topic')).toEqual({ ok: true, lines: [] })
})

test('those who may merge push to the branch of a fork while its merge request allows it', async () => {
  const service = opened()
  const project = await service.addProject(undefined, undefined, { visibility: 'public' })
  const [ann, bob, cyd] = [
    await service.addPerson('ann'),
    await service.addPerson('bob'),
    await service.addPerson('cyd'),
  ]
  const member = { user_id: ann.id, access_level: 40 }
  await service.json('POST', `/projects/${project.id}/members`, member)
  const forked = await service.json<{ id: number; path_with_namespace: string }>(
    'POST',
    `/projects/${project.id}/fork`,
    {},
    bob,
  )
  const fork = { ...project, id: forked.id, path: forked.path_with_namespace, owner: bob }
  await expect
    .poll(async () => service.json('GET', `/projects/${fork.id}`, undefined, bob))
    .toMatchObject({ import_status: 'finished' })
  await push(service, fork, 'topic')
  const wanted = { source_branch: 'topic', target_branch: 'main', target_project_id: project.id, title: 'x' }
  const made = await service.json<MergeRequest>('POST', `/projects/${fork.id}/merge_requests`, wanted, bob)
  expect((await push(service, fork, 'topic', [], ann)).ok).toBe(false)
  const path = `/projects/${project.id}/merge_requests/${made.iid}`
  await service.json('PUT', path, { allow_collaboration: true }, bob)
  expect((await push(service, fork, 'topic', [], ann)).ok).toBe(true)
  expect((await push(service, fork, 'other', [], ann)).ok).toBe(false)
  expect((await push(service, fork, 'main', [], ann)).ok).toBe(false)
  expect((await push(service, fork, 'topic', [], cyd)).ok).toBe(false)
  await service.json('POST', `/projects/${fork.id}/protected_branches`, { name: 'topic' }, bob)
  expect((await push(service, fork, 'topic', [], ann)).ok).toBe(false)
  await service.fetch('DELETE', `/projects/${fork.id}/protected_branches/topic`, { as: bob })
  expect((await push(service, fork, 'topic', [], ann)).ok).toBe(true)
  await service.json('PUT', path, { state_event: 'close' }, bob)
  expect((await push(service, fork, 'topic', [], ann)).ok).toBe(false)
})
