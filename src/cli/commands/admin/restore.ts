import type { InstancePlace } from '../../../coordinator/backup/back-up.js'

/** @param name of the backup; by default the newest */
export async function restoreInstance(place: InstancePlace, folder: string, name?: string): Promise<void> {
  process.umask(0o077)
  const { restoreBackup } = await import('../../../coordinator/backup/restore.js')
  const restored = await restoreBackup(place, folder, name)
  console.log(
    `Restored the backup ${restored.name} (${restored.files} files) into ${place.dataDir}. ` +
      'Start the coordinator with this data folder.',
  )
  if (place.storage.place.kind === 's3') {
    console.log(
      'Its artifacts, logs and other files are in the data folder too. Set storage.previous.url to "folder", and move ' +
        'them to the bucket with: switchyard admin move-blobs',
    )
  }
}
