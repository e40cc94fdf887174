import type { Worker } from 'node:worker_threads'

import PQueue from 'p-queue'

import { ThreadPool } from '../../../../lib/thread-pool.js'
import { TRACE_WORKER, TRACE_WORKER_FILE, type TraceMessage, type TraceTask } from './trace-worker.js'

/** Tasks of a kind that run at a time. */
const AT_ONCE = { scan: 1, search: 2 }
const MEMORY_MEGABYTES = 256
/** A canceled task ends at its next match or chunk. One that takes longer, such as by its expression, ends with its thread. */
const CANCEL_MILLISECONDS = 1000

export interface TaskOptions {
  /** Aborting it ends the task. */
  signal?: AbortSignal
  onItem?: (item: unknown) => void
}

/** Runs tasks about logs in worker threads. */
export class TraceWorkers {
  private readonly queues = {
    scan: new PQueue({ concurrency: AT_ONCE.scan }),
    search: new PQueue({ concurrency: AT_ONCE.search }),
  }
  private readonly threads = new ThreadPool(TRACE_WORKER_FILE, {
    workerData: TRACE_WORKER,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MEGABYTES },
  })

  /** The result of the task. Throws its error, and the reason of the signal. */
  async run(task: TraceTask, options: TaskOptions = {}): Promise<unknown> {
    const { signal } = options
    signal?.throwIfAborted()
    // The signal takes a task out of the queue. One that runs keeps its place until its thread is free.
    const leaving = new AbortController()
    const leave = () => leaving.abort(signal?.reason)
    signal?.addEventListener('abort', leave, { once: true })
    const begin = () => {
      signal?.removeEventListener('abort', leave)
      return this.runNow(task, options)
    }
    return this.queues[task.kind].add(begin, { signal: leaving.signal })
  }

  /** Ends all threads. Tasks fail. */
  async stop(): Promise<void> {
    await this.threads.stop()
  }

  private async runNow(task: TraceTask, { signal, onItem }: TaskOptions): Promise<unknown> {
    const worker = this.threads.take()
    let isReusable = false
    try {
      const outcome = await outcomeOf(worker, task, { signal, onItem })
      isReusable = outcome.isReusable
      if ('error' in outcome) throw outcome.error
      return outcome.value
    } finally {
      await this.threads.release(worker, isReusable)
    }
  }
}

/** The result of a task, and whether its thread can take another one. */
type Outcome = { isReusable: boolean } & ({ value: unknown } | { error: Error })

/**
 * Gives a task to a thread. People type on while a search runs, and a new thread would take longer than most searches:
 * one whose task is canceled is waited for.
 */
function outcomeOf(worker: Worker, task: TraceTask, { signal, onItem }: TaskOptions): Promise<Outcome> {
  const canceled = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined
    const end = (outcome: Outcome) => {
      clearTimeout(timer)
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
      signal?.removeEventListener('abort', onAbort)
      const { isReusable } = outcome
      resolve(signal?.aborted ? { error: signal.reason as Error, isReusable } : outcome)
    }
    const onMessage = (message: TraceMessage) => {
      if (message.kind === 'done') end({ value: message.value, isReusable: true })
      else if (message.kind === 'failed') end({ error: message.error, isReusable: signal?.aborted ?? false })
      else if (!signal?.aborted) onItem?.(message.value)
    }
    const onError = (error: Error) => end({ error, isReusable: false })
    const onExit = () => onError(new Error('The thread that reads logs was ended'))
    const onAbort = () => {
      Atomics.store(canceled, 0, 1)
      timer = setTimeout(() => onError(signal?.reason as Error), CANCEL_MILLISECONDS)
    }
    worker.on('message', onMessage).on('error', onError).on('exit', onExit)
    signal?.addEventListener('abort', onAbort, { once: true })
    worker.postMessage({ ...task, canceled })
  })
}
