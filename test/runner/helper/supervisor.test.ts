import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { describe, expect, test } from 'vitest'

import {
  stopCommand,
  supervisorCommand,
  withJobEnvironment,
} from '../../../src/runner/executor/supervisor/supervisor.js'
import { sampled } from '../../support/nightly.js'
import { NEVER, RecordedLog } from '../executor/docker-jobs.js'
import {
  createPlaces,
  followToEnd,
  openHelper,
  openRemoteWorkspace,
  startScript,
  startSupervisor,
} from './helped-job.js'

const run = promisify(execFile)

const SHELLS = [['bash'], ['dash'], ['busybox', 'sh']].filter(([program]) =>
  ['/bin', '/usr/bin'].some((folder) => existsSync(`${folder}/${program}`)),
)

async function openJob(shell: readonly string[] = ['sh'], isProcess1 = true) {
  const places = await createPlaces()
  const supervisor = startSupervisor(places, { shell, isProcess1 })
  const helped = openHelper(places)
  await helped.client.ready(NEVER)
  const workspace = await openRemoteWorkspace(helped.client, places)
  const start = (number: number, text: string, variables: Record<string, string> = {}) =>
    startScript(helped, places, workspace, number, text, { variables })
  const runToEnd = async (number: number, text: string, variables?: Record<string, string>) =>
    await followToEnd(helped, await start(number, text, variables))
  return { places, supervisor, helped, workspace, start, runToEnd }
}

describe.each(sampled(SHELLS, 1))('below %s %s', (...shell) => {
  test('scripts run one after the other, with the variables of the job, and every byte of their output is kept', async () => {
    const { helped, runToEnd, start } = await openJob(shell)
    const variables = { TEXT: "it's\n$HOME \\", 'not a name': 'x', PPID: '7' }
    const first = await runToEnd(1, 'printf "%s\\0" "$TEXT"; echo error >&2; exit 5', variables)
    expect(first.output.toString()).toBe("it's\n$HOME \\\0error\n")
    expect(first.end).toEqual({ exitCode: 5, hasLeftProcesses: false })
    // SIGINT ends it, and what it sends to its process group does not end the supervisor.
    const second = await runToEnd(2, 'trap : TERM; kill -TERM 0; echo alive; kill -INT $$; echo still alive')
    expect(second.output.toString()).toBe('alive\n')
    expect(second.end?.exitCode).toBe(130)
    const script = await start(3, 'trap "" TERM; echo begun; while :; do sleep 1; done')
    const log = new RecordedLog()
    const followed = helped.client.followScript(script, log.output, NEVER)
    await log.seen('begun')
    await helped.client.signalScript(script, 'TERM')
    await helped.client.signalScript(script, 'KILL')
    expect(await followed).toBeUndefined() // nothing is left that could say how it ended
    expect((await runToEnd(4, 'echo four')).output.toString()).toBe('four\n')
  })

  test('no process of a script outlives it, and the next one does not see it', async () => {
    const { runToEnd } = await openJob(shell)
    const leaving = 'sleep 1000 & (trap "" TERM HUP; sleep 1000 & exec sleep 1000) & exit 0'
    expect((await runToEnd(1, leaving)).end).toEqual({ exitCode: 0, hasLeftProcesses: true })
    const next = await runToEnd(2, 'cat /proc/[0-9]*/cmdline | tr "\\0" "\\n" | grep -c "^1000$"')
    expect(next.output.toString()).toBe('0\n')
    // The script ends all processes that it sees, also the reader of its output.
    expect((await runToEnd(3, 'kill -KILL -1; echo late')).end).toBeUndefined()
    expect((await runToEnd(4, 'echo four')).output.toString()).toBe('four\n')
  })
})

test('a script that has begun does not begin again', async () => {
  const { helped, workspace, runToEnd, places } = await openJob()
  const count = join(places.own, 'count')
  const text = `echo again >>${count}`
  await runToEnd(1, text)
  const script = await startScript(helped, places, workspace, 1, text)
  expect((await followToEnd(helped, script)).end?.exitCode).toBe(0)
  await runToEnd(2, text)
  expect(await readFile(count, 'utf8')).toBe('again\nagain\n')
})

test('below another process 1, the processes of a script end with it', async () => {
  const { runToEnd, helped, start } = await openJob(['sh'], false)
  const left = await runToEnd(1, 'sleep 1000 & echo $!')
  expect(left.end?.exitCode).toBe(0)
  const pid = left.output.toString().trim()
  expect((await runToEnd(2, `kill -0 ${pid} || echo gone`)).output.toString()).toContain('gone')
  const script = await start(3, 'sleep 1000')
  await helped.client.signalScript(script, 'TERM')
  expect((await followToEnd(helped, script)).end?.exitCode).toBe(143)
})

test('a pod that is deleted ends the script that runs, and then the supervisor', async () => {
  const { supervisor, places, start, helped } = await openJob()
  const script = await start(1, 'trap "echo ended; exit 3" TERM; echo begun; while :; do sleep 0.01; done')
  const log = new RecordedLog()
  const followed = helped.client.followScript(script, log.output, NEVER)
  await log.seen('begun')
  const exited = once(supervisor, 'exit')
  const [program = '', ...args] = stopCommand(places.control)
  await run(program, args)
  expect((await followed)?.exitCode).toBe(3)
  expect(log.text).toContain('ended\n')
  expect(await exited).toEqual([143, null])
})

test('people in the container have the variables of the job once a script has run', async () => {
  const { places, runToEnd } = await openJob()
  const [program = '', ...args] = withJobEnvironment(places.control, ['sh', '-c', 'echo "[$NAME]"'])
  expect((await run(program, args)).stdout).toBe('[]\n')
  await runToEnd(1, 'true', { NAME: 'a b' })
  expect((await run(program, args)).stdout).toBe('[a b]\n')
})

test('an image without the necessary programs is reported by their names', async () => {
  const places = await createPlaces()
  startSupervisor(places, { shell: ['env', 'PATH=/nothing', '/bin/sh'] })
  const { client } = openHelper(places)
  await expect(client.ready(NEVER)).rejects.toThrow(
    'lacks programs that running scripts in a pod needs: dd, ls, mkfifo',
  )
})

test('Kubernetes finds nothing to replace in the command', () => {
  expect(supervisorCommand('/control').join('')).not.toMatch(/\$\$|\$\([A-Za-z_][\w.-]*\)/)
})
