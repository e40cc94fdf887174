import { expect, test } from 'vitest'

import {
  openLocation,
  type StorageLocation,
} from '../../../../../src/coordinator/ci/storage/open-blob-store.js'
import { messageOf } from '../../../../../src/lib/errors.js'
import type { S3Settings } from '../../../../../src/s3/s3-settings.js'
import { onFinished } from '../../../../support/lifetime.js'
import { S3Server } from '../../../../support/s3-server.js'
import { tempDir } from '../../../../support/temp-dir.js'

async function open(server: S3Server, changes: Partial<S3Settings> = {}) {
  const location: StorageLocation = { kind: 's3', bucket: server.settings(changes), prefix: '' }
  const folders = { dataDir: await tempDir(), sharedDir: await tempDir() }
  const blobs = await openLocation(location, folders, { isChecked: true })
  onFinished(() => blobs.close())
}

test('a bucket that can be used is left as it was', async () => {
  const server = await S3Server.start()
  await open(server)
  expect(server.objects.size).toBe(0)
})

test.each<[string, Partial<S3Settings>, Partial<S3Server>, string]>([
  ['a missing bucket', { bucketName: 'other' }, {}, 'Create it, or correct storage.url.'],
  [
    'an unknown key',
    { credentials: { accessKeyId: 'x', secretAccessKey: 'y' } },
    {},
    'Check storage.access_key_id and storage.secret_access_key',
  ],
  [
    'a wrong secret',
    { credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'y' } },
    {},
    'Check storage.access_key_id and storage.secret_access_key',
  ],
  ['a wrong clock', {}, { skew: 3_600_000 }, 'The clock of this machine is wrong.'],
  ['no permission to write', {}, { isReadOnly: true }, 'Allow the key to list, read, write and delete'],
])('%s is reported with what to do', async (_what, changes, ofServer, remedy) => {
  const server = Object.assign(await S3Server.start(), ofServer)
  const message = await open(server, changes).catch(messageOf)
  expect(message).toContain(`The bucket ${changes.bucketName ?? 'caches'} at http://127.0.0.1:`)
  expect(message).toContain(remedy)
})
