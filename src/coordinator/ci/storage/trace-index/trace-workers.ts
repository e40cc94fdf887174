import { Worker } from 'node:worker_threads'

import PQueue from 'p-queue'

import { TRACE_WORKER, TRACE_WORKER_FILE, type TraceMessage, type TraceTask } from './trace-worker.js'

/** Tasks of a kind that run at a time. */
const AT_ONCE = { scan: 1, search: 2 }
/** A thread without a task ends after this time. */
const IDLE_MILLISECONDS = 30_000
const MEMORY_MEGABYTES = 256

export interface TaskOptions {
  /** Aborting it ends the task and its thread. */
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
    return this.queues[task.kind].add(() => this.runNow(task, options), signal ? { signal } : {})
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
    signal?.throwIfAborted()
    const worker = this.takeWorker()
    let isReusable = false
    try {
      const value = await outcomeOf(worker, task, { signal, onItem })
      isReusable = true
      return value
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

function outcomeOf(worker: Worker, task: TraceTask, { signal, onItem }: TaskOptions): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: TraceMessage) => {
      if (message.kind === 'item') return onItem?.(message.value)
      release()
      if (message.kind === 'done') resolve(message.value)
      else reject(message.error)
    }
    const onError = (error: Error) => {
      release()
      reject(error)
    }
    const onExit = () => onError(new Error('The thread that reads logs was ended'))
    const onAbort = () => onError(signal?.reason as Error)
    const release = () => {
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
      signal?.removeEventListener('abort', onAbort)
    }
    worker.on('message', onMessage).on('error', onError).on('exit', onExit)
    signal?.addEventListener('abort', onAbort, { once: true })
    worker.postMessage(task)
  })
}
