import { Writable } from 'node:stream'

import type { JobLog } from '../../../trace/job-log.js'

/** The log of a job for work that may be left behind: what that writes later is dropped. */
export class SeverableLog {
  readonly log: JobLog
  private isSevered = false
  private proceed: (() => void) | undefined
  private readonly output: Writable

  constructor(target: JobLog) {
    this.output = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        if (this.isSevered || target.output.write(chunk)) return done()
        this.proceed = once(done)
        target.output.once('drain', this.proceed)
      },
    })
    this.log = target.through(this.output)
  }

  /** Drops everything from now on. */
  sever(): void {
    this.isSevered = true
    this.proceed?.()
  }

  /** Resolves when all that was written is in the log of the job. */
  async flush(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.output.write(Buffer.alloc(0), () => resolve())
    })
  }
}

function once(action: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) action()
    isDone = true
  }
}
