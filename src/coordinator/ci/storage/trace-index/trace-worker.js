// A worker thread that reads logs, so that the coordinator serves requests in the meantime. This is JavaScript because
// Node.js also has to start it from src/, without the bundle.
import { closeSync, openSync, readSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isMainThread, parentPort, workerData } from 'node:worker_threads'

import { scanRange } from './scan-range.js'
import { searchLog } from './search-log.js'
import { createTextMatcher } from './text-matcher.js'

/** The `workerData` of this worker: other threads may import this file too. */
export const TRACE_WORKER = 'switchyard-trace-worker'
export const TRACE_WORKER_FILE = fileURLToPath(import.meta.url)

/** @typedef {import('./scan-range.js').ScanRange} ScanRange */
/** @typedef {import('./scan-range.js').ScanResult} ScanResult */

/** @typedef {import('./search-log.js').LogSearch} LogSearch */
/** @typedef {import('./search-log.js').SearchHit} SearchHit */
/** @typedef {import('./search-log.js').SearchEnd} SearchEnd */

/**
 * The result of both is undefined if the log was deleted. A search reports `SearchItem`s and ends with a `SearchEnd`; a
 * scan ends with a `ScanResult`.
 * @typedef {{ kind: 'scan', path: string, range: ScanRange }
 *   | { kind: 'search', path: string, search: LogSearch }} TraceTask
 */

/**
 * A task with a shared flag. When it is not 0, the task fails before it reads or reports more.
 * @typedef {TraceTask & { canceled: Int32Array }} CancelableTask
 */
/** @typedef {SearchHit | { searched_to: number }} SearchItem */

/**
 * What a worker sends while it works at a task, and at its end.
 * @typedef {{ kind: 'item', value: unknown }
 *   | { kind: 'done', value: unknown }
 *   | { kind: 'failed', error: Error }} TraceMessage
 */

if (!isMainThread && workerData === TRACE_WORKER) {
  parentPort?.on('message', (/** @type {CancelableTask} */ task) => void respond(task))
}

/** @param {CancelableTask} task */
async function respond(task) {
  /** @param {TraceMessage} message */
  const send = (message) => parentPort?.postMessage(message)
  try {
    send({ kind: 'done', value: await perform(task, (value) => send({ kind: 'item', value })) })
  } catch (error) {
    send({ kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) })
  }
}

/**
 * @param {CancelableTask} task
 * @param {(item: SearchItem) => void} report
 */
async function perform(task, report) {
  const file = openIfThere(task.path)
  if (file === undefined) return undefined
  /** @type {(buffer: Buffer, position: number) => number} */
  const read = (buffer, position) => {
    throwIfCanceled(task)
    return readSync(file, buffer, 0, buffer.length, position)
  }
  try {
    if (task.kind === 'scan') return scanRange(task.range, read)
    return searchLog(task.search, await matcherOf(task.search.query), read, (item) => {
      throwIfCanceled(task)
      report(item)
    })
  } finally {
    closeSync(file)
  }
}

/** @param {CancelableTask} task */
function throwIfCanceled({ canceled }) {
  if (Atomics.load(canceled, 0) !== 0) throw new Error('The task was canceled')
}

/** @param {import('./text-matcher.js').LineQuery} query */
async function matcherOf(query) {
  if (query.kind !== 'regexp') return createTextMatcher(query)
  // Loaded only when it is needed: the engine of regular expressions takes longer to load than most searches take.
  const { createMatcher } = await import('./line-matcher.js')
  return createMatcher(query)
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
