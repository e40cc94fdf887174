import { Worker } from 'node:worker_threads'

import PQueue from 'p-queue'

import { TRACE_WORKER, TRACE_WORKER_FILE, type TraceMessage, type TraceTask } from './trace-worker.js'

/** Tasks of a kind that run at a time. */
const AT_ONCE = { scan: 1, search: 2 }
/** A thread without a task ends after this time. */
const IDLE_MILLISECONDS = 30_000
const MEMORY_MEGABYTES = 256
/** A canceled task ends at its next match or chunk. One that takes longer, such as by its expression, ends with its thread. */
const CANCEL_MILLISECONDS = 1000

export interface TaskOptions {
  /** Aborting it ends the task. */
  signal?: AbortSignal
  onItem?: (item: unknown) => void
}

/** Runs tasks about logs in worker threads. A thread is started when a task needs one, and used again. */
export class TraceWorkers {
  private readonly queues = {
    scan: new PQueue({ concurrency: AT_ONCE.scan }),
    search: new PQueue({ concurrency: AT_ONCE.search }),
  }
  private readonly idle = new Map<Worker, NodeJS.Timeout>()
  private readonly busy = new Set<Worker>()
  private isStopped = false

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
    this.isStopped = true
    const workers = [...this.idle.keys(), ...this.busy]
    for (const timer of this.idle.values()) clearTimeout(timer)
    this.idle.clear()
    await Promise.all(workers.map((worker) => worker.terminate()))
  }

  private async runNow(task: TraceTask, { signal, onItem }: TaskOptions): Promise<unknown> {
    const worker = this.takeWorker()
    let isReusable = false
    try {
      const outcome = await outcomeOf(worker, task, { signal, onItem })
      isReusable = outcome.isReusable
      if ('error' in outcome) throw outcome.error
      return outcome.value
    } finally {
      this.busy.delete(worker)
      if (isReusable && !this.isStopped) this.keep(worker)
      else await worker.terminate()
    }
  }

  private takeWorker(): Worker {
    if (this.isStopped) throw new Error('The coordinator is stopping')
    const [kept] = this.idle
    const worker = kept?.[0] ?? this.start()
    if (kept) {
      clearTimeout(kept[1])
      this.idle.delete(worker)
    }
    worker.ref()
    this.busy.add(worker)
    return worker
  }

  private keep(worker: Worker): void {
    const end = () => {
      this.idle.delete(worker)
      void worker.terminate()
    }
    worker.unref()
    this.idle.set(worker, setTimeout(end, IDLE_MILLISECONDS).unref())
  }

  private start(): Worker {
    const worker = new Worker(TRACE_WORKER_FILE, WORKER_OPTIONS)
    // Without a listener, its error would end this process. A task that runs fails with it.
    worker.on('error', () => undefined)
    worker.on('exit', () => {
      clearTimeout(this.idle.get(worker))
      this.idle.delete(worker)
    })
    return worker
  }
}

const WORKER_OPTIONS = {
  workerData: TRACE_WORKER,
  execArgv: [],
  resourceLimits: { maxOldGenerationSizeMb: MEMORY_MEGABYTES },
}

/** How a task has ended, and whether its thread can take another one. */
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
