import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'

import { describe, expect, test } from 'vitest'

import { openShell } from '../../src/cli/commands/shell/open-shell.js'
import { onFinished } from '../support/lifetime.js'
import { openTestCluster, TEST_CLUSTER } from '../support/test-cluster.js'
import { startClusterRunner } from './support/cluster-runner.js'
import { System } from './support/system.js'

const { missing } = TEST_CLUSTER

interface RunnerKind {
  name: string
  isMissing: boolean
  /** Starts the runner. Resolves with whether the end of the input of a shell reaches its command. */
  start(system: System): Promise<boolean>
}

const RUNNERS: RunnerKind[] = [
  {
    name: 'Docker',
    isMissing: false,
    start: async (system) => {
      await system.startRunner()
      return true
    },
  },
  {
    name: `a cluster (${missing ?? 'set'})`,
    isMissing: missing !== undefined,
    start: async (system) => {
      const cluster = await openTestCluster()
      await startClusterRunner(system, cluster)
      return Number(/^v1\.(\d+)/.exec(cluster.version)?.[1]) >= 30
    },
  },
]

const CI = `
held:
  variables: {SWITCHYARD_HOLD: failure, WHO: world}
  script:
    - echo made >made
    - echo LATER=passed >>"$GITLAB_ENV"
    - exit 3
`

/** Runs a command in the held job. */
async function run({ api }: System, url: string, command: string[], input?: string) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  stdin.end(input ?? '')
  const options = { token: api.token, ...(input === undefined ? {} : { stdin: true }) }
  // Output that nobody reads would stop the command.
  const printed = Promise.all([text(stdout), text(stderr)])
  try {
    const exitCode = await openShell(url, command, options, { stdin, stdout, stderr })
    stdout.end()
    stderr.end()
    const [out, problems] = await printed
    return { exitCode, stdout: out, stderr: problems }
  } finally {
    stdout.end()
    stderr.end()
  }
}

describe.each(RUNNERS)('in $name', ({ isMissing, start }) => {
  test.skipIf(isMissing)(
    'a failed job is entered by a shell, also after its runner was killed, and leaves nothing',
    async () => {
      const system = await System.startInProcess()
      onFinished(() => system.stop())
      const project = await system.createProject()
      const passesEndOfInput = await start(system)
      // The file is read again by the next process.
      await system.stopRunner('SIGTERM')
      await appendFile(join(system.directory, 'runner-0.toml'), '\n[terminal]\nenabled = true\n')
      await system.restartRunner()
      const pipeline = await project.pushCi(CI)
      await project.finished(pipeline)
      const job = await project.job(pipeline, 'held')
      const path = `/projects/${project.id}/jobs/${job.id}/hold`
      const hold = async () => (await system.api.request('GET', path)).json()
      expect(await hold()).toMatchObject({ state: 'held', has_terminal: true })

      const url = `${system.url}/${project.path}/-/jobs/${job.id}`
      const script = 'cat made; echo "$WHO $LATER"; echo problem >&2; exit 5'
      expect(await run(system, url, ['sh', '-c', script])).toEqual({
        exitCode: 5,
        stdout: 'made\nworld passed\n',
        stderr: 'problem\n',
      })
      expect((await run(system, url, ['switchyard-step'])).stdout).toMatch(
        /^> {4}3 {2}exit 3 +\d+\.\d s {2}exit 3$/m,
      )
      const again = await run(system, url, ['switchyard-step', 'run', '2'])
      expect(again).toMatchObject({ exitCode: 3, stdout: expect.stringContaining('from line 2.') as string })
      const long = 'x'.repeat(300_000)
      if (passesEndOfInput) {
        expect(await run(system, url, ['cat'], long)).toMatchObject({ exitCode: 0, stdout: long })
      } else {
        await expect(run(system, url, ['cat'], long)).rejects.toThrow('waited for the end of its input')
        const ends = ['head', '-c', String(long.length)]
        expect(await run(system, url, ends, long)).toMatchObject({ exitCode: 0, stdout: long })
      }

      const lost = run(system, url, ['sh', '-c', 'echo begun >/begun; sleep 1000'])
      const problem = expect(lost).rejects.toThrow('The connection to the job has ended')
      await expect.poll(async () => (await run(system, url, ['cat', '/begun'])).stdout).toBe('begun\n')
      await system.stopRunner('SIGKILL')
      await problem
      await system.restartRunner()
      expect(await run(system, url, ['cat', 'made'])).toMatchObject({ exitCode: 0, stdout: 'made\n' })

      await system.api.request('DELETE', path)
      expect(await hold()).toMatchObject({ state: 'ended', end_reason: 'user' })
      await expect(run(system, url, ['true'])).rejects.toThrow('has ended and is not held')
    },
  )
})
