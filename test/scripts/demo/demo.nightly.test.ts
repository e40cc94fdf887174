import { setTimeout as pause } from 'node:timers/promises'

import { expect, test } from 'vitest'

import { startDemo } from '../../../scripts/demo/start-demo.mjs'
import { tempDir } from '../../support/temp-dir.js'

/** Three hours of the demo, at `SPEED`. */
const SPEED = 20
const MILLISECONDS = (3 * 3600 * 1000) / SPEED

test('the demo runs for hours, and none of its people and runners is refused anything', async () => {
  const stopping = new AbortController()
  const lines: string[] = []
  const demo = await startDemo({
    folder: await tempDir(),
    port: 0,
    size: 'small',
    speed: SPEED,
    report: (line) => lines.push(line),
    signal: stopping.signal,
  })
  const reported = lines.length
  const ended = await Promise.race([
    demo.ended.then(() => true),
    pause(MILLISECONDS, false, { signal: stopping.signal }),
  ])
  stopping.abort()
  await demo.ended
  expect(ended).toBe(false)
  expect(lines.slice(reported)).toEqual([])
})
