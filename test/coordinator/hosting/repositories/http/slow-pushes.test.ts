import { request as httpRequest } from 'node:http'

import { expect, onTestFinished, test } from 'vitest'

import { pktLine } from '../../../../../src/git/pkt-line.js'
import { openSqlite } from '../../../../support/databases.js'
import { gitOk, workTree } from '../../../../support/git-client.js'
import { processesIn } from '../git-processes.js'
import { startGitServer } from '../git-server.js'

test('a push that drips is cut off, and git with it', async () => {
  const server = await startGitServer(openSqlite, { bytes: 1024, seconds: 0.5 })
  const tree = await workTree()
  await gitOk(tree, 'push', server.remote(), 'main')
  const head = await gitOk(tree, 'rev-parse', 'HEAD')
  const headers = {
    authorization: `Basic ${Buffer.from(`a:${server.ownerToken}`).toString('base64')}`,
    'content-type': 'application/x-git-receive-pack-request',
  }
  const request = httpRequest(`${server.url}/ada/app.git/git-receive-pack`, { method: 'POST', headers })
  const ended = new Promise<void>((resolve) => request.once('close', resolve))
  request.on('error', () => undefined) // how it ends is up to the network
  request.on('response', (response) => response.on('error', () => undefined).resume())
  const change = `${'0'.repeat(40)} ${head} refs/heads/slow\0report-status\n`
  request.write(Buffer.concat([pktLine(change), Buffer.from('0000PACK')]))
  const dripping = setInterval(() => request.write('.'), 20)
  onTestFinished(() => clearInterval(dripping))
  await ended
  await expect
    .poll(() => processesIn(server.repositories.path(server.project.id)), { timeout: 10_000 })
    .toEqual([])
  expect(await gitOk(tree, 'ls-remote', server.remote(), 'slow')).toBe('')
  await gitOk(tree, 'push', server.remote(), 'main:other')
})
