import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { runnerCommand } from '../../../src/cli/commands/runner/index.js'
import { type ApiServer, startApiServer } from '../../support/kubernetes/api-server.js'
import { tempDir } from '../../support/temp-dir.js'

let output: string[]

beforeEach(() => {
  output = []
  process.exitCode = 0
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => output.push(String(text)) > 0)
})

afterEach(() => {
  vi.restoreAllMocks()
  process.exitCode = 0
})

/** Checks a registration whose jobs run in the cluster. */
async function check(server: ApiServer, lines: string, ...args: string[]): Promise<string> {
  const folder = await tempDir()
  const file = join(folder, 'config.toml')
  await writeFile(join(folder, '.runner_system_id'), 's_checkcluster')
  await writeFile(
    file,
    `data_dir = "${join(folder, 'data')}"
[[runners]]
name = "pods"
url = "http://127.0.0.1:1"
token = "glrt-pods"
executor = "kubernetes"
[runners.kubernetes]
host = "${server.url}"
image = "busybox"
${lines}
`,
  )
  await runnerCommand().parseAsync(['check', '--config', file, ...args], { from: 'user' })
  return output.join('')
}

test('says the version of the cluster and which rights the credentials have', async () => {
  const server = await startApiServer()
  const text = await check(server, 'namespace = "ci"')
  expect(process.exitCode).toBe(0)
  expect(text).toMatch(/^Runner "pods" \(pods\): Kubernetes v1\.30\.2\+test, namespace ci$/m)
  expect(text).toMatch(/^create pods +yes +to create the pod of a job$/m)
  expect(text).not.toContain('lack')
  expect(server.requests.every((request) => /version|selfsubjectaccessreviews/.test(request))).toBe(true)
})

test('fails if a right is missing that every job needs, and warns of others', async () => {
  const server = await startApiServer()
  server.misbehaviour.forbid({ namespace: 'ci', verb: 'create', resource: 'secrets' })
  const warned = await check(server, 'namespace = "ci"\nnamespace_overwrite_allowed = "ci-.*"')
  expect(process.exitCode).toBe(0)
  expect(warned).toMatch(/^create secrets +no /m)
  expect(warned).toContain(
    'warning: the credentials lack the right to create secrets in the namespace ci, to give the nodes credentials for images: needed for jobs with credentials for their images',
  )
  expect(warned).toContain('note: jobs may choose their namespace')
  server.misbehaviour.forbid({ namespace: 'ci', verb: 'get', resource: 'pods/exec' })
  output = []
  const failed = await check(server, 'namespace = "ci"')
  expect(process.exitCode).toBe(1)
  expect(failed).toMatch(
    /^error: the credentials lack the right to get pods\/exec in the namespace ci, .*: no job can run\./m,
  )
})

test('warns if the warnings about pods cannot be read, unless the settings leave them out', async () => {
  const server = await startApiServer()
  for (const verb of ['list', 'watch'])
    server.misbehaviour.forbid({ namespace: 'ci', verb, resource: 'events' })
  const warned = await check(server, 'namespace = "ci"')
  expect(process.exitCode).toBe(0)
  expect(warned).toMatch(
    /^warning: the credentials lack the right to watch events .*: needed for jobs whose logs say why/m,
  )
  output = []
  expect(await check(server, 'namespace = "ci"\nprint_pod_warning_events = false')).not.toContain('events')
})

test('fails for an API server that does not respond, as JSON too', async () => {
  const server = await startApiServer()
  server.goAway('refuses')
  const [report] = JSON.parse(await check(server, '', '--json')) as Record<string, unknown>[]
  expect(process.exitCode).toBe(1)
  expect(report).toMatchObject({ name: 'pods' })
  expect(String(report?.['problem'])).toMatch(/^The API server at http:\S+ cannot be reached: /)
})
