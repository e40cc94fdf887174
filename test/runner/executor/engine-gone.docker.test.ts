import { expect, test } from 'vitest'

import { busyboxImage } from '../../support/docker-image.js'
import { NEVER, openBench, runScripts } from './docker-jobs.js'
import { openEngineDoor } from './engine-door.js'

test('an executor notices at once that its engine has gone', async () => {
  const door = await openEngineDoor()
  const { executor } = await openBench({ image: await busyboxImage(), host: door.host })
  const gone = executor.disconnected(NEVER)
  await executor.ping()
  door.shut()
  await gone
  await expect(executor.ping()).rejects.toThrow('The Docker engine does not respond while being pinged')
  await executor.disconnected(NEVER)
})

test('an executor that watches its engine ends the connection when its signal aborts', async () => {
  const { executor } = await openBench({ image: await busyboxImage() })
  const end = new AbortController()
  const gone = executor.disconnected(end.signal)
  await executor.ping()
  end.abort()
  await gone
})

test.each(['auto', 'engine'] as const)(
  'the output of a container whose connection ends early is read from the engine (%s)',
  async (scriptOutput) => {
    const { host } = await openEngineDoor({ endsAttached: true })
    const bench = await openBench({ image: await busyboxImage(), host, scriptOutput })
    const { exitCodes, text } = await runScripts(bench, ['echo one; exit 3', 'echo two'])
    expect(exitCodes).toEqual([3, 0])
    expect(text).toContain('one\ntwo\n')
  },
)
