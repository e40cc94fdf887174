import { readdir } from 'node:fs/promises'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { Duplex } from 'node:stream'

import type { Logger } from '../../../lib/logger.js'
import type { HelperPlaces } from '../../executor/helper-places.js'
import { removeTree } from '../../workspace/remove-tree.js'
import { serveHelper } from './serve-helper.js'
import { replaceEarlierProcess } from './single-process.js'

/** Milliseconds in which the requests of a lost connection end. */
const END_LIMIT = 30_000
/** What a process that was killed left. Caches of a runner without a shared store stay. */
const TEMPORARY = /^(artifacts-[0-9a-f]+|cache-[0-9a-f]+)\.zip$|\.pem$|\.tmp$/

/** Serves one connection on standard input and output. Standard error is the log. */
export async function runHelper(places: HelperPlaces, logger: Logger): Promise<void> {
  const ending = new AbortController()
  process.on('SIGTERM', () => ending.abort())
  await replaceEarlierProcess(places.own)
  await removeTemporaryFiles(places.own)
  const onEnd = () => exitSoon(logger)
  await serveHelper(standardStreams(), { places, logger, onEnd }, ending.signal)
  process.exit()
}

/** A request may hang, for example in a file system that does not respond. */
function exitSoon(logger: Logger): void {
  setTimeout(() => {
    logger.error('Requests of the lost connection do not end')
    process.exit(1)
  }, END_LIMIT).unref()
}

/** Unlike `process.stdout`, which blocks the process until a pipe has room. */
function standardStreams(): Duplex {
  const output = new Socket({ fd: 1, readable: false, writable: true })
  return Duplex.from({ readable: process.stdin, writable: output })
}

async function removeTemporaryFiles(directory: string): Promise<void> {
  for (const name of await readdir(directory))
    if (TEMPORARY.test(name)) await removeTree(join(directory, name))
}
