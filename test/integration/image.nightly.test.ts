import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'

import { execa } from 'execa'
import { expect, test } from 'vitest'

import { busyboxImage } from '../support/docker-image.js'
import { ensureImageBases } from '../support/image-base.js'
import { onFinished, openForFile } from '../support/lifetime.js'
import { Api } from './support/api.js'
import { expectNoLeftovers } from './support/leftovers.js'
import { until } from './support/until.js'

const ADMIN_TOKEN = 'image-administrator-token'
const CI_FILE = `
build:
  script: [mkdir -p out, cat README > out/file]
  artifacts: {paths: [out]}
  cache: {paths: [out]}
test:
  stage: test
  needs: [build]
  script: [cat out/file]
`

const name = `switchyard-test-${randomUUID().slice(0, 8)}`
const coordinator = `${name}-coordinator`
const runner = `${name}-runner`
const volumes = { coordinator: `${name}-data`, runner: `${name}-runner-data` }
/** The address for runners and jobs: containers of one network find each other by their names. */
const url = `http://${coordinator}:8929`

const built = openForFile(async () => {
  const bases = readFileSync('Dockerfile', 'utf8').matchAll(/^FROM (\S+)/gm)
  await ensureImageBases([...new Set([...bases].map(([, base = '']) => base))])
  // Packages of Debian and npm come over the network of the machine, which the engine's own may not reach.
  const build = ['build', '--network', 'host']
  // A layer of an earlier build would not show what npm says.
  const stage = await docker(...build, '--no-cache', '--target', 'build', '--tag', `${name}:build`, '.')
  onFinished(() => docker('rmi', `${name}:build`))
  const last = await docker(...build, '--tag', name, '.')
  onFinished(() => docker('rmi', name))
  return { log: stage + last }
})

test('the image is built without a warning of npm', () => {
  expect(built().log).toContain('added ')
  expect(
    built()
      .log.split('\n')
      .filter((line) => line.includes('npm warn')),
  ).toEqual([])
})

test('a coordinator and a runner of the image run jobs, are healthy, and keep all data in their volumes', async () => {
  await docker('network', 'create', name)
  onFinished(() => docker('network', 'rm', name))
  onFinished(() => docker('volume', 'rm', '--force', ...Object.values(volumes)))
  onFinished(() => docker('rm', '--force', coordinator, runner))

  await startCoordinator()
  expect(await docker('exec', coordinator, 'id', '--user')).toBe('1000')
  expect(await docker('exec', coordinator, 'stat', '--format=%U %a', '/var/lib/switchyard')).toBe('node 700')
  const token = await docker('exec', coordinator, 'cat', '/var/lib/switchyard/runner-registration-token')
  await docker(
    ...['run', '--rm', '--user', 'root', '--network', name],
    ...['--volume', `${volumes.runner}:/var/lib/switchyard-runner`, name],
    ...['runner', 'register', '--non-interactive', '--url', url, '--registration-token', token],
    ...['--executor', 'docker', '--docker-image', await busyboxImage(), '--docker-network-mode', name],
    ...['--docker-pull-policy', 'if-not-present'],
  )
  await startRunner()
  const { id } = await (await api()).createProject('in-containers')
  await (
    await api()
  ).json('POST', `/projects/${id}/repository/files/README`, {
    branch: 'main',
    content: 'read me\n',
    commit_message: 'Add the README',
  })
  await passes(id, 'first')

  await Promise.all([docker('restart', coordinator), docker('restart', runner)])
  await Promise.all([coordinator, runner].map(healthy))
  await passes(id, 'restarted')

  await docker('stop', runner, coordinator)
  await docker('rm', runner, coordinator)
  await startCoordinator()
  await startRunner()
  await passes(id, 'recreated')
  expect(await (await api()).json('GET', '/runners/all')).toHaveLength(1)
  await docker('stop', runner)
  await expectNoLeftovers(url)
})

async function startCoordinator(): Promise<void> {
  await docker(
    ...['run', '--detach', '--name', coordinator, '--network', name, '--publish', '127.0.0.1::8929'],
    ...['--env', `SWITCHYARD_EXTERNAL_URL=${url}`, '--env', `SWITCHYARD_ADMIN_TOKEN=${ADMIN_TOKEN}`],
    ...['--health-interval', '1s', '--volume', `${volumes.coordinator}:/var/lib/switchyard`, name],
  )
  await healthy(coordinator)
}

async function startRunner(): Promise<void> {
  await docker(
    ...['run', '--detach', '--name', runner, '--network', name, '--user', 'root'],
    ...['--stop-signal', 'SIGQUIT', '--stop-timeout', '3600', '--health-interval', '1s'],
    ...['--volume', '/var/run/docker.sock:/var/run/docker.sock'],
    ...['--volume', `${volumes.runner}:/var/lib/switchyard-runner`, name, 'runner', 'run'],
  )
  await healthy(runner)
}

/** Of the coordinator's container, whose port changes when it starts. */
async function api(): Promise<Api> {
  return new Api(`http://${await docker('port', coordinator, '8929')}`, ADMIN_TOKEN)
}

/** Commits the CI file to a new branch, and waits until its pipeline has passed. */
async function passes(project: number, branch: string): Promise<void> {
  const calls = await api()
  const { id } = await calls.json<{ id: string }>('POST', `/projects/${project}/repository/commits`, {
    branch,
    start_branch: 'main',
    commit_message: 'Add jobs',
    actions: [{ action: 'create', file_path: '.gitlab-ci.yml', content: CI_FILE }],
  })
  const ended = await until('the pipeline to end', async () => {
    const pipeline = (await calls.pipelines(project)).find(({ sha }) => sha === id)
    return pipeline && ['success', 'failed'].includes(pipeline.status) ? pipeline : undefined
  })
  const jobs = await calls.jobs(project, ended.id)
  const logs = await Promise.all(jobs.map((job) => calls.trace(project, job.id)))
  expect(ended.status, logs.join('\n')).toBe('success')
  expect(logs.some((log) => log.includes('\nread me\n'))).toBe(true)
}

async function healthy(container: string): Promise<void> {
  await until(`${container} to be healthy`, async () => {
    const health = await docker('inspect', '--format', '{{.State.Health.Status}}', container)
    return health === 'healthy' ? true : undefined
  })
}

async function docker(...command: string[]): Promise<string> {
  const { stdout, stderr } = await execa('docker', command)
  return command[0] === 'build' ? `${stdout}\n${stderr}` : stdout
}
