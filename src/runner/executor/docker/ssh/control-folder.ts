import { lstatSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { SshError } from './ssh-error.js'

/**
 * The folder for the sockets of shared connections, which only this user can open. It is in the folder for temporary files,
 * because the path of a socket must be short. Throws `SshError` if somebody else owns it.
 */
export function controlFolder(parent: string = tmpdir(), user = process.getuid?.() ?? 0): string {
  const folder = join(parent, `switchyard-ssh-${user}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const found = lstatSync(folder)
  if (found.isDirectory() && found.uid === user && (found.mode & 0o077) === 0) return folder
  throw new SshError(
    `${folder} must be a folder of the user of the runner that nobody else can open: remove it`,
  )
}
