// A worker thread that reads logs, so that the coordinator serves requests in the meantime. This is JavaScript because
// Node.js also has to start it from src/, without the bundle.
import { closeSync, openSync, readSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isMainThread, parentPort, workerData } from 'node:worker_threads'

import { scanRange } from './scan-range.js'

/** The `workerData` of this worker: other threads may import this file too. */
export const TRACE_WORKER = 'switchyard-trace-worker'
export const TRACE_WORKER_FILE = fileURLToPath(import.meta.url)

/** @typedef {import('./scan-range.js').ScanRange} ScanRange */
/** @typedef {import('./scan-range.js').ScanResult} ScanResult */

/**
 * @typedef {{ kind: 'scan', path: string, range: ScanRange }} TraceTask
 */

/**
 * What a worker sends while it works at a task, and at its end.
 * @typedef {{ kind: 'item', value: unknown }
 *   | { kind: 'done', value: unknown }
 *   | { kind: 'failed', error: Error }} TraceMessage
 */

if (!isMainThread && workerData === TRACE_WORKER) {
  parentPort?.on('message', (/** @type {TraceTask} */ task) => void answer(task))
}

/** @param {TraceTask} task */
async function answer(task) {
  /** @param {TraceMessage} message */
  const send = (message) => parentPort?.postMessage(message)
  try {
    send({ kind: 'done', value: await perform(task) })
  } catch (error) {
    send({ kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) })
  }
}

/** @param {TraceTask} task */
async function perform({ path, range }) {
  const file = openIfThere(path)
  if (file === undefined) return undefined
  try {
    return scanRange(range, (buffer, position) => readSync(file, buffer, 0, buffer.length, position))
  } finally {
    closeSync(file)
  }
}

/** @param {string} path */
function openIfThere(path) {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
