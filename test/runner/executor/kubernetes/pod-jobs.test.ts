import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import type { JobPayload } from '../../../../src/protocol/job-payload.js'
import { jobPayload } from '../../../support/job-payload.js'
import { podRunner, type PodRunner } from '../../../support/kubernetes/pod-runner.js'
import { sampled } from '../../../support/nightly.js'
import { tempDir } from '../../../support/temp-dir.js'
import { startGitServer } from '../../workspace/git-server.js'

const script = (...commands: string[]) => ({ name: 'script', script: commands })
const afterScript = (...commands: string[]) => ({ name: 'after_script', script: commands })

/** A job without sources. */
const plainJob = (changes: Partial<JobPayload>): JobPayload =>
  jobPayload({
    ...changes,
    variables: [{ key: 'GIT_STRATEGY', value: 'none' }, ...(changes.variables ?? [])],
  })

async function finish({ coordinator }: PodRunner): Promise<string> {
  await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
  return coordinator.trace(124)
}

const seen = async ({ coordinator }: PodRunner, text: string) =>
  await coordinator.until(() => coordinator.trace(124).includes(text))

/** What the script of `waitingScript` has printed, to the end of its section. */
function printed(trace: string): string {
  const [, section = ''] = /section_start:\d+:step_script([^]*?)section_end:/.exec(trace) ?? []
  return section.slice(section.indexOf('line 1\n'))
}

/** A script that prints 1 to 5, waits for the file, and prints 6 to 10. */
async function waitingScript(): Promise<{ command: string; release: () => Promise<void>; output: string }> {
  const file = join(await tempDir(), 'go')
  const numbers = (from: number, to: number) =>
    `i=${from}; while [ $i -le ${to} ]; do echo "line $i"; i=$((i + 1)); done`
  return {
    command: `${numbers(1, 5)}; until [ -e ${file} ]; do sleep 0.02; done; ${numbers(6, 10)}`,
    release: () => writeFile(file, ''),
    output: Array.from({ length: 10 }, (_, index) => `line ${index + 1}\n`).join(''),
  }
}

test('a job gets its sources, runs its scripts and stores its files', async () => {
  const git = await startGitServer()
  const sha = await git.commit('echo content >source')
  const it = await podRunner()
  it.coordinator.offer(
    jobPayload({
      git_info: { repo_url: git.repoUrl, ref: 'main', sha },
      services: [{ name: 'db:1', alias: 'db', entrypoint: ['sh', '-c', 'echo ready to serve; sleep 100'] }],
      variables: [{ key: 'CI_DEBUG_SERVICES', value: 'true' }],
      steps: [
        script('cat source', 'echo made >made', 'mkdir cached', 'echo kept >cached/file'),
        afterScript('echo after $CI_JOB_STATUS'),
      ],
      cache: [{ key: 'k', paths: ['cached/'], policy: 'pull-push', untracked: false, when: 'on_success' }],
      artifacts: [{ paths: ['made'], name: 'files', when: 'on_success' }],
    }),
  )
  const trace = await finish(it)
  expect(it.coordinator.finalUpdate(124)).toMatchObject({ state: 'success' })
  expect(trace).toContain('Preparing the "kubernetes" executor')
  expect(trace).toMatch(/Running on runner-\S+ via /)
  expect(trace).toContain('\x1b[32;1m$ cat source\x1b[0;m\ncontent\n')
  expect(trace).toContain('after success\n')
  expect(trace).toContain('[service:db-db] ready to serve')
  expect(trace).toContain('Created cache')
  expect(it.coordinator.callsOf('upload')).toHaveLength(1)
  await expect.poll(it.isClean).toBe(true)
})

test('the output of a script is written once and whole, though connections are cut and the API server is away', async () => {
  const it = await podRunner()
  const { command, release, output } = await waitingScript()
  it.coordinator.offer(plainJob({ steps: [script(command)] }))
  await seen(it, 'line 5')
  it.server.cutConnections()
  it.server.goAway('refuses')
  await release()
  await it.server.comeBack()
  const trace = await finish(it)
  expect(it.coordinator.finalUpdate(124)).toMatchObject({ state: 'success' })
  expect(printed(trace)).toBe(output)
})

describe('a job ends with the reason of the cluster', () => {
  const ENDS: [what: string, disturb: (it: PodRunner) => void, update: object, message: string][] = [
    [
      'when somebody deletes its pod',
      ({ server, pod }) => {
        const { namespace, name } = pod()
        server.pods.remove(server.pods.get(namespace, name))
      },
      { failure_reason: 'runner_system_failure' },
      'was deleted by another client of the cluster',
    ],
    [
      'when its pod is evicted',
      ({ server, pod }) =>
        server.node.evict(pod().namespace, pod().name, 'The node was low on resource: memory.'),
      { failure_reason: 'runner_system_failure' },
      'was evicted by its node: The node was low on resource: memory.',
    ],
    [
      'when its container ran out of memory',
      ({ server, pod }) => server.node.killForMemory(pod().namespace, pod().name, 'build'),
      { failure_reason: 'script_failure', exit_code: 137 },
      'WARNING: The container "build" ran out of memory and was killed. Raise the "memory_limit" setting',
    ],
  ]

  test.each(sampled(ENDS, 1))('%s', async (_name, disturb, update, message) => {
    const it = await podRunner()
    const { command } = await waitingScript()
    it.coordinator.offer(plainJob({ steps: [script(command)] }))
    await seen(it, 'line 5')
    disturb(it)
    const trace = await finish(it)
    expect(it.coordinator.finalUpdate(124)).toMatchObject({ state: 'failed', ...update })
    expect(trace).toContain(message)
    expect(trace).toContain('line 5\n')
    await expect.poll(it.isClean).toBe(true)
  })
})

test('a canceled job ends its processes and runs its after-script', async () => {
  const it = await podRunner()
  it.coordinator.offer(
    plainJob({
      steps: [
        script(`trap 'echo asked to stop; exit 1' TERM; echo begun; sleep 100 & wait`),
        afterScript('echo then'),
      ],
    }),
  )
  await seen(it, 'begun')
  it.coordinator.jobStatus.set(124, 'canceling')
  it.coordinator.signal(124, 'canceling')
  const trace = await finish(it)
  expect(trace).toContain('asked to stop')
  expect(trace).toContain('then\n')
  await expect.poll(it.isClean).toBe(true)
})
