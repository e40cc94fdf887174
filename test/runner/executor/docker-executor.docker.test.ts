import { createHash } from 'node:crypto'
import { Writable } from 'node:stream'

import { describe, expect, test } from 'vitest'

import { JobLog } from '../../../src/runner/trace/job-log.js'
import { busyboxImage, entrypointImage } from '../../support/docker-image.js'
import { testAtNight } from '../../support/nightly.js'
import { NEVER, openBench, openEnvironment, RecordedLog, runScripts } from './docker-jobs.js'

describe('job container', () => {
  test('runs the script with its environment, directory and exit code', async () => {
    const bench = await openBench({ image: await busyboxImage() })
    const { exitCodes, text } = await runScripts(bench, ['echo "$GREETING from $PWD"; exit 7'])
    expect(exitCodes).toEqual([7])
    expect(text).toContain('hello world from /builds/scripts\n')
    expect(text).toMatch(/Using docker image sha256:\w{64} for switchyard-test-busybox:latest/)
  })

  test('keeps files outside the workspace between stages, but no processes', async () => {
    const bench = await openBench({ image: await busyboxImage() })
    const stages = [
      'echo kept > /root/file; sleep 1000 &',
      'cat /root/file; ps | grep -c "sleep [1]000"; exit 3',
    ]
    const { exitCodes, text } = await runScripts(bench, stages)
    expect(exitCodes).toEqual([0, 3])
    expect(text).toMatch(/kept\n0\n$/)
  })

  testAtNight('gains no privileges and has an init process', async () => {
    const bench = await openBench({ image: await busyboxImage() })
    const { text } = await runScripts(bench, ['grep NoNewPrivs /proc/1/status; cat /proc/1/comm'])
    expect(text).toMatch(/NoNewPrivs:\s+1\n/)
    expect(text).toContain('docker-init')
  })

  test('reports that the script was killed for its memory', async () => {
    const bench = await openBench({ image: await busyboxImage(), memory: 16 * 1024 ** 2 })
    const { exitCodes, text } = await runScripts(bench, ['exec tail /dev/zero'])
    expect(exitCodes).toEqual([137])
    expect(text).toContain('ran out of memory')
  })

  testAtNight('loses no byte of 50 MB for a slow reader', async () => {
    const bench = await openBench({ image: await busyboxImage() })
    const hash = createHash('sha256')
    let bytes = 0
    const slow = new Writable({
      highWaterMark: 1024,
      write(chunk: Buffer, _encoding, done) {
        bytes += chunk.length
        hash.update(chunk)
        setImmediate(done)
      },
    })
    const environment = await openEnvironment(bench)
    const script = await bench.script('yes 0123456789abcde | head -c 50000000')
    await environment.run(script, new JobLog(slow), NEVER)
    await environment.cleanUp()
    expect(bytes).toBe(50_000_000)
    const expected = createHash('sha256').update('0123456789abcde\n'.repeat(3_125_000)).digest('hex')
    expect(hash.digest('hex')).toBe(expected)
  })
})

describe('image entrypoint', () => {
  testAtNight('is cleared by an empty entrypoint of the job', async () => {
    const bench = await openBench({ image: await entrypointImage() })
    const image = { name: await entrypointImage(), entrypoint: [''] }
    const { text } = await runScripts(bench, ['echo "value: $FROM_ENTRYPOINT"'], { image })
    expect(text).toMatch(/value: \n$/)
    expect(text).not.toContain('entrypoint ran')
  })
})

describe('stopping a job container', () => {
  test('terminates its processes and rejects run', async () => {
    const bench = await openBench({ image: await busyboxImage(), stopGraceSeconds: 30 })
    const log = new RecordedLog()
    const environment = await openEnvironment(bench, log)
    const script = await bench.script(
      'trap "echo told; exit 0" TERM; echo ready; sleep 1000 & wait; sleep 1000',
    )
    const abort = new AbortController()
    const running = environment.run(script, log, abort.signal)
    await log.seen('ready')
    abort.abort(new Error('canceled by a person'))
    await expect(running).rejects.toThrow('canceled by a person')
    expect(log.text).toContain('told')
    await environment.cleanUp()
  })

  test('before the start prevents the start', async () => {
    const bench = await openBench({ image: await busyboxImage() })
    const signal = AbortSignal.abort(new Error('too late'))
    await expect(bench.executor.prepare(bench.job(), new RecordedLog(), signal)).rejects.toThrow('too late')
    const environment = await openEnvironment(bench)
    const script = await bench.script('echo never')
    await expect(environment.run(script, new RecordedLog(), signal)).rejects.toThrow('too late')
    await environment.cleanUp()
  })
})

describe('invalid images', () => {
  test('a missing image under the policy never is reported', async () => {
    const bench = await openBench({ image: await busyboxImage(), pullPolicy: ['never'] })
    const running = runScripts(bench, [], { image: { name: 'switchyard-test-missing:1' } })
    await expect(running).rejects.toMatchObject({
      reason: 'runner_configuration_error',
      message:
        'The image "switchyard-test-missing:1" is not on this machine and the pull policy "never" forbids pulling it',
    })
  })

  testAtNight('a disallowed image is reported with the allowed ones', async () => {
    const bench = await openBench({ image: await busyboxImage(), allowedImages: ['alpine:*'] })
    const running = runScripts(bench, [], { image: { name: 'debian:12' } })
    await expect(running).rejects.toMatchObject({
      reason: 'runner_configuration_error',
      message: 'The runner does not allow the image "debian:12"; allowed: "alpine:*"',
    })
  })
})

test('cleanup is idempotent, also when the container was removed by others', async () => {
  const bench = await openBench({ image: await busyboxImage() })
  const environment = await openEnvironment(bench)
  await environment.run(await bench.script('true'), new RecordedLog(), NEVER)
  await bench.executor.removeLeftovers(new Set())
  const running = environment.run(await bench.script('echo'), new RecordedLog(), NEVER)
  await expect(running).rejects.toMatchObject({
    reason: 'runner_system_failure',
    message: 'The container of the job was removed by another process',
  })
  await environment.cleanUp()
  await environment.cleanUp()
})

test('containers of a killed runner are removed, except those of other runners and of continuing jobs', async () => {
  const killed = await openBench({ image: await busyboxImage() })
  const other = await openBench({ image: await busyboxImage() })
  const environments = [await openEnvironment(killed), await openEnvironment(other)]
  const kept = await openEnvironment(other, new RecordedLog(), { jobId: 8 })
  for (const environment of [...environments, kept]) {
    await environment.run(await killed.script('true'), new RecordedLog(), NEVER)
    await other.script('true')
  }
  await killed.executor.removeLeftovers(new Set())
  expect(await killed.containers()).toEqual([])
  expect(await other.containers()).toHaveLength(2)
  await other.executor.removeLeftovers(new Set([8]))
  expect(await other.containers()).toHaveLength(1)
  await kept.cleanUp()
})
