import { beforeAll, onTestFinished } from 'vitest'

type CleanUp = () => unknown

/** Set while `openForFile` opens something. */
let cleanUpsOfFile: CleanUp[] | undefined

/** Runs `cleanUp` when the running test has finished, or all tests of the suite for what `openForFile` opens. */
export function onFinished(cleanUp: CleanUp): void {
  if (cleanUpsOfFile) cleanUpsOfFile.push(cleanUp)
  else
    onTestFinished(async () => {
      await cleanUp()
    })
}

/**
 * Opens something once for all tests of a file or a suite, which then must not depend on what the others change. Returns
 * a function for tests that returns it. Helpers that `open` calls close what they opened with `onFinished`.
 */
export function openForFile<Value>(open: () => Promise<Value>): () => Value {
  let opened: { value: Value } | undefined
  beforeAll(async () => {
    const cleanUps: CleanUp[] = []
    cleanUpsOfFile = cleanUps
    const close = async () => {
      for (const cleanUp of cleanUps.toReversed()) await cleanUp()
    }
    try {
      opened = { value: await open() }
    } catch (error) {
      await close()
      throw error
    } finally {
      cleanUpsOfFile = undefined
    }
    return close
  })
  return () => {
    if (!opened) throw new Error('What is opened for the file is there in its tests alone')
    return opened.value
  }
}
