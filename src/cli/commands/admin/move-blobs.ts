import { join } from 'node:path'

import { moveBetween } from '../../../coordinator/ci/storage/move-between.js'
import { openLocation, shownLocation } from '../../../coordinator/ci/storage/open-blob-store.js'
import { storageOwner } from '../../../coordinator/ci/storage/orphans/storage-owner.js'
import { readCoordinatorSettings } from '../../../coordinator/start/config/settings.js'
import { formatBytes } from '../../../lib/format-bytes.js'

/** Milliseconds between two lines about the progress. */
const PROGRESS_INTERVAL = 10_000

export interface MoveBlobsOptions {
  /** `s3://bucket/prefix` or `folder`; by default `storage.url`. */
  to?: string | undefined
  isDeleting: boolean
}

/** @param flags by the name of their setting */
export async function moveInstanceBlobs(
  flags: Record<string, string | undefined>,
  { to: url, isDeleting }: MoveBlobsOptions,
): Promise<void> {
  process.umask(0o077)
  const { storage, dataDir, sharedDir } = readCoordinatorSettings(flags, process.env)
  const target =
    url === undefined
      ? storage.location
      : readCoordinatorSettings(
          { ...flags, 'storage.url': url, 'storage.previous.url': undefined },
          process.env,
        ).storage.location
  const locations = moveBetween(storage, target, isDeleting)
  const { moveBlobs } = await import('../../../coordinator/ci/storage/move-blobs.js')
  const from = await openLocation(locations.from, { dataDir, sharedDir }, { isChecked: true })
  const to = await openLocation(locations.to, { dataDir, sharedDir }, { isChecked: true })
  let reportedAt = Date.now()
  try {
    const { copied, bytes, known } = await moveBlobs({
      from,
      to,
      target: shownLocation(locations.to, sharedDir),
      journal: join(sharedDir, 'moved-blobs.db'),
      isDeleting,
      onProgress: (moved) => {
        if (Date.now() - reportedAt < PROGRESS_INTERVAL) return
        reportedAt = Date.now()
        console.log(`${moved.copied} files, ${formatBytes(moved.bytes)}`)
      },
    })
    // What is restored from a backup takes over the bucket of the installation that it replaces.
    await to.claim(await storageOwner(sharedDir), true)
    console.log(
      `Copied ${copied} files, ${formatBytes(bytes)}, from ${shownLocation(locations.from, sharedDir)} to ` +
        `${shownLocation(locations.to, sharedDir)}, and compared each. ${known} had been copied before.` +
        (isDeleting ? ' The originals are deleted.' : ''),
    )
  } finally {
    await from.close()
    await to.close()
  }
}
