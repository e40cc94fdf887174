import { describe, expect, test } from 'vitest'

import { busyboxImage } from '../../support/docker-image.js'
import { canStartEngine, PrivateEngine } from '../../support/private-engine.js'
import { NEVER, openBench, openEnvironment, RecordedLog } from './docker-jobs.js'

/** A second engine needs root and `dockerd`. */
describe.skipIf(!canStartEngine)('restart of a killed engine', () => {
  test('fails the running job as a system failure and runs the next one', async () => {
    const { bench, engine } = await benchOfOwnEngine()
    const log = new RecordedLog()
    const environment = await openEnvironment(bench, log)
    const running = environment.run(await bench.script('echo ready; sleep 1000'), log, NEVER)
    const failure = running.catch((error: unknown) => error)
    await log.seen('ready')
    await engine.kill()
    await engine.start()
    expect(await failure).toMatchObject({
      reason: 'runner_system_failure',
      message: 'The Docker engine was restarted and ended the container of the job',
    })
    await environment.cleanUp()

    const next = await openEnvironment(bench, log)
    expect(await next.run(await bench.script('echo next'), log, NEVER)).toEqual({ exitCode: 0 })
    expect(log.text).toContain('next')
    await next.cleanUp()
  })

  test('keeps the exit code and all output of a script that ended without the engine', async () => {
    const { bench, engine } = await benchOfOwnEngine()
    const log = new RecordedLog()
    const environment = await openEnvironment(bench, log)
    const script = await bench.script('echo ready; until [ -e away ]; do sleep 0.1; done; exit 5')
    const running = environment.run(script, log, NEVER)
    await log.seen('ready')
    await engine.kill()
    await bench.touch('away')
    await new Promise((resolve) => setTimeout(resolve, 1000)) // nobody tells when a script ends without its engine
    await engine.start()
    expect(await running).toEqual({ exitCode: 5 })
    expect(log.text.endsWith('ready\n')).toBe(true)
    await environment.cleanUp()
  })
})

async function benchOfOwnEngine() {
  const engine = await PrivateEngine.start()
  const image = await busyboxImage()
  await engine.take(image)
  return { engine, bench: await openBench({ image, host: engine.host, networkMode: 'none' }) }
}
