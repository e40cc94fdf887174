import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'

import { expect, onTestFinished, test } from 'vitest'

import { openShell } from '../../src/cli/commands/shell/open-shell.js'
import { messageOf } from '../../src/lib/errors.js'
import { System } from './support/system.js'
import type { TestProject } from './support/test-project.js'
import { startTwoCoordinators } from './support/two-coordinators.js'
import { until } from './support/until.js'

const CI = `
held:
  variables: {SWITCHYARD_HOLD: failure}
  script: [echo made >made, exit 3]
`

/** Both are stopped after the test. */
async function startSystem(): Promise<System> {
  const system = await System.start()
  onTestFinished(() => system.stop())
  await startRunner(system)
  return system
}

/** Starts a runner that opens shells. */
async function startRunner(started: System, url?: string): Promise<void> {
  await started.startRunner(url === undefined ? {} : { url })
  // The file is read again by the next process.
  await started.stopRunner('SIGTERM')
  await appendFile(join(started.directory, 'runner-0.toml'), '\n[terminal]\nenabled = true\n')
  await started.restartRunner()
}

/** Runs a command in a job, without input. */
async function run(at: System, url: string, command: string[]) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  stdin.end()
  const printed = Promise.all([text(stdout), text(stderr)])
  try {
    const exitCode = await openShell(url, command, { token: at.api.token }, { stdin, stdout, stderr })
    stdout.end()
    stderr.end()
    const [out] = await printed
    return { exitCode, stdout: out }
  } finally {
    stdout.end()
    stderr.end()
  }
}

/** A shell in which a command waits. `lost`: how it ends. */
async function openWaiting(at: System, url: string, file: string) {
  // A job that has just been taken has no container yet.
  await until('the container to run', async () =>
    (await run(at, url, ['true']).catch(() => undefined))?.exitCode === 0 ? true : undefined,
  )
  const lost = run(at, url, ['sh', '-c', `echo begun >/tmp/${file}; sleep 1001`]).then(
    () => 'not lost',
    messageOf,
  )
  await until('the command to run', async () =>
    (await run(at, url, ['cat', `/tmp/${file}`]).catch(() => undefined))?.stdout === 'begun\n'
      ? true
      : undefined,
  )
  return { lost }
}

/** The command of `openWaiting` runs no longer in the job. */
async function expectNoWaiting(at: System, url: string): Promise<void> {
  await until('the command to have ended', async () => {
    // The expression does not match itself. The socket of a runner that has just been killed may still be known.
    const count = ['sh', '-c', 'grep -l "100[1]" /proc/[0-9]*/cmdline | wc -l']
    const found = await run(at, url, count).catch(() => undefined)
    return found?.stdout.trim() === '0' ? true : undefined
  })
}

async function openTerminals(at: System, project: TestProject, jobId: number): Promise<object> {
  return at.api.json<object>('GET', `/projects/${project.id}/jobs/${jobId}/terminal`)
}

async function failed(at: System, project: TestProject): Promise<{ id: number; url: string }> {
  const pipeline = await project.pushCi(CI)
  await project.finished(pipeline)
  const { id } = await project.job(pipeline, 'held')
  return { id, url: `${at.api.url}/${project.path}/-/jobs/${id}` }
}

test('a killed coordinator ends the shells in a held job with a reason, and the hold survives', async () => {
  const system = await startSystem()
  const project = await system.createProject()
  const { id, url } = await failed(system, project)
  const { lost } = await openWaiting(system, url, 'one')
  await system.killCoordinator()
  expect(await lost).toMatch(/^The connection/)
  await system.startCoordinator()
  expect(await openTerminals(system, project, id)).toMatchObject({ state: 'held', problem: null })
  // The runner requests changes again after a while.
  await until('the shell to open again', async () => {
    const again = await run(system, url, ['cat', 'made']).catch(() => undefined)
    return again?.stdout === 'made\n' ? true : undefined
  })
  await expectNoWaiting(system, url)
})

test('a killed runner ends the shells in its jobs, held and running, and nothing of them is left', async () => {
  const system = await startSystem()
  const project = await system.createProject()
  const { url } = await failed(system, project)
  const { lost } = await openWaiting(system, url, 'held')
  await system.stopRunner('SIGKILL')
  expect(await lost).toMatch(/^The connection/)
  await system.restartRunner()
  await expectNoWaiting(system, url)

  const pipeline = await project.pushCi(
    'running: {script: [touch /tmp/go, "while [ -e /tmp/go ]; do sleep 0.2; done"]}',
  )
  const running = await project.jobIn(pipeline, 'running', 'running')
  const at = `${system.api.url}/${project.path}/-/jobs/${running.id}`
  const { lost: cut } = await openWaiting(system, at, 'running')
  await system.stopRunner('SIGKILL')
  expect(await cut).toMatch(/^The connection/)
  await system.restartRunner()
  await expectNoWaiting(system, at)
  const last = run(system, at, ['sh', '-c', 'rm /tmp/go; sleep 1000']).catch(messageOf)
  expect(await project.finished(pipeline)).toMatchObject({ status: 'success' })
  expect(await last).toMatch(
    /^The (?:scripts of the job are over|job has ended|container of the job has stopped)/,
  )
})

test('a shell passes through two coordinators behind one proxy, and ends when one of them is killed', async () => {
  const { system: pair, urls } = await startTwoCoordinators()
  // The runner calls one coordinator, and the person the other one; others come through the proxy.
  await startRunner(pair, urls[1])
  const project = await pair.createProject()
  const { url: proxied } = await failed(pair, project)
  const url = urls[0] + new URL(proxied).pathname
  expect((await run(pair, proxied, ['cat', 'made'])).stdout).toBe('made\n')
  const long = 'for i in 1 2 3 4 5; do head -c 20000 /dev/zero | tr "\\\\0" x; done'
  expect((await run(pair, url, ['sh', '-c', long])).stdout).toHaveLength(100_000)
  const { lost } = await openWaiting(pair, url, 'two')
  await pair.restart(urls[1], 'SIGKILL')
  expect(await lost).toMatch(/^The connection/)
  await until('the shell to open again', async () => {
    const again = await run(pair, url, ['cat', 'made']).catch(() => undefined)
    return again?.stdout === 'made\n' ? true : undefined
  })
  await expectNoWaiting(pair, url)
})
