import { expect, test } from 'vitest'

import { createUser } from '../../../src/coordinator/accounts/users/account/create-user.js'
import { addSshKey } from '../../../src/coordinator/accounts/users/keys/ssh-keys.js'
import { pktLine } from '../../../src/git/pkt-line.js'
import { login, run, withKey } from '../../coordinator/hosting/ssh/ssh-client.js'
import {
  containing,
  deployKey,
  gitOverSsh,
  newKey,
  openSshScene,
} from '../../coordinator/hosting/ssh/ssh-scene.js'
import { gitOk, workTree } from '../../support/git-client.js'
import { openForFile } from '../../support/lifetime.js'
import { variants } from '../../support/nightly.js'

const scene = openForFile(async () => {
  const opened = await openSshScene()
  const eve = await createUser(opened.database, { username: 'eve', name: 'Eve', email: 'eve@example.com' })
  const eveKey = await newKey()
  await addSshKey(opened.database, eve.id, { title: 'laptop', key: eveKey.public })
  return { ...opened, eveKey }
})

async function refsOfProject(): Promise<string> {
  const { services, project } = scene()
  return gitOk(services.repositories.path(project.id), 'for-each-ref', '--format=%(refname)')
}

test('a project that a user may not see looks like one that does not exist', async () => {
  const client = await login(scene(), withKey(scene().eveKey))
  const paths = ['ada/app', 'ada/other', 'ada/none', 'nobody/none', 'ada/app.wiki', 'ada/none.wiki']
  const commands = paths.flatMap((path) => [
    `git-upload-pack '${path}.git'`,
    `git-receive-pack '${path}.git'`,
    `git-lfs-authenticate ${path}.git download`,
    `git-lfs-authenticate ${path}.git upload`,
  ])
  const responses = new Set<string>()
  for (const command of commands) {
    const { status, text } = await run(client, command)
    expect([command, status]).toEqual([command, 1])
    responses.add(text)
  }
  expect([...responses]).toEqual([containing('could not be found')])
})

test('a deploy key that only reads does not write, and opens no other project', async () => {
  const { project, remote } = scene()
  const tree = await workTree()
  const reader = await deployKey(scene(), [project], false)
  const refused = await gitOverSsh(tree, reader, 'push', remote(), 'main:refs/heads/stolen')
  expect(refused).toEqual({ exitCode: 128, output: containing('not allowed to push') })
  const other = await gitOverSsh(tree, reader, 'ls-remote', remote('ada/other.git'))
  expect(other).toEqual({ exitCode: 128, output: containing('could not be found') })
  expect(await refsOfProject()).toBe('')
})

test('a push to a ref of the coordinator moves nothing', async () => {
  const { key, remote } = scene()
  const tree = await workTree()
  const push = (ref: string) => gitOverSsh(tree, key, 'push', remote(), `main:${ref}`)
  // A mirror has these, and pushes them back.
  for (const ref of variants(['refs/merge-requests/1/head'], ['refs/pipelines/1']))
    expect(await push(ref)).toEqual({ exitCode: 0, output: containing(`remote: Ignored ${ref}`) })
  for (const ref of variants(['refs/replace/x'], ['refs/keep-around/x']))
    expect(await push(ref)).toEqual({ exitCode: 1, output: containing('remote rejected') })
  expect(await refsOfProject()).toBe('')
})

const ZERO = '0'.repeat(40)
const ID = '1'.repeat(40)

test.each([
  ['no list of refs', 'GET / HTTP/1.1\r\n\r\n', 'length is not a hex number'],
  ['a line that ends early', 'ffff', 'stream ended inside a line'],
  ['a line shorter than its length', '0003', 'length 3 has no meaning here'],
  [
    'a command that is none',
    `${pktLine('x'.repeat(50)).toString()}0000`,
    `"${'x'.repeat(50)}" is not a valid command`,
  ],
  [
    'a ref outside of the repository',
    `${pktLine(`${ZERO} ${ID} refs/heads/../../hooks/x\0report-status`).toString()}0000`,
    '"refs/heads/../../hooks/x" is not a valid ref name',
  ],
])('a push with %s is refused before git reads it', async (_what, bytes, reason) => {
  const client = await login(scene(), withKey(scene().key))
  const response = await run(client, "git-receive-pack 'ada/app.git'", { input: Buffer.from(bytes) })
  expect(response).toEqual({ status: 1, text: containing(reason) })
  expect(await refsOfProject()).toBe('')
})
