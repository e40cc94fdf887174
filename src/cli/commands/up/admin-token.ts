import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { ADMIN_TOKEN_FILE } from '../../../coordinator/start/first-start.js'
import { CannotStartError } from './errors.js'

/** The file to which the first start wrote the administrator's token. Undefined if the token was given to it. */
export async function adminTokenFile(dataDir: string): Promise<string | undefined> {
  const file = join(dataDir, ADMIN_TOKEN_FILE)
  return (await readIfThere(file)) === '' ? undefined : file
}

/** The administrator's token. Throws a `CannotStartError` if it is neither in the file nor in the environment. */
export async function findAdminToken(
  dataDir: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const file = join(dataDir, ADMIN_TOKEN_FILE)
  const token = (await readIfThere(file)) || environment['SWITCHYARD_ADMIN_TOKEN']
  if (token) return token
  throw new CannotStartError(
    `The administrator's token is not in ${file}: it was given to the first start. ` +
      'Set SWITCHYARD_ADMIN_TOKEN to the same token and start again.',
  )
}

async function readIfThere(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}
