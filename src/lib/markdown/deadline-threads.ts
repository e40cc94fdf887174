import type { Worker } from 'node:worker_threads'

import PQueue from 'p-queue'

import type { ThreadPool } from '../thread-pool.js'
import type { TaskMessage } from './markdown-worker.js'

/** The task ran longer than its deadline, or needed more memory than its thread has. */
export class TaskTooCostlyError extends Error {
  override readonly name = 'TaskTooCostlyError'
  readonly code = 'TASK_TOO_COSTLY'
}

interface Limits {
  /** Tasks that run at a time. */
  atOnce: number
  /** How long a task may run. The time that it waits, or that its thread needs to start, does not count. */
  deadlineMilliseconds: number
}

/** Runs tasks in the threads of a pool. A task that does not end in time is ended with its thread. */
export class DeadlineThreads<Task> {
  private readonly queue: PQueue
  private readonly deadlineMilliseconds: number

  constructor(
    private readonly threads: ThreadPool,
    { atOnce, deadlineMilliseconds }: Limits,
  ) {
    this.queue = new PQueue({ concurrency: atOnce })
    this.deadlineMilliseconds = deadlineMilliseconds
  }

  /** The result of the task. Throws its error, and TaskTooCostlyError. */
  async run(task: Task): Promise<unknown> {
    return this.queue.add(async () => {
      const worker = this.threads.take()
      let isReusable = false
      try {
        const message = await this.result(worker, task)
        isReusable = true
        if (message.kind === 'failed') throw message.error
        return message.value
      } finally {
        await this.threads.release(worker, isReusable)
      }
    })
  }

  private result(worker: Worker, task: Task): Promise<Exclude<TaskMessage, { kind: 'begun' }>> {
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined
      const onMessage = (message: TaskMessage) => {
        if (message.kind === 'begun') timer = setTimeout(onDeadline, this.deadlineMilliseconds)
        else end(() => resolve(message))
      }
      const onDeadline = () => end(() => reject(new TaskTooCostlyError('The task takes too long')))
      const onError = (error: Error) =>
        end(() => reject(isOutOfMemory(error) ? new TaskTooCostlyError(error.message) : error))
      const onExit = () => end(() => reject(new Error('The thread of the task was ended')))
      const end = (settle: () => void) => {
        clearTimeout(timer)
        worker.off('message', onMessage).off('error', onError).off('exit', onExit)
        settle()
      }
      worker.on('message', onMessage).on('error', onError).on('exit', onExit)
      worker.postMessage(task)
    })
  }
}

function isOutOfMemory(error: Error): boolean {
  return 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}
