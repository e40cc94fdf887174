import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { text } from 'node:stream/consumers'

import { SetupError } from '../setup/say.mjs'

/**
 * Takes the lock of `npm run dev` in this clone: a socket, which no longer responds when its process has ended, however
 * that ended.
 * @param {string} path of the socket. A short one: systems allow about 100 characters
 * @param {string} url where this one serves
 * @returns {Promise<{ release(): Promise<void> }>}
 * @throws {SetupError} if one runs already
 */
export async function takeLock(path, url) {
  const server = createServer((socket) => socket.end(url))
  if (!(await listens(server, path))) {
    const other = await responseOf(path)
    if (other !== undefined) throw new SetupError(`npm run dev runs already in this clone: ${other}`)
    // What a killed process has left.
    await rm(path, { force: true })
    if (!(await listens(server, path)))
      throw new SetupError(`npm run dev has just been started in this clone`)
  }
  // It ends with the work of the command.
  server.unref()
  return {
    release: async () => {
      server.close()
      await once(server, 'close')
    },
  }
}

/**
 * @param {import('node:net').Server} server
 * @param {string} path
 * @returns {Promise<boolean>} false if the path is taken
 */
async function listens(server, path) {
  try {
    server.listen(path)
    await once(server, 'listening')
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return false
    throw error
  }
}

/**
 * @param {string} path
 * @returns {Promise<string | undefined>} undefined if no process listens
 */
async function responseOf(path) {
  try {
    return await text(connect(path))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED') return undefined
    throw error
  }
}
