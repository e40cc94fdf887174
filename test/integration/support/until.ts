import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Polls `question` until it returns a value. It observes other processes, which send no events to the test. Throws with `what` and `explain()` after `seconds`.
 */
export async function until<T>(
  what: string,
  question: () => Promise<T | undefined>,
  explain: () => string = () => '',
  seconds = 60,
): Promise<T> {
  const deadline = Date.now() + seconds * 1000
  for (;;) {
    const answer = await question()
    if (answer !== undefined) return answer
    if (Date.now() > deadline) throw new Error(`Waited ${seconds} s in vain for ${what}\n${explain()}`)
    await sleep(50)
  }
}
