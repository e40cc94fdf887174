import { once } from 'node:events'
import { connect } from 'node:net'

import { expect, test, vi } from 'vitest'

import { addSshKey } from '../../../src/coordinator/accounts/users/keys/ssh-keys.js'
import { login, run, withKey } from '../../coordinator/hosting/ssh/ssh-client.js'
import { gitOverSsh, type KeyFiles, newKey, openSshScene } from '../../coordinator/hosting/ssh/ssh-scene.js'

test('one address, and one user, has a limited number of connections', async () => {
  const scene = await openSshScene({ limits: { loginsOfAddress: 2, ofHolder: 2 } })
  const open = [1, 2].map(() => connect(scene.server.port, '127.0.0.1'))
  await Promise.all(open.map((socket) => once(socket, 'data')))
  await expect(login(scene, withKey(scene.key))).rejects.toThrow()
  for (const socket of open) socket.destroy()
  const signIn = () => vi.waitFor(() => login(scene, withKey(scene.key)))
  const [first] = [await signIn(), await signIn()]
  const third = async (key: KeyFiles) => run(await login(scene, withKey(key)), 'id')
  await expect(third(scene.key)).rejects.toThrow()
  const other = await newKey()
  await addSshKey(scene.database, scene.ada.id, { title: 'other', key: other.public })
  await expect(third(other)).rejects.toThrow()
  first.end()
  await once(first, 'close')
  expect(await vi.waitFor(() => third(scene.key))).toMatchObject({ status: 1 })
})

test('a fetch that is silent while git runs is given up earlier than a push', async () => {
  const scene = await openSshScene({ timeouts: { fetching: 100 } })
  const silent = await login(scene, withKey(scene.key))
  silent.exec("git-upload-pack 'ada/app.git'", (error, channel) => {
    if (!error) channel.resume()
  })
  await new Promise<void>((resolve) => silent.once('close', () => resolve()))
})

test('a client that sends nothing, or does not sign in, is disconnected', async () => {
  const scene = await openSshScene({ timeouts: { login: 100 } })
  const closed = (first: string) =>
    new Promise<void>((resolve) => {
      const socket = connect(scene.server.port, '127.0.0.1', () => socket.write(first))
      socket.on('close', () => resolve()).resume()
    })
  await Promise.all([closed(''), closed('SSH-2.0-x'), closed('SSH-2.0-x\r\n')])
})

test('an authenticated client that runs nothing, and one that is silent while git runs, are disconnected', async () => {
  const scene = await openSshScene({ timeouts: { unused: 100, silent: 200 } })
  const unused = await login(scene, withKey(scene.key))
  await new Promise<void>((resolve) => unused.once('close', () => resolve()))
  const silent = await login(scene, withKey(scene.key))
  silent.exec("git-receive-pack 'ada/app.git'", (error, channel) => {
    if (!error) channel.resume()
  })
  await new Promise<void>((resolve) => silent.once('close', () => resolve()))
  expect(await gitOverSsh('/', scene.key, 'ls-remote', scene.remote())).toMatchObject({ exitCode: 0 })
})

test('one connection runs a limited number of commands at a time', async () => {
  const scene = await openSshScene()
  const client = await login(scene, withKey(scene.key))
  const start = () =>
    new Promise<boolean>((resolve) =>
      client.exec("git-receive-pack 'ada/app.git'", (error, channel) => {
        if (!error) channel.resume()
        resolve(!error)
      }),
    )
  const started = await Promise.all(Array.from({ length: 30 }, start))
  expect(started.filter(Boolean)).toHaveLength(10)
})
