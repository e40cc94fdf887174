import { expect, test } from 'vitest'

import { busyboxImage } from '../../support/docker-image.js'
import { NEVER, openBench } from './docker-jobs.js'
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
