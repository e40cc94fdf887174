import { beforeAll, onTestFinished } from 'vitest'

type CleanUp = () => unknown

/** Set while `openForFile` opens something. */
let cleanUpsOfFile: CleanUp[] | undefined

/** Runs `cleanUp` after the running test, or after all tests of the suite inside `openForFile`. */
export function onFinished(cleanUp: CleanUp): void {
  if (cleanUpsOfFile) cleanUpsOfFile.push(cleanUp)
  else
    onTestFinished(async () => {
      await cleanUp()
    })
}

/**
 * Opens a value once for all tests of a file or a suite. The tests must not depend on changes by other tests. Returns a
 * function that returns the value. Helpers that `open` calls register their cleanup with `onFinished`.
 */
export function openForFile<Value>(open: () => Promise<Value>): () => Value {
  let opened: { value: Value } | undefined
  beforeAll(async () => {
    const { value, close } = await openWithCleanUps(open)
    opened = { value }
    return close
  })
  return () => {
    if (!opened) throw new Error('What is opened for the file is there in its tests alone')
    return opened.value
  }
}

/**
 * Opens a value. What `open` registers with `onFinished` is run by `close`, in reverse order, and not at the end of the
 * running test.
 */
export async function openWithCleanUps<Value>(
  open: () => Promise<Value>,
): Promise<{ value: Value; close: () => Promise<void> }> {
  const cleanUps: CleanUp[] = []
  cleanUpsOfFile = cleanUps
  const close = async () => {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp()
  }
  try {
    return { value: await open(), close }
  } catch (error) {
    await close()
    throw error
  } finally {
    cleanUpsOfFile = undefined
  }
}
