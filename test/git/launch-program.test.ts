import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'

import { describe, expect, onTestFinished, test, vi } from 'vitest'

import { launchProgram, streamProgram, useProgramLauncher } from '../../src/git/launch-program.js'
import { LAUNCHER_FILE, type Program, startProgram } from '../../src/git/launcher-process.js'
import { tempDir } from '../support/temp-dir.js'

const shell = (script: string, more: Partial<Program> = {}): Program => ({
  file: '/bin/sh',
  args: ['-c', script],
  env: { PATH: process.env['PATH'] ?? '' },
  isGroup: false,
  maxOutputBytes: 1024 * 1024,
  ...more,
})

useProgramLauncher()

describe.each([
  ['a program started by this process', startProgram],
  ['a program started by the launcher', launchProgram],
])('%s', (_name, start) => {
  const run = async (program: Program) => {
    const { stdout, stderr, ...end } = await start(program).ended
    return { ...end, stdout: Buffer.from(stdout).toString(), stderr: Buffer.from(stderr).toString() }
  }

  test('gets its input, folder and environment; its output and exit code are returned', async () => {
    const cwd = await tempDir()
    const program = shell('cat; pwd; echo "$X" >&2; exit 3', { cwd, input: 'bytes\n', env: { X: 'x' } })
    expect(await run(program)).toEqual({ exitCode: 3, stdout: `bytes\n${cwd}\n`, stderr: 'x\n' })
  })

  test('that does not read its input is not disturbed by it', async () => {
    const input = Buffer.alloc(4 * 1024 * 1024)
    expect(await run(shell('exec <&-; echo ready', { input }))).toMatchObject({
      exitCode: 0,
      stdout: 'ready\n',
    })
  })

  test('that does not exist, or cannot have its arguments, is reported with the reason', async () => {
    expect(await run({ ...shell(''), file: '/nowhere/git' })).toMatchObject({
      failure: expect.stringContaining('ENOENT') as string,
    })
    expect(await run(shell('a\0b'))).toMatchObject({
      failure: expect.stringContaining('null bytes') as string,
    })
  })

  test('that prints more than its maximum is stopped', async () => {
    const { exitCode, failure } = await run(shell('yes', { maxOutputBytes: 100_000 }))
    expect({ exitCode, failure }).toEqual({ exitCode: undefined, failure: 'its output exceeds 100000 bytes' })
  })

  test('is stopped with the processes of its group', async () => {
    const started = start(shell('sleep 1000 & sleep 1000', { isGroup: true }))
    started.stop()
    expect(await started.ended).toMatchObject({ failure: 'it was ended by SIGTERM' })
  })
})

describe('a program whose streams are open', () => {
  test('reads and writes them, and its exit code follows', async () => {
    const cwd = await tempDir()
    const program = await streamProgram(shell('cat; pwd; echo "$X" >&2; exit 3', { cwd, env: { X: 'x' } }))
    program.stdin.end('bytes\n')
    expect(await Promise.all([text(program.stdout), text(program.stderr)])).toEqual([
      `bytes\n${cwd}\n`,
      'x\n',
    ])
    expect(await program.ended).toEqual({ exitCode: 3 })
  })

  test('talks to its starter on a channel, which ends with either of them', async () => {
    const script = 'echo question >&3; while read -r line <&3; do echo "got $line"; done'
    const program = await streamProgram({ ...shell(script), hasChannel: true })
    const lines: string[] = []
    program.channel?.on('data', (chunk: Buffer) => {
      lines.push(chunk.toString())
      program.channel?.end('one\ntwo\n')
    })
    expect(await text(program.stdout)).toBe('got one\ngot two\n')
    expect(await program.ended).toEqual({ exitCode: 0 })
    expect(lines.join('')).toBe('question\n')
    expect((await streamProgram(shell('true'))).channel).toBeUndefined()
  })

  test('has its own, however many start at once', async () => {
    const names = Array.from({ length: 60 }, (_name, index) => `program ${index}`)
    const outputs = names.map(async (name) => {
      const program = await streamProgram(shell('cat'))
      program.stdin.end(name)
      return text(program.stdout)
    })
    expect(await Promise.all(outputs)).toEqual(names)
  })

  test('is passed more than its streams hold', async () => {
    const sent = Buffer.alloc(8 * 1024 * 1024, 'pattern')
    const program = await streamProgram(shell('cat'))
    program.stdin.end(sent)
    expect((await buffer(program.stdout)).equals(sent)).toBe(true)
  })

  test('is stopped, and its output ends', async () => {
    const program = await streamProgram(shell('echo started; exec sleep 1000'))
    program.stdout.once('data', program.stop)
    expect(await program.ended).toEqual({ exitCode: undefined, failure: 'it was ended by SIGTERM' })
  })

  test('that does not exist is reported with the reason, and has no output', async () => {
    const program = await streamProgram({ ...shell(''), file: '/nowhere/git' })
    expect(await text(program.stdout)).toBe('')
    expect((await program.ended).failure).toContain('ENOENT')
  })

  test('fails when the launcher is killed', async () => {
    const program = await streamProgram(shell('echo started; read line'))
    program.stdout.once('data', () => void killLauncher())
    expect(await program.ended).toMatchObject({ failure: 'the process that starts programs has ended' })
  })

  test('is started without the launcher if that cannot make a socket', async () => {
    onTestFinished(killLauncher)
    await killLauncher()
    vi.stubEnv('TMPDIR', '/nowhere')
    onTestFinished(() => void vi.unstubAllEnvs())
    const program = await streamProgram(shell('echo $PPID'))
    expect(Number(await text(program.stdout))).toBe(process.pid)
    expect(await program.ended).toEqual({ exitCode: 0 })
  })
})

describe('the launcher', () => {
  test('that is killed fails its programs, and the next program starts another', async () => {
    const pid = Number(await printedBy('echo $PPID'))
    const interrupted = launchProgram(shell('while echo; do sleep 0.01; done'))
    process.kill(pid, 'SIGKILL')
    expect(await interrupted.ended).toMatchObject({ failure: 'the process that starts programs has ended' })
    expect(Number(await printedBy('echo $PPID'))).not.toBe(pid)
  })

  test('starts programs in the working directory of its parent, whatever that was before', async () => {
    const before = process.cwd()
    onTestFinished(() => process.chdir(before))
    await killLauncher()
    process.chdir(await tempDir())
    await printedBy('echo') // starts a launcher here
    await rm(process.cwd(), { recursive: true })
    const folder = await tempDir()
    process.chdir(folder)
    expect(await printedBy('pwd')).toBe(`${folder}\n`)
    expect(await text((await streamProgram(shell('pwd'))).stdout)).toBe(`${folder}\n`)
  })

  test('ignores the signals that end a service, and ends when its parent does and its programs have ended', async () => {
    const cwd = await tempDir()
    const launcher = fork(LAUNCHER_FILE, { serialization: 'advanced', execArgv: [] })
    const exited = once(launcher, 'exit')
    const script = 'echo > started; while [ ! -e end ]; do sleep 0.01; done; echo yes > has-ended'
    launcher.send({ id: 1, program: shell(script, { cwd }) })
    await expect.poll(() => existsSync(join(cwd, 'started'))).toBe(true)
    launcher.kill('SIGTERM')
    launcher.kill('SIGINT')
    launcher.disconnect()
    await writeFile(join(cwd, 'end'), '')
    expect(await exited).toEqual([0, null])
    expect(await readFile(join(cwd, 'has-ended'), 'utf8')).toBe('yes\n')
  })
})

/** Returns when this process has noticed it. */
async function killLauncher(): Promise<void> {
  const interrupted = launchProgram(shell('while echo; do sleep 0.01; done'))
  process.kill(Number(await printedBy('echo $PPID')), 'SIGKILL')
  await interrupted.ended
}

async function printedBy(script: string): Promise<string> {
  return Buffer.from((await launchProgram(shell(script)).ended).stdout).toString()
}

test('a launcher whose parent is gone before it is ready ends', async () => {
  const launcher = fork(LAUNCHER_FILE, { serialization: 'advanced', execArgv: [] })
  onTestFinished(() => void launcher.kill('SIGKILL'))
  launcher.disconnect()
  const [code] = (await once(launcher, 'exit')) as [number | null]
  expect(code).toBe(0)
})
