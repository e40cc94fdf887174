import { expect, test, vi } from 'vitest'

import { deleteReplacementRefs } from '../../../src/coordinator/hosting/repositories/housekeeping/delete-replacement-refs.js'
import { type ServedProject, Service } from '../../conformance/support/service.js'
import { addMember, startGitServer } from '../../coordinator/hosting/repositories/git-server.js'
import { commit, git, gitOk, workTree } from '../../support/git-client.js'
import { openForFile } from '../../support/lifetime.js'
import { testAtNight } from '../../support/nightly.js'

const shared = openForFile(() => Service.start())

const CI_FILE = 'wanted: { script: [make] }\n'
const ATTACK = 'attack: { script: [steal] }\n'
const NEVER = new AbortController().signal

/** A project whose CI file the attack replaces by way of a commit on another branch. */
async function attackedProject() {
  const service = shared()
  const project = await service.addProject({ '.gitlab-ci.yml': CI_FILE, 'notes.txt': 'one\n' })
  const tip = await gitOk(project.workTree, 'rev-parse', 'HEAD')
  await gitOk(project.workTree, 'checkout', '--quiet', '-b', 'topic')
  const evil = await service.push(project, { '.gitlab-ci.yml': ATTACK }, 'topic')
  await gitOk(project.workTree, 'checkout', '--quiet', 'main')
  return { service, project, tip, evil }
}

/** As a version that accepts such a push leaves the repository. */
async function plant(service: Service, project: ServedProject, object: string, other: string): Promise<void> {
  await gitOk('/', '--git-dir', service.repositoryOf(project), 'update-ref', `refs/replace/${object}`, other)
}

test('a developer cannot replace the objects of a protected branch', async () => {
  const server = await startGitServer()
  const tree = await workTree()
  await gitOk(tree, 'push', server.remote(), 'main')
  const tip = await gitOk(tree, 'rev-parse', 'main')
  const developer = await addMember(server, 'dev', 30)
  await commit(tree, { '.gitlab-ci.yml': ATTACK })
  const ref = `refs/replace/${tip}`
  for (const person of [developer, server.ownerToken]) {
    const { exitCode, output } = await git(tree, 'push', server.remote(person), 'main:topic', `HEAD:${ref}`)
    expect(exitCode).toBe(1)
    expect(output).toContain(`remote: You are not allowed to push to ${ref}`)
    expect(output).toContain(`! [remote rejected] HEAD -> ${ref}`)
  }
  expect(await gitOk(server.repositories.path(server.project.id), 'for-each-ref', 'refs/replace')).toBe('')
  expect(await server.repositories.resolveRef(server.project.id, 'topic')).toBeUndefined()
})

test('a replacement object in the repository does not change what the pipelines of a protected branch run', async () => {
  const { service, project, tip, evil } = await attackedProject()
  await plant(service, project, tip, evil)
  const { id, sha } = await service.json<{ id: number; sha: string }>(
    'POST',
    `/projects/${project.id}/pipeline`,
    { ref: 'main' },
  )
  expect(sha).toBe(tip)
  const jobs = await service.json<{ name: string }[]>('GET', `/projects/${project.id}/pipelines/${id}/jobs`)
  expect(jobs.map(({ name }) => name)).toEqual(['wanted'])
})

testAtNight(
  'a replacement object in the repository does not get into the next edit over the API',
  async () => {
    const { service, project, tip, evil } = await attackedProject()
    await plant(service, project, tip, evil)
    const body = { branch: 'main', content: 'two\n', commit_message: 'Edit' }
    await service.json('PUT', `/projects/${project.id}/repository/files/notes.txt`, body)
    const path = `/projects/${project.id}/repository/files/.gitlab-ci.yml/raw?ref=main`
    expect(await (await service.fetch('GET', path, { as: service.root })).text()).toBe(CI_FILE)
    const clean = { cwd: service.repositoryOf(project) }
    expect(await gitOk(clean.cwd, '--no-replace-objects', 'show', 'main:.gitlab-ci.yml')).toBe(CI_FILE.trim())
    expect(await gitOk(clean.cwd, '--no-replace-objects', 'rev-parse', 'main~1')).toBe(tip)
  },
)

testAtNight(
  'a replacement object in the repository does not lead a push around the guard against forced pushes',
  async () => {
    const { service, project, tip } = await attackedProject()
    const { workTree: tree } = project
    await gitOk(tree, 'checkout', '--quiet', '--orphan', 'other')
    const other = await service.push(project, { unrelated: 'x' }, 'other')
    // With this in its place, `other` is a descendant of the tip of main.
    const child = await gitOk(tree, 'commit-tree', '-p', tip, '-m', 'child', `${tip}^{tree}`)
    await gitOk(tree, 'checkout', '--quiet', '--detach', child)
    await service.push(project, {}, 'child')
    await plant(service, project, other, child)
    const remote = `${service.url.replace('//', `//root:${service.root.token}@`)}/${project.path}.git`
    const { exitCode, output } = await git(tree, 'push', '--force', remote, `${other}:refs/heads/main`)
    expect(output).toContain('You are not allowed to force push code to a protected branch')
    expect(exitCode).toBe(1)
  },
)

test('replacement refs of an older version are deleted, and the log names them and their objects', async () => {
  const server = await startGitServer()
  const tree = await workTree()
  await gitOk(tree, 'push', server.remote(), 'main')
  const gitDir = server.repositories.path(server.project.id)
  const tip = await gitOk(gitDir, 'rev-parse', 'main')
  const other = await gitOk(gitDir, 'commit-tree', '-m', 'x', 'main^{tree}')
  const warn = vi.spyOn(server.logger, 'warn')
  const check = () => deleteReplacementRefs(server, NEVER)
  for (const isPacked of [false, true]) {
    await gitOk(gitDir, 'update-ref', `refs/replace/${tip}`, other)
    if (isPacked) await gitOk(gitDir, 'pack-refs', '--all')
    await check()
    expect(await gitOk(gitDir, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/main')
  }
  await check()
  const warning = { project: server.project.id, refs: [`refs/replace/${tip} ${other}`] }
  expect(warn.mock.calls.map(([fields]) => fields)).toEqual([warning, warning])
  expect(await gitOk(gitDir, 'cat-file', '-t', other)).toBe('commit')
})
