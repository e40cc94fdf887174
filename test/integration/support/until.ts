import { setTimeout as sleep } from 'node:timers/promises'

import { IS_NIGHTLY } from '../../support/nightly.js'

/** In seconds. It only ends what hangs: on a busy machine, a coordinator may take minutes to create its tables. */
const LIMIT = IS_NIGHTLY ? 600 : 60
const SHORTEST_PAUSE = 50
const MAX_PAUSE = 500

/**
 * Polls `question` until it returns a value, less often the longer it takes. It observes other processes, which send no
 * events to the test. Throws with `what` and `explain()` after `seconds`.
 */
export async function until<T>(
  what: string,
  question: () => Promise<T | undefined>,
  explain: () => string = () => '',
  seconds = LIMIT,
): Promise<T> {
  const begin = Date.now()
  const deadline = begin + seconds * 1000
  for (;;) {
    const response = await question()
    if (response !== undefined) return response
    if (Date.now() > deadline) throw new Error(`Waited ${seconds} s in vain for ${what}\n${explain()}`)
    await sleep(Math.min(MAX_PAUSE, Math.max(SHORTEST_PAUSE, (Date.now() - begin) / 10)))
  }
}
