import { execFileSync } from 'node:child_process'
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

import { expect, onTestFinished, test, vi } from 'vitest'

import { takeSnapshot } from '../../../src/cli/working-directory/snapshot.js'
import { openWorkingDirectory } from '../../../src/cli/working-directory/working-directory.js'
import { type ServedProject, Service } from '../../conformance/support/service.js'
import { startGitServer as startRunnerGitServer } from '../../runner/workspace/git-server.js'
import { openWorkspace, prepare } from '../../runner/workspace/workspaces.js'
import { gitOk, workTree } from '../../support/git-client.js'
import { IS_NIGHTLY } from '../../support/nightly.js'
import { tempDir } from '../../support/temp-dir.js'

interface StartedGit {
  command: string
  environment: Map<string, string>
}

/** Puts a `git` first in the path of this process that records with what environment it is started. */
async function recordGit(): Promise<() => Promise<StartedGit[]>> {
  const [folder, records] = [await tempDir(), await tempDir()]
  const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim()
  const lines = [
    '#!/bin/sh',
    `record='${records}'/$$`,
    '{ printf "%s " "$@"; printf "\\0"; env -0; } > "$record.part"',
    'mv "$record.part" "$record"',
    `exec '${real}' "$@"`,
  ]
  await writeFile(join(folder, 'git'), `${lines.join('\n')}\n`)
  await chmod(join(folder, 'git'), 0o755)
  const { PATH } = process.env
  process.env['PATH'] = `${folder}${delimiter}${PATH}`
  onTestFinished(() => {
    process.env['PATH'] = PATH
  })
  return async () => {
    const names = (await readdir(records)).filter((name) => !name.endsWith('.part'))
    return Promise.all(names.map(async (name) => parsed(await readFile(join(records, name), 'utf8'))))
  }
}

function parsed(record: string): StartedGit {
  const [command = '', ...assignments] = record.split('\0')
  const environment = assignments.map((text): [string, string] => {
    const at = text.indexOf('=')
    return [text.slice(0, at), text.slice(at + 1)]
  })
  return { command, environment: new Map(environment) }
}

function expectStarted(started: StartedGit[], subcommand: string): void {
  const commands = started.map(({ command }) => ` ${command}`)
  expect(
    commands.filter((command) => command.includes(` ${subcommand} `)),
    subcommand,
  ).not.toEqual([])
}

/** Those that may read replacement objects or grafts. Clients of the tests have another path, and are not recorded. */
function careless(started: StartedGit[]): string[] {
  return started
    .filter(
      ({ environment }) =>
        environment.get('GIT_NO_REPLACE_OBJECTS') !== '1' ||
        environment.get('GIT_GRAFT_FILE') !== '/dev/null/none',
    )
    .map(({ command }) => command)
}

async function settled(service: Service, path: string, key: string, expected: string): Promise<void> {
  await vi.waitFor(
    async () => expect((await service.json<Record<string, unknown>>('GET', path))[key]).toBe(expected),
    { timeout: 60_000, interval: 50 },
  )
}

function remoteOf(service: Service, { path }: Pick<ServedProject, 'path'>): string {
  return `${service.url.replace('//', `//root:${service.root.token}@`)}/${path}.git`
}

test.runIf(IS_NIGHTLY)(
  'every git process of a coordinator ignores replacement objects and grafts',
  async () => {
    const service = await Service.start({ SWITCHYARD_OUTBOUND_ALLOW_LOCAL_NETWORK: 'true' })
    const project = await service.addProject({ 'a.txt': 'a\n', '.gitlab-ci.yml': 'a: { script: [x] }' })
    await service.json('POST', '/projects', { name: 'target' })
    const remote = remoteOf(service, project)
    const clone = await tempDir()
    await service.push(project, { 'b.txt': 'b\n' })
    const started = await recordGit()
    const P = `/projects/${project.id}`
    await gitOk(clone, 'clone', '--quiet', remote, '.')
    await gitOk(clone, 'push', '--quiet', remote, 'HEAD:refs/heads/topic')
    const edit = { branch: 'main', content: 'c\n', commit_message: 'Edit' }
    await service.json('PUT', `${P}/repository/files/a.txt`, edit)
    await service.json('POST', `${P}/repository/tags`, { tag_name: 'v1', ref: 'main', message: 'x' })
    await service.json('POST', `${P}/repository/commits/main/revert`, { branch: 'main' })
    for (const path of [
      'tree',
      'commits',
      'contributors',
      'compare?from=v1&to=main',
      'files/a.txt/blame?ref=main',
    ]) {
      await service.json('GET', `${P}/repository/${path}`)
    }
    const archive = await service.fetch('GET', `${P}/repository/archive.tar`, { as: service.root })
    expect((await archive.arrayBuffer()).byteLength).toBeGreaterThan(0)

    const fork = await service.json<{ id: number }>('POST', `${P}/fork`, { path: 'fork', name: 'fork' })
    await settled(service, `/projects/${fork.id}/import`, 'import_status', 'finished')
    const imported = await service.json<{ id: number }>('POST', '/projects', {
      name: 'it',
      import_url: remote,
    })
    await settled(service, `/projects/${imported.id}/import`, 'import_status', 'finished')
    const url = remoteOf(service, { path: 'root/target' })
    const mirror = await service.json<{ id: number }>('POST', `${P}/remote_mirrors`, { url, enabled: true })
    await settled(service, `${P}/remote_mirrors/${mirror.id}`, 'update_status', 'finished')
    await service.json('POST', `${P}/export`)
    await settled(service, `${P}/export`, 'export_status', 'finished')
    const file = await service.fetch('GET', `${P}/export/download`, { as: service.root })
    const form = new FormData()
    form.append('path', 'again')
    form.append('file', await file.blob(), 'archive.tar.gz')
    const headers = { 'private-token': service.root.token }
    const sent = await fetch(`${service.url}/api/v4/projects/import`, { method: 'POST', headers, body: form })
    const again = (await sent.json()) as { id: number }
    await settled(service, `/projects/${again.id}/import`, 'import_status', 'finished')
    await service.json('POST', `${P}/housekeeping`)
    await vi.waitFor(async () => expectStarted(await started(), 'repack'), { timeout: 60_000 })

    const all = await started()
    const names = [
      'upload-pack',
      'receive-pack',
      'cat-file',
      'clone',
      'push',
      'bundle',
      'archive',
      'merge-tree',
    ]
    for (const name of names) expectStarted(all, name)
    expect(careless(all)).toEqual([])
  },
)

test('every git process of a runner, and of a local run, ignores replacement objects and grafts', async () => {
  const server = await startRunnerGitServer()
  const sha = await server.commit('echo one > file')
  const tree = await workTree()
  const { workspace } = await openWorkspace()
  const started = await recordGit()
  await prepare(workspace, server, sha)
  await takeSnapshot(await openWorkingDirectory(tree), await tempDir())
  // The server of the test is a git, too.
  const all = (await started()).filter(({ environment }) => !environment.has('GIT_PROJECT_ROOT'))
  for (const name of ['init', 'fetch', 'checkout', 'write-tree', 'cat-file']) expectStarted(all, name)
  expect(careless(all)).toEqual([])
  expect(workspace.environment).toMatchObject({ GIT_NO_REPLACE_OBJECTS: '1' })
})
