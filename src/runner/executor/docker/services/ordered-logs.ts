import { Writable } from 'node:stream'

import { JobLog } from '../../../trace/job-log.js'

/**
 * Runs all tasks concurrently and writes their output task by task. The output of the first is written immediately.
 * When one fails, `onFailure` must make the others end. The first failure is thrown after all have ended.
 */
export async function withOrderedLogs<T>(
  log: JobLog,
  tasks: ((log: JobLog) => Promise<T>)[],
  onFailure: () => void,
): Promise<T[]> {
  const failures: unknown[] = []
  let previous: Promise<unknown> = Promise.resolve()
  const results = tasks.map(async (task) => {
    const output = new HeldOutput(log.output)
    const hasTurn = previous
    const work = task(new JobLog(output))
    previous = Promise.allSettled([hasTurn, work])
    void hasTurn.then(() => output.release())
    try {
      return await work
    } catch (error) {
      failures.push(error)
      onFailure()
      throw error
    }
  })
  const settled = await Promise.allSettled(results)
  await previous
  if (failures.length > 0) throw failures[0]
  return settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
}

/** Holds the few, short lines of a task until it is its turn. */
class HeldOutput extends Writable {
  private held: Buffer[] | undefined = []

  constructor(private readonly target: Writable) {
    super()
  }

  release(): void {
    for (const chunk of this.held ?? []) this.target.write(chunk)
    this.held = undefined
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (this.held) this.held.push(chunk)
    else this.target.write(chunk)
    done()
  }
}
