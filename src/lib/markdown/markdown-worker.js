// A worker thread that renders Markdown, so that the coordinator serves requests in the meantime, and can end it. This is
// JavaScript because Node.js also has to start it from src/, without the bundle.
import { fileURLToPath } from 'node:url'
import { isMainThread, parentPort, workerData } from 'node:worker_threads'

import { performMarkdownTask } from './markdown-html.js'

/** The `workerData` of this worker: other threads may import this file too. */
export const MARKDOWN_WORKER = 'switchyard-markdown-worker'
export const MARKDOWN_WORKER_FILE = fileURLToPath(import.meta.url)

/**
 * What a worker sends: that it has begun a task, then how the task ended.
 * @typedef {{ kind: 'begun' } | { kind: 'done', value: unknown } | { kind: 'failed', error: Error }} TaskMessage
 */

if (!isMainThread && workerData === MARKDOWN_WORKER) {
  parentPort?.on('message', (/** @type {import('./markdown-html.js').MarkdownTask} */ task) => {
    send({ kind: 'begun' })
    try {
      send({ kind: 'done', value: performMarkdownTask(task) })
    } catch (error) {
      send({ kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) })
    }
  })
}

/** @param {TaskMessage} message */
function send(message) {
  parentPort?.postMessage(message)
}
