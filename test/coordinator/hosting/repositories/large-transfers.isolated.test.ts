import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

import { expect, test, vi } from 'vitest'

import { FLUSH, pktLine } from '../../../../src/git/pkt-line.js'
import { gitOk, workTree } from '../../../support/git-client.js'
import { IS_NIGHTLY } from '../../../support/nightly.js'
import { tempDir } from '../../../support/temp-dir.js'
import { privateBytes, processesIn } from './git-processes.js'
import { type GitServer, startGitServer } from './git-server.js'

const MEBIBYTE = 1024 * 1024

/** Between two looks at the memory: each reads files of /proc, and without a pause they fill a processor. */
const SAMPLE_MS = 10

/** Bytes that do not compress. */
async function writeRandomFile(path: string, mebibytes: number): Promise<void> {
  const file = createWriteStream(path)
  for (let written = 0; written < mebibytes; written++) {
    if (!file.write(randomBytes(MEBIBYTE))) await once(file, 'drain')
  }
  await new Promise((resolve) => file.end(resolve))
}

async function treeWithLargeFile(mebibytes: number): Promise<string> {
  const tree = await workTree()
  await gitOk(tree, 'config', 'core.bigFileThreshold', '1m')
  await gitOk(tree, 'config', 'core.compression', '0')
  await writeRandomFile(join(tree, 'large'), mebibytes)
  await gitOk(tree, 'add', '--all')
  await gitOk(tree, 'commit', '--quiet', '-m', 'large')
  return tree
}

/** The most that this process and git on its behalf held beyond what they had at first, while `work` was under way. */
async function extraMemory(gitDir: string, work: Promise<unknown>): Promise<number> {
  const before = await memoryOf(gitDir)
  let most = before
  const over = work.then(() => 'over')
  while ((await Promise.race([over, setTimeout(SAMPLE_MS)])) !== 'over') {
    most = Math.max(most, await memoryOf(gitDir))
  }
  return most - before
}

async function memoryOf(gitDir: string): Promise<number> {
  const gits = await Promise.all((await processesIn(gitDir)).map(privateBytes))
  return process.memoryUsage.rss() + gits.reduce((sum, bytes) => sum + bytes, 0)
}

// The long run sends more, so that a slow leak shows too.
const SENT = IS_NIGHTLY ? 200 : 90
const ALLOWED = IS_NIGHTLY ? 100 : 75

test(`${SENT} MiB are pushed and cloned within ${ALLOWED} MiB of memory, git included`, async () => {
  const server = await startGitServer()
  const gitDir = server.repositories.path(server.project.id)
  const tree = await treeWithLargeFile(SENT)
  const push = await extraMemory(gitDir, gitOk(tree, 'push', server.remote(), 'main'))
  const clone = join(await tempDir(), 'clone.git')
  const cloning = await extraMemory(gitDir, gitOk('/', 'clone', '--quiet', '--bare', server.remote(), clone))
  expect(await gitOk(clone, 'rev-parse', 'main')).toBe(await gitOk(tree, 'rev-parse', 'main'))
  expect(push).toBeLessThan(ALLOWED * MEBIBYTE)
  expect(cloning).toBeLessThan(ALLOWED * MEBIBYTE)
}, 180_000)

/** The head of an HTTP request for a service, its body to follow in chunks. */
async function open(server: GitServer, service: string): Promise<Socket> {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const credentials = Buffer.from(`ada:${server.ownerToken}`).toString('base64')
  socket.write(
    `POST /ada/app.git/${service} HTTP/1.1\r\nHost: x\r\nAuthorization: Basic ${credentials}\r\n` +
      `Content-Type: application/x-${service}-request\r\nTransfer-Encoding: chunked\r\n\r\n`,
  )
  return socket
}

function writeChunk(socket: Socket, bytes: Buffer): void {
  socket.write(Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]))
}

async function untilGone(gitDir: string): Promise<void> {
  await vi.waitFor(async () => expect(await processesIn(gitDir)).toEqual([]), { timeout: 30_000 })
}

test('a client that vanishes inside its push leaves no process, no ref and no record', async () => {
  const server = await startGitServer()
  const gitDir = server.repositories.path(server.project.id)
  const socket = await open(server, 'git-receive-pack')
  const command = `${'0'.repeat(40)} ${'a'.repeat(40)} refs/heads/main\0 report-status side-band-64k`
  const packHead = Buffer.from('PACK\0\0\0\x02\0\0\0\x05', 'latin1')
  writeChunk(socket, Buffer.concat([pktLine(command), FLUSH, packHead]))
  await vi.waitFor(async () => expect((await processesIn(gitDir)).length).toBeGreaterThan(0), {
    timeout: 30_000,
  })
  socket.destroy()
  await untilGone(gitDir)
  const pushes = () => server.database.selectFrom('push').selectAll().execute()
  await vi.waitFor(async () => expect(await pushes()).toEqual([]), { timeout: 30_000 })
  expect(await server.repositories.isEmpty(server.project.id)).toBe(true)
})

test('a client that vanishes inside a clone leaves no process', async () => {
  const server = await startGitServer()
  const gitDir = server.repositories.path(server.project.id)
  const tree = await treeWithLargeFile(30)
  await gitOk(tree, 'push', server.remote(), 'main')
  const head = await gitOk(tree, 'rev-parse', 'HEAD')
  const socket = await open(server, 'git-upload-pack')
  writeChunk(
    socket,
    Buffer.concat([pktLine(`want ${head} side-band-64k ofs-delta\n`), FLUSH, pktLine('done\n')]),
  )
  socket.write('0\r\n\r\n')
  await once(socket, 'data')
  socket.pause()
  expect((await processesIn(gitDir)).length).toBeGreaterThan(0)
  socket.destroy()
  await untilGone(gitDir)
})
