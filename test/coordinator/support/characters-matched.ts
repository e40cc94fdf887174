import { vi } from 'vitest'

/**
 * How many characters regular expressions look at during `work`, at least: what they match, and what they pass over on the
 * way to it. Unlike time, it is the same on every machine.
 */
export function charactersMatched(work: () => unknown): number {
  let count = 0
  const original = Reflect.get(RegExp.prototype, 'exec')
  const spy = vi.spyOn(RegExp.prototype, 'exec').mockImplementation(function (this: RegExp, text: string) {
    const from = this.global || this.sticky ? this.lastIndex : 0
    const found = Reflect.apply(original, this, [text])
    const end = found ? found.index + found[0].length : this.sticky ? from : text.length
    count += 1 + end - from
    return found
  })
  try {
    work()
    return count
  } finally {
    spy.mockRestore()
  }
}
