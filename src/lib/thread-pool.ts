import { Worker, type WorkerOptions } from 'node:worker_threads'

/** A thread without a task ends after this time. */
const IDLE_MILLISECONDS = 30_000

/** Worker threads of one file. A thread is started when a task needs one, and used again. */
export class ThreadPool {
  private readonly idle = new Map<Worker, NodeJS.Timeout>()
  private readonly busy = new Set<Worker>()
  private isStopped = false

  constructor(
    private readonly file: string,
    private readonly options: WorkerOptions,
  ) {}

  /** A thread that has no task. The process lives until it is released. */
  take(): Worker {
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

  /** A thread that is not reusable is ended. */
  async release(worker: Worker, isReusable: boolean): Promise<void> {
    this.busy.delete(worker)
    if (!isReusable || this.isStopped) {
      await worker.terminate()
      return
    }
    const end = () => {
      this.idle.delete(worker)
      void worker.terminate()
    }
    worker.unref()
    this.idle.set(worker, setTimeout(end, IDLE_MILLISECONDS).unref())
  }

  /** Ends all threads, and starts no more. */
  async stop(): Promise<void> {
    this.isStopped = true
    const workers = [...this.idle.keys(), ...this.busy]
    for (const timer of this.idle.values()) clearTimeout(timer)
    this.idle.clear()
    await Promise.all(workers.map((worker) => worker.terminate()))
  }

  private start(): Worker {
    const worker = new Worker(this.file, { execArgv: [], ...this.options })
    // Without a listener, its error would end this process. A task that runs fails with it.
    worker.on('error', () => undefined)
    worker.on('exit', () => {
      clearTimeout(this.idle.get(worker))
      this.idle.delete(worker)
    })
    return worker
  }
}
