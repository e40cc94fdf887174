import ssh2 from 'ssh2'
import { expect, test } from 'vitest'

import { createUser } from '../../../src/coordinator/accounts/users/account/create-user.js'
import { addSshKey } from '../../../src/coordinator/accounts/users/keys/ssh-keys.js'
import { login, run, withKey } from '../../coordinator/hosting/ssh/ssh-client.js'
import { deployKey, newKey, openSshScene } from '../../coordinator/hosting/ssh/ssh-scene.js'
import { setSettings } from '../../coordinator/support/set-settings.js'
import { testAtNight } from '../../support/nightly.js'
import { sceneForFile } from '../../support/scene-for-file.js'

const sshScene = sceneForFile((open) => openSshScene({ open }))

test('only known keys of the user git sign in', async () => {
  const scene = await sshScene()
  const refused = 'All configured authentication methods failed'
  await expect(login(scene, { password: 'secret' })).rejects.toThrow(refused)
  await expect(login(scene, { tryKeyboard: true })).rejects.toThrow(refused)
  await expect(login(scene, {})).rejects.toThrow(refused)
  await expect(login(scene, withKey(await newKey()))).rejects.toThrow(refused)
  await expect(login(scene, { ...withKey(scene.key), username: 'root' })).rejects.toThrow(refused)
})

test('keys that expired, only sign, or belong to a blocked user do not sign in', async () => {
  const scene = await sshScene()
  const { database } = scene
  const refused = 'All configured authentication methods failed'
  const signing = await newKey()
  await addSshKey(database, scene.ada.id, { title: 'signing', key: signing.public, usage_type: 'signing' })
  await expect(login(scene, withKey(signing))).rejects.toThrow(refused)
  const eve = await createUser(database, { username: 'eve', name: 'Eve', email: 'eve@example.com' })
  const key = await newKey()
  await addSshKey(database, eve.id, { title: 'laptop', key: key.public })
  await login(scene, withKey(key))
  await database.updateTable('user').set({ state: 'blocked' }).where('id', '=', eve.id).execute()
  await expect(login(scene, withKey(key))).rejects.toThrow(refused)
  await database.updateTable('user').set({ state: 'active' }).where('id', '=', eve.id).execute()
  await database.updateTable('ssh_key').set({ expires_at: 1 }).where('user_id', '=', eve.id).execute()
  await expect(login(scene, withKey(key))).rejects.toThrow(refused)
})

test('a deploy key that expired does not sign in', async () => {
  const scene = await sshScene()
  const key = await deployKey(scene, [scene.project], false)
  await login(scene, withKey(key))
  await scene.database.updateTable('deploy_key').set({ expires_at: 1 }).execute()
  await expect(login(scene, withKey(key))).rejects.toThrow('All configured authentication methods failed')
})

testAtNight('keys of a kind or size that administrators do not allow any more do not sign in', async () => {
  const scene = await openSshScene()
  const client = await login(scene, withKey(scene.key))
  await setSettings(scene.services, { ed25519_key_restriction: -1 })
  expect(await run(client, "git-upload-pack 'ada/app.git'")).toMatchObject({ status: 1 })
  await expect(login(scene, withKey(scene.key))).rejects.toThrow()
  const rsa = await newKey('rsa')
  await addSshKey(scene.database, scene.ada.id, { title: 'rsa', key: rsa.public })
  await login(scene, withKey(rsa))
  await setSettings(scene.services, { rsa_key_restriction: 4096 })
  await expect(login(scene, withKey(rsa))).rejects.toThrow()
})

test('a key that is deleted while its connection is open runs no command', async () => {
  const scene = await sshScene()
  const client = await login(scene, withKey(scene.key))
  await scene.database.deleteFrom('ssh_key').execute()
  expect(await run(client, "git-upload-pack 'ada/app.git'")).toEqual({
    status: 1,
    text: 'This key is not accepted any more.\n',
  })
})

test('a signature of another key is refused', async () => {
  const scene = await sshScene()
  const [own, wrong] = [ssh2.utils.parseKey(scene.key.private), ssh2.utils.parseKey((await newKey()).private)]
  if (own instanceof Error || wrong instanceof Error) throw new Error('A test key cannot be read')
  const forged = Object.create(own) as typeof own
  forged.sign = (...args: Parameters<typeof own.sign>) => wrong.sign(...args)
  await expect(
    login(scene, { authHandler: [{ type: 'publickey', username: 'git', key: forged }] as never }),
  ).rejects.toThrow()
})

test('a signature of another connection is refused', async () => {
  const scene = await sshScene()
  const own = ssh2.utils.parseKey(scene.key.private)
  if (own instanceof Error) throw own
  const made: Buffer[] = []
  const recording = Object.create(own) as typeof own
  recording.sign = (...args: Parameters<typeof own.sign>) => {
    const signature = own.sign(...args)
    made.push(Buffer.from(signature))
    return signature
  }
  const replaying = Object.create(own) as typeof own
  replaying.sign = () => made[0] ?? Buffer.of()
  const signInWith = (key: typeof own) =>
    login(scene, { authHandler: [{ type: 'publickey', username: 'git', key }] as never })
  await signInWith(recording)
  expect(made).toHaveLength(1)
  await expect(signInWith(replaying)).rejects.toThrow('All configured authentication methods failed')
})

test('a client with too many attempts is disconnected', async () => {
  const scene = await sshScene()
  const passwords = Array.from({ length: 20 }, (_, index) => ({
    type: 'password' as const,
    username: 'git',
    password: `guess ${index}`,
  }))
  let tries = 0
  const authHandler: ssh2.AuthHandlerMiddleware = (_left, _partial, next) =>
    next(passwords[tries++] ?? (false as never))
  await expect(login(scene, { authHandler })).rejects.toThrow()
  expect(tries).toBe(7)
})

test('a failed sign-in of a blocked user is an audit event', async () => {
  const scene = await sshScene()
  await scene.database.updateTable('user').set({ state: 'blocked' }).where('id', '=', scene.ada.id).execute()
  await expect(login(scene, withKey(scene.key))).rejects.toThrow()
  const events = await scene.database.selectFrom('audit_event').selectAll().execute()
  expect(events).toHaveLength(1)
})
