// A worker thread with a task that does not end.
import { parentPort } from 'node:worker_threads'

parentPort?.on('message', (/** @type {'endless' | 'short'} */ task) => {
  parentPort?.postMessage({ kind: 'begun' })
  while (task === 'endless');
  parentPort?.postMessage({ kind: 'done', value: 'done' })
})
