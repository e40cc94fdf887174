import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

import type { KyselyPlugin } from 'kysely'
import { expect, test } from 'vitest'

import { addSecureFile, openSecureFile } from '../../../src/coordinator/ci/secure-files/secure-files.js'
import { FolderBlobStore } from '../../../src/coordinator/ci/storage/folder-blob-store.js'
import { openSecretBox, SecretBox } from '../../../src/coordinator/crypto/secret-box.js'
import { addSecretKey, readSecretKeys, secretKeyFile } from '../../../src/coordinator/crypto/secret-keys.js'
import { TokenSigner } from '../../../src/coordinator/crypto/token-signer.js'
import type { Database } from '../../../src/coordinator/database/connect.js'
import { resealSecrets } from '../../../src/coordinator/start/reseal-secrets.js'
import { deleteOldKeys, rotateSecretKey } from '../../../src/coordinator/start/rotate-secret-key.js'
import { describeOnEachDatabase, type OpenDatabase } from '../../support/databases.js'
import { testAtNight } from '../../support/nightly.js'
import { tempDir } from '../../support/temp-dir.js'
import { addRunningJob } from '../support/running-job.js'
import { addPerson } from '../support/test-app.js'

const VARIABLES = 5

/** A store with secrets of each kind; one was sealed before keys had ids. */
async function setUp(open: OpenDatabase) {
  const { database, dialect, settings } = await open()
  const dataDir = await tempDir()
  const secrets = await openSecretBox(dataDir)
  const blobs = new FolderBlobStore(join(dataDir, 'blobs'))
  const mary = await addPerson(database, 'mary')
  await addRunningJob(database, mary, 'app')
  await database
    .updateTable('project')
    .set({ runners_token_encrypted: withoutId(secrets.encrypt('runners token')) })
    .execute()
  for (let index = 0; index < VARIABLES; index++) {
    await database
      .insertInto('ci_variable')
      .values({
        project_id: null,
        namespace_id: null,
        key: `KEY_${index}`,
        variable_type: 'env_var',
        value_encrypted: secrets.encrypt(`value ${index}`),
        created_at: 0,
        updated_at: 0,
      })
      .execute()
  }
  const signer = new TokenSigner({ database, secrets, externalUrl: 'http://switchyard.example' })
  const publicKeys = await signer.publicKeys()
  const project = await database.selectFrom('project').selectAll().executeTakeFirstOrThrow()
  const file = { open: () => Readable.from([Buffer.from('a certificate')]) }
  await addSecureFile({ database, blobs, secrets }, project, { name: 'certificate', file })

  /** Reads every secret with the keys that the data folder holds now, as a coordinator that has just started does. */
  const readAll = async () => {
    const now = await openSecretBox(dataDir)
    const { runners_token_encrypted } = await database
      .selectFrom('project')
      .select('runners_token_encrypted')
      .executeTakeFirstOrThrow()
    const variables = await database
      .selectFrom('ci_variable')
      .select('value_encrypted')
      .orderBy('key')
      .execute()
    const secureFile = await database.selectFrom('secure_file').selectAll().executeTakeFirstOrThrow()
    const keys = new TokenSigner({ database, secrets: now, externalUrl: 'http://switchyard.example' })
    return {
      runnersToken: now.decrypt(runners_token_encrypted),
      variables: variables.map(({ value_encrypted }) => now.decrypt(value_encrypted)),
      secureFile: await text(await openSecureFile({ database, blobs, secrets: now }, secureFile)),
      publicKeys: await keys.publicKeys(),
    }
  }
  const expected = {
    runnersToken: 'runners token',
    variables: Array.from({ length: VARIABLES }, (_, index) => `value ${index}`),
    secureFile: 'a certificate',
    publicKeys,
  }
  return {
    database,
    dialect,
    blobs,
    dataDir,
    readAll,
    expected,
    settings: {
      dataDir,
      sharedDir: dataDir,
      database: settings,
      storage: { location: { kind: 'folder' as const }, previous: undefined, isDirect: false },
    },
  }
}

/** As everything was sealed when there was one key. */
function withoutId(sealed: string): string {
  return sealed.replace(/^[^:]*:/, '')
}

class KilledError extends Error {
  override readonly name = 'KilledError'
}

/** A store that fails from the given statement on. */
function killedAt(database: Database, statement: number): Database {
  let count = 0
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      if (++count >= statement) throw new KilledError()
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  }
  return database.withPlugin(plugin)
}

describeOnEachDatabase('rotating secret.key', (open, testOnOne) => {
  testAtNight(
    'may be killed at every statement: each secret stays readable, and the next run continues',
    async () => {
      const { database, dialect, blobs, dataDir, readAll, expected } = await setUp(open)
      await addSecretKey(secretKeyFile(dataDir))
      const secrets = await openSecretBox(dataDir)
      for (let statement = 1; ; statement++) {
        const deps = { database: killedAt(database, statement), dialect, blobs, secrets }
        const outcome = await resealSecrets(deps).catch((error: unknown) => error)
        expect(await readAll()).toEqual(expected)
        if (!(outcome instanceof KilledError)) break
      }
      const { resealed } = await resealSecrets({ database, dialect, blobs, secrets })
      expect(resealed).toBe(0)
    },
  )

  test('seals everything with the new key, so that the old one can be removed', async () => {
    const { readAll, expected, settings, dataDir } = await setUp(open)
    const first = await rotateSecretKey(settings)
    expect(first).toMatchObject({ resealed: VARIABLES + 3, unreadable: [], oldKeys: 1 })
    expect(await rotateSecretKey(settings)).toMatchObject({ resealed: 0, keyId: first.keyId, oldKeys: 1 })
    await expect(deleteOldKeys(settings)).rejects.toThrow(/less than 5 minutes ago/)
    const later = Date.now() + 600_000
    expect(await deleteOldKeys(settings, later)).toMatchObject({ keyId: first.keyId, oldKeys: 0 })
    expect(readSecretKeys(secretKeyFile(dataDir))).toHaveLength(1)
    expect(await readAll()).toEqual(expected)
  })

  testOnOne('keeps the old key while a secret cannot be read, and names where that is', async () => {
    const { database, settings, dataDir } = await setUp(open)
    const foreign = new SecretBox(randomBytes(32)).encrypt('lost')
    await database.updateTable('project').set({ runners_token_encrypted: foreign }).execute()
    expect(await rotateSecretKey(settings)).toMatchObject({ unreadable: ['project.runners_token_encrypted'] })
    await expect(deleteOldKeys(settings, Date.now() + 600_000)).rejects.toThrow(
      /project\.runners_token_encrypted/,
    )
    expect(readSecretKeys(secretKeyFile(dataDir))).toHaveLength(2)
  })
})

test('a coordinator at work reads a secret that another one has sealed with a key added since', async () => {
  const dataDir = await tempDir()
  const one = await openSecretBox(dataDir)
  const before = one.encrypt('before')
  await addSecretKey(secretKeyFile(dataDir))
  const other = await openSecretBox(dataDir)
  expect(other.decrypt(before)).toBe('before')
  expect(one.decrypt(other.encrypt('after'))).toBe('after')
  expect(one.prefix).toBe(other.prefix)
})

test('a key that is lost is named, and a file without a key is an error with a remedy', async () => {
  const dataDir = await tempDir()
  const secrets = await openSecretBox(dataDir)
  const lost = new SecretBox(randomBytes(32))
  expect(() => secrets.decrypt(lost.encrypt('x'))).toThrow(
    `does not contain its key ${lost.prefix.slice(0, -1)}`,
  )
  const file = secretKeyFile(dataDir)
  await writeFile(file, '\n')
  expect(() => readSecretKeys(file)).toThrow(/secret\.key is empty\. Restore it from a backup/)
  await writeFile(file, `${randomBytes(32).toString('base64')}\nshort\n`)
  expect(() => readSecretKeys(file)).toThrow(/line 2 of .*secret\.key does not contain a key of 32 bytes/)
})

test('a new key is the first line of the file, readable only by its owner', async () => {
  const dataDir = await tempDir()
  await openSecretBox(dataDir)
  const file = secretKeyFile(dataDir)
  const before = await readFile(file, 'utf8')
  await addSecretKey(file, Date.UTC(2030, 0, 1))
  const after = await readFile(file, 'utf8')
  expect(after).toMatch(/^\S{44} 2030-01-01T00:00:00\.000Z\n/)
  expect(after.endsWith(before)).toBe(true)
})
