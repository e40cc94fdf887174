import { chmod, mkdir, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'

import { SwitchyardError } from '../../lib/errors.js'
import { isMissingFile, readIfThere } from '../../lib/files.js'
import type { Logger } from '../../lib/logger.js'
import { RESTORING } from '../backup/restoring.js'

class OpenDataFolderError extends SwitchyardError {
  readonly name = 'OpenDataFolderError'
  readonly code = 'OPEN_DATA_FOLDER'
}

class IncompleteRestoreError extends SwitchyardError {
  readonly name = 'IncompleteRestoreError'
  readonly code = 'INCOMPLETE_RESTORE'
}

/** Files directly in the folder that contain secrets or all data. */
const PRIVATE_FILES = [
  'secret.key',
  'ssh_host_ed25519_key',
  'ssh_host_ecdsa_key',
  'admin-token',
  'runner-registration-token',
  'switchyard.db',
  'switchyard.db-wal',
  'switchyard.db-shm',
]

const GROUP_AND_OTHERS = 0o077
const OTHERS = 0o007

/**
 * Creates the data folder for its owner only (mode 0700), or removes the permissions of other users from an
 * existing one. Throws `OpenDataFolderError` if the folder belongs to another user and is accessible to
 * everyone, and `IncompleteRestoreError` if it is not restored completely. A folder that only its group can access is
 * logged.
 */
export async function openDataFolder(folder: string, logger: Logger): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { mode, uid } = await stat(folder)
  if ((mode & GROUP_AND_OTHERS) !== 0) {
    if (isOwner(uid)) {
      await chmod(folder, 0o700)
      logger.warn(
        { folder, mode: shown(mode) },
        'The data folder was open to other users: its mode is 0700 now',
      )
    } else if ((mode & OTHERS) !== 0) {
      throw new OpenDataFolderError(
        `The data folder ${folder} is open to every user of this machine (mode ${shown(mode)}) and belongs to another ` +
          `user than ${userInfo().username}. Run "chmod 700 ${folder}" as its owner, or name another folder with --data-dir.`,
      )
    } else {
      logger.warn({ folder, mode: shown(mode) }, 'The data folder is open to the group of another user')
    }
  }
  if ((await readIfThere(join(folder, RESTORING))) !== undefined) {
    throw new IncompleteRestoreError(
      `The backup in ${folder} is not restored completely. Run "switchyard admin restore" again.`,
    )
  }
  await Promise.all(PRIVATE_FILES.map((name) => closeFile(join(folder, name))))
}

async function closeFile(file: string): Promise<void> {
  try {
    const { mode, uid } = await stat(file)
    if ((mode & GROUP_AND_OTHERS) !== 0 && isOwner(uid)) await chmod(file, 0o600)
  } catch (error) {
    if (!isMissingFile(error)) throw error
  }
}

/** Root may change the mode of every file. */
function isOwner(uid: number): boolean {
  const own = process.getuid?.()
  return own === uid || own === 0
}

function shown(mode: number): string {
  return (mode & 0o777).toString(8).padStart(4, '0')
}
