import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { testAtNight } from '../../../support/nightly.js'

const ROOT = join(import.meta.dirname, '../../../../src/coordinator')

/** Everything that reads blobs without `readExpected` or `readWhole`, and what notices that a blob is damaged. */
const UNCHECKED: Record<string, string> = {
  'backup/backup-store.ts': 'the size is compared; the backup has a digest of what was read',
  'backup/bucket-location.ts': 'reads backups, whose digests are compared when they are restored',
  'backup/restore.ts': 'compares the digest of the backup',
  'ci/secure-files/secure-files.ts': 'the cipher has a checksum, and the digest is compared',
  'ci/storage/artifacts/test-reports.ts': 'gzip has a size and a checksum',
  'ci/storage/migrating-blob-store.ts': 'passes the call on',
  'ci/storage/move-blobs.ts': 'the copy is compared with the original',
  'ci/storage/s3/check-bucket.ts': 'reads what it has written',
  'ci/storage/stored-logs.ts': 'the times of a log; those that are gone are an error',
  'hosting/avatars/avatars.ts': 'no row has the size of an image; one that is gone is an error',
  'hosting/projects/export/exports.ts':
    'archives of earlier releases, whose size no row has; gzip has a checksum',
  'hosting/projects/import/import-archive.ts': 'gzip has a size and a checksum',
  'instance/appearance/serve-image.ts': 'no row has the size of an image; one that is gone is an error',
  'start/reseal-secrets.ts': 'the cipher has a checksum',
}

/** Everything that opens the file of a log, and what compares its size with the row of the job. */
const LOG_READERS: Record<string, string> = {
  'ci/engine/reports/find-coverage.ts':
    'reads the log of a job that is about to end, before its row has a size',
  'ci/jobs/trace/send-trace.ts': 'missingBytes, before the first byte',
  'ci/storage/trace-indexes.ts': 'missingBytes, in the responses with lines',
  'ci/storage/traces.ts': 'the log of a running job, whose runner sends the checksum',
  'live/trace-follower.ts': 'the last event has the number of missing bytes',
}

test('who reads a blob compares it with its row, or is listed with what notices the damage', async () => {
  expect(await filesWith(/\b(?:blobs|store|from|to)\.read\(/)).toEqual(Object.keys(UNCHECKED))
})

testAtNight('who reads a log compares it with the row of the job, or is listed', async () => {
  expect(await filesWith(/\b(?:traces|this)\.(?:open|read)\((?:job|this\.job)\b/)).toEqual(
    Object.keys(LOG_READERS),
  )
})

async function filesWith(call: RegExp): Promise<string[]> {
  const found: string[] = []
  for (const file of await readdir(ROOT, { recursive: true })) {
    if (file.endsWith('.ts') && call.test(await readFile(join(ROOT, file), 'utf8'))) found.push(file)
  }
  return found.toSorted()
}
