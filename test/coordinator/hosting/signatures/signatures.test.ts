import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

import { expect, test } from 'vitest'

import { listAccountsOperations } from '../../../../src/coordinator/start/operations/accounts.js'
import { listHostingOperations } from '../../../../src/coordinator/start/operations/hosting.js'
import { runGit } from '../../../../src/git/run-git.js'
import { testAtNight } from '../../../support/nightly.js'
import { sceneForFile } from '../../../support/scene-for-file.js'
import { addPerson, type Person } from '../../support/test-app.js'
import { openTestApp, openTestServices } from '../../support/test-coordinator.js'
import { ECDSA, ED25519, PGP, RSA } from './example-signatures.js'

const openScene = sceneForFile(async (open) => {
  const services = await openTestServices({ open })
  const { repositories, database } = services
  const ada = await addPerson(database, 'ada')
  const eve = await addPerson(database, 'eve')
  const app = openTestApp(services, {
    operations: (all, deps) => [...listHostingOperations(all, deps), ...listAccountsOperations(all, deps)],
  })
  return {
    /** A project of `ada`, and what shows the signatures of objects that are written into its repository. */
    start: async () => {
      const call = (route: string, body?: object, as: Person = ada) => app.call(as, route, body)
      const { id } = (await call('POST /projects', { name: 'app' })).json<{ id: number }>()
      const write = async (type: 'commit' | 'tag', ref: string, content: string): Promise<void> => {
        const git = ['--git-dir', repositories.path(id)]
        await runGit([...git, 'hash-object', '-t', 'tree', '-w', '--stdin'], { input: '' })
        const hash = ['hash-object', '-t', type, '-w', '--literally', '--stdin']
        const sha = (await runGit([...git, ...hash], { input: content })).trim()
        await runGit([...git, 'update-ref', ref, sha])
      }
      const at = `/projects/${id}/repository`
      return {
        ada,
        eve,
        call,
        database,
        ofCommit: async (content: string) => {
          await write('commit', 'refs/heads/main', content)
          return call(`GET ${at}/commits/main/signature`)
        },
        ofTag: async (content: string) => {
          await write('tag', 'refs/tags/v1', content)
          return call(`GET ${at}/tags/v1/signature`)
        },
      }
    },
  }
})

async function scene() {
  const { start } = await openScene()
  return start()
}

test.each([
  ['Ed25519', ED25519],
  ['ECDSA', ECDSA],
  ['RSA', RSA],
])('a commit that is signed with an %s key of its committer is verified', async (_kind, { key, commit }) => {
  const { call, ofCommit } = await scene()
  const added = (await call('POST /user/keys', { title: 'Laptop', key: `${key} ada@laptop` })).json<object>()
  const response = await ofCommit(commit)
  expect([response.statusCode, response.json()]).toEqual([
    200,
    {
      signature_type: 'SSH',
      verification_status: 'verified',
      key: { ...added, key },
      commit_source: 'gitaly',
    },
  ])
})

testAtNight('a signed tag is verified as well', async () => {
  const { call, ofCommit, ofTag } = await scene()
  await call('POST /user/keys', { title: 'Laptop', key: ED25519.key })
  await ofCommit(ED25519.commit)
  expect((await ofTag(ED25519.tag)).json()).toMatchObject({
    signature_type: 'SSH',
    verification_status: 'verified',
  })
  expect((await ofTag(ED25519.tag.replace('Signed tag', 'Other text'))).json()).toMatchObject({
    verification_status: 'unverified',
  })
  const unsigned = await ofTag(ED25519.tag.split('-----BEGIN')[0] ?? '')
  expect([unsigned.statusCode, unsigned.json()]).toEqual([404, { message: '404 Signature Not Found' }])
})

test('a signature is not verified for other content, a key that nobody has, and a key for sign-in only', async () => {
  const { call, ofCommit } = await scene()
  const status = async (commit: string) =>
    (await ofCommit(commit)).json<{ verification_status: string; key: unknown }>()
  expect(await status(ED25519.commit)).toMatchObject({ verification_status: 'unknown_key', key: null })
  const wrong = ED25519.commit.replace('Signed with', 'Changed after')
  expect(await status(wrong)).toMatchObject({ verification_status: 'unverified' })
  await call('POST /user/keys', { title: 'Sign-in', key: ED25519.key, usage_type: 'auth' })
  expect(await status(ED25519.commit)).toMatchObject({ verification_status: 'unknown_key', key: null })
  const damaged = ED25519.commit.replace('U1NIU0lH', 'U1NIU0lI')
  expect(await status(damaged)).toMatchObject({ verification_status: 'unverified' })
})

test('the key of another user than the committer verifies nothing, whether the address is of a user or of nobody', async () => {
  const { ada, eve, call, database, ofCommit } = await scene()
  await call('POST /user/keys', { title: 'Eve', key: ED25519.key }, eve)
  const taken = (await ofCommit(ED25519.commit)).json<object>()
  expect(taken).toMatchObject({ verification_status: 'unverified', key: { title: 'Eve' } })
  await database.updateTable('user').set({ email: 'other@example.com' }).where('id', '=', ada.id).execute()
  expect((await ofCommit(ED25519.commit)).json()).toEqual(taken)

  const email = { user_id: eve.id, email: 'ada@example.com', created_at: 1 }
  await database
    .insertInto('user_email')
    .values({ ...email, confirmed_at: null })
    .execute()
  expect((await ofCommit(ED25519.commit)).json()).toEqual(taken)
  await database.updateTable('user_email').set({ confirmed_at: 2 }).where('user_id', '=', eve.id).execute()
  expect((await ofCommit(ED25519.commit)).json()).toMatchObject({ verification_status: 'verified' })
})

testAtNight('a signature of OpenPGP names its key, and is not verified', async () => {
  const { call, ofCommit } = await scene()
  const record = { signature_type: 'PGP', gpg_key_primary_keyid: PGP.keyId }
  expect((await ofCommit(PGP.commit)).json()).toMatchObject({
    ...record,
    verification_status: 'unknown_key',
    gpg_key_id: null,
  })
  const { id } = (await call('POST /user/gpg_keys', { key: PGP.key })).json<{ id: number }>()
  expect((await ofCommit(PGP.commit)).json()).toMatchObject({
    ...record,
    verification_status: 'unverified',
    gpg_key_id: id,
  })
})

test('a signature that a security token made without a touch is not verified', async () => {
  const { call, ofCommit } = await scene()
  const token = tokenKey()
  await call('POST /user/keys', { title: 'Token', key: token.key })
  const [plain = ''] = ED25519.commit.split('gpgsig ')
  const commit = (flags: number) => {
    const body = '\nSigned\n'
    const signature = token.sign(Buffer.from(plain + body), flags).replaceAll('\n', '\n ')
    return `${plain}gpgsig ${signature}\n${body}`
  }
  expect((await ofCommit(commit(1))).json()).toMatchObject({ verification_status: 'verified' })
  expect((await ofCommit(commit(0))).json()).toMatchObject({ verification_status: 'unverified' })
})

/** A key as a security token has it (PROTOCOL.u2f of OpenSSH). */
function tokenKey() {
  const type = 'sk-ssh-ed25519@openssh.com'
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const x = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
  const blob = strings(type, x, 'ssh:')
  return {
    key: `${type} ${blob.toString('base64')}`,
    sign: (payload: Buffer, flags: number) => armored(signedBy(privateKey, { type, blob, payload, flags })),
  }
}

function signedBy(
  key: KeyObject,
  of: { type: string; blob: Buffer; payload: Buffer; flags: number },
): Buffer {
  const magic = Buffer.from('SSHSIG')
  const digest = createHash('sha512').update(of.payload).digest()
  const message = Buffer.concat([magic, strings('git', '', 'sha512', digest)])
  const after = Buffer.from([of.flags, 0, 0, 0, 7])
  const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest()
  const signature = sign(null, Buffer.concat([sha256('ssh:'), after, sha256(message)]), key)
  const whole = Buffer.concat([strings(of.type, signature), after])
  return Buffer.concat([magic, Buffer.from([0, 0, 0, 1]), strings(of.blob, 'git', '', 'sha512', whole)])
}

function strings(...parts: (string | Buffer)[]): Buffer {
  return Buffer.concat(
    parts.flatMap((part) => {
      const length = Buffer.alloc(4)
      length.writeUInt32BE(Buffer.byteLength(part))
      return [length, Buffer.from(part)]
    }),
  )
}

function armored(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,70}/g) ?? []
  return ['-----BEGIN SSH SIGNATURE-----', ...lines, '-----END SSH SIGNATURE-----'].join('\n')
}
