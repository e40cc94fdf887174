import { expect, test } from 'vitest'

import { TraceTail } from '../../../../src/coordinator/ci/storage/trace-tail.js'
import { randomFrom } from '../engine/support/random.js'

test('the end of a text is known after any writes at or over its end', () => {
  for (let seed = 0; seed < 300; seed++) {
    const random = randomFrom(seed)
    const longest = random(12)
    let whole = Buffer.from('0123456789'.slice(0, random(11)))
    const tail = new TraceTail(whole.subarray(Math.max(0, whole.length - longest)), whole.length, longest)
    for (let step = 0; step < 8; step++) {
      const position = Math.max(0, whole.length - random(6))
      const bytes = Buffer.alloc(random(9), 97 + step)
      whole = Buffer.concat([
        whole.subarray(0, position),
        bytes,
        whole.subarray(Math.min(whole.length, position + bytes.length)),
      ])
      tail.place({ position, bytes })
      const last = tail.last().toString()
      expect(whole.toString().endsWith(last)).toBe(true)
      expect(last.length).toBeLessThanOrEqual(longest)
      // What was written after the beginning of the tail is never lost.
      expect(last.length).toBeGreaterThanOrEqual(Math.min(longest, bytes.length))
    }
  }
})
