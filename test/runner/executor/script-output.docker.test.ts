import { chown, readdir } from 'node:fs/promises'

import Docker from 'dockerode'
import { describe, expect, test } from 'vitest'

import { busyboxImage } from '../../support/docker-image.js'
import { testAtNight } from '../../support/nightly.js'
import { type Bench, NEVER, openBench, openEnvironment, RecordedLog, runScripts } from './docker-jobs.js'

const isRoot = process.getuid?.() === 0

/** The user `builder` of the test image. */
const BUILDER = 1000

/** Bytes that the engine keeps of the output of the only container of the bench. */
async function keptByEngine(bench: Bench): Promise<string> {
  const [name = ''] = await bench.containers()
  const container = new Docker().getContainer(name.replace('container /', ''))
  const frames = await container.logs({ stdout: true, stderr: true, follow: false })
  return frames.toString('latin1')
}

/** The last line that a job printed. */
function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? ''
}

describe('the output of a script', () => {
  test('does not pass through the engine', async () => {
    const bench = await openBench({ image: await busyboxImage() })
    const log = new RecordedLog()
    const environment = await openEnvironment(bench, log)
    await environment.run(await bench.script('echo in a file'), log, NEVER)
    expect(lastLine(log.text)).toBe('in a file')
    expect(await keptByEngine(bench)).not.toContain('in a file')
    await environment.cleanUp()
  })

  test.each([
    ['the settings say so', { scriptOutput: 'engine' as const }, {}],
    ['the container mounts no folder for it', {}, { output: undefined }],
  ])('passes through the engine if %s', async (_, settings, place) => {
    const bench = await openBench({ image: await busyboxImage(), ...settings })
    const log = new RecordedLog()
    const environment = await openEnvironment(bench, log, place)
    await environment.run(await bench.script('echo at the engine'), log, NEVER)
    expect(lastLine(log.text)).toBe('at the engine')
    expect(await keptByEngine(bench)).toContain('at the engine')
    await environment.cleanUp()
  })

  testAtNight('passes through the engine if there can be no pipe', async () => {
    const bench = await openBench({ image: await busyboxImage() })
    const entrypoint = ['/bin/sh', '-c', 'mkdir /builds/output/pipe; exec "$@"', 'sh']
    const { exitCodes, text } = await runScripts(bench, ['echo plain; echo error >/dev/stderr; exit 3'], {
      image: { name: bench.settings.image, entrypoint },
    })
    expect(exitCodes).toEqual([3])
    expect(text.endsWith('plain\nerror\n')).toBe(true)
    const { hostPath = '' } = bench.place.output ?? {}
    expect(await readdir(hostPath)).toEqual(['pipe', 'run'])
  })

  test.skipIf(!isRoot)('of a user that is not root is stored if the user owns the folder', async () => {
    const bench = await openBench({ image: await busyboxImage(), user: 'builder' })
    const script = 'id -u; echo error >/dev/stderr; exit 2'
    const refused = await runScripts(bench, [script])
    expect(refused.exitCodes).toEqual([2])
    expect(refused.text.endsWith('1000\nerror\n')).toBe(true)
    const { hostPath = '' } = bench.place.output ?? {}
    await chown(hostPath, BUILDER, BUILDER)
    const stored = await runScripts(bench, [script])
    expect(stored.exitCodes).toEqual([2])
    expect(stored.text.endsWith('1000\nerror\n')).toBe(true)
    expect(await readdir(hostPath)).toContain('0')
  })

  testAtNight('ends the job when the job makes its file larger than any output', async () => {
    const bench = await openBench({ image: await busyboxImage() })
    const environment = await openEnvironment(bench, new RecordedLog())
    const script = await bench.script('dd of=/builds/output/0 bs=1048576 seek=15000000 count=0; sleep 600')
    await expect(environment.run(script, new RecordedLog(), NEVER)).rejects.toThrow(
      'The job replaced the file of its own output',
    )
    await environment.cleanUp()
  })

  test('ends with the script, although its processes in the background print on', async () => {
    const bench = await openBench({ image: await busyboxImage() })
    const { exitCodes, text } = await runScripts(bench, ['yes & echo end >&2; exit 6', 'echo next'])
    expect(exitCodes).toEqual([6, 0])
    expect(text).toContain('end\n')
    expect(text.endsWith('\nnext\n')).toBe(true)
  })

  testAtNight(
    'is preceded by that of the entrypoint, and followed by that of its processes in the background',
    async () => {
      const bench = await openBench({ image: await busyboxImage() })
      const entrypoint =
        'echo before; (while [ ! -e /go ]; do sleep 0.01; done; echo behind; : >/done) & exec "$@"'
      const script = 'echo script; : >/go; while [ ! -e /done ]; do sleep 0.01; done; echo more'
      const { text } = await runScripts(bench, [script], {
        image: { name: bench.settings.image, entrypoint: ['/bin/sh', '-c', entrypoint, 'sh'] },
      })
      expect(text.endsWith('before\nscript\nmore\nbehind\n')).toBe(true)
    },
  )

  testAtNight(
    'keeps the exit code of a script that is canceled with processes in the background',
    async () => {
      const bench = await openBench({ image: await busyboxImage(), stopGraceSeconds: 60 })
      const log = new RecordedLog()
      const environment = await openEnvironment(bench, log)
      const control = new AbortController()
      const script =
        'trap "echo stopping; exit 1" TERM; (trap "" TERM; while :; do sleep 1; done) & echo ready; wait'
      const running = environment.run(await bench.script(script), log, control.signal)
      await log.seen('ready\n')
      control.abort(new Error('canceled'))
      await expect(running).rejects.toThrow('canceled')
      expect(lastLine(log.text)).toBe('stopping')
      await environment.cleanUp()
    },
  )

  testAtNight('lacks its end, with a warning, if the job kills the process that stores it', async () => {
    const bench = await openBench({ image: await busyboxImage() })
    const { exitCodes, text } = await runScripts(bench, [
      'echo stored; until killall -9 dd; do :; done; echo lost; exit 3',
    ])
    expect(exitCodes).toEqual([3])
    expect(text).toContain('WARNING: The end of the output is missing')
  })
})

describe.each([['file' as const], ['engine' as const]])(
  'a script whose output goes to the %s',
  (scriptOutput) => {
    const settings = scriptOutput === 'engine' ? { scriptOutput } : {}
    const run = async (script: string, ...entrypoint: string[]) => {
      const bench = await openBench({ image: await busyboxImage(), ...settings })
      return await runScripts(bench, [script], { image: { name: bench.settings.image, entrypoint } })
    }

    testAtNight.each([
      ['ends', ['/bin/true']],
      ['does something else', ['/bin/sh', '-c', 'echo nothing to do']],
      ['does not wait for it', ['/bin/sh', '-c', '"$@" & while [ ! -e /begun ]; do :; done', 'sh']],
    ])('does not count as run when the entrypoint of the image %s', async (_what, entrypoint) => {
      await expect(run(': >/begun; sleep 600', ...entrypoint)).rejects.toThrow(
        /The container of the image ".*" ended before the script of the job did\. .*"entrypoint"/,
      )
    })

    test('ends with its own exit code, whatever the entrypoint makes of it', async () => {
      const failed = await run('echo printed; exit 3', '/bin/sh', '-c', '"$@"; exit 0', 'sh')
      expect(failed).toMatchObject({ exitCodes: [3] })
      expect(lastLine(failed.text)).toBe('printed')
      expect((await run('echo fine', '/bin/sh', '-c', '"$@"; exit 9', 'sh')).exitCodes).toEqual([0])
      expect((await run('kill -9 $$', '/bin/sh', '-c', 'exec "$@"', 'sh')).exitCodes).toEqual([137])
      expect((await run('printf "a\\0b\\n"; echo end', '/bin/sh', '-c', 'exec "$@"', 'sh')).text).toMatch(
        /a\0b\nend\n$/,
      )
    })

    testAtNight('is successful although it removes the files of its output', async () => {
      const { exitCodes } = await run(
        'rm -rf /builds/output/* 2>/dev/null; echo end',
        '/bin/sh',
        '-c',
        'exec "$@"',
        'sh',
      )
      expect(exitCodes).toEqual([0])
    })
  },
)
