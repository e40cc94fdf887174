import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { installPackages } from './debian-packages.mjs'
import { folderWith } from './find-program.mjs'

const DEBIAN_FOLDER = '/usr/lib/postgresql'

export async function ensurePostgres() {
  if (await findPostgres()) return
  await installPackages(['postgresql'], 'run the store tests on PostgreSQL')
}

/**
 * The folder with the server programs of PostgreSQL: the newest version in Debian's location, or on the PATH.
 * @returns {Promise<string | undefined>}
 */
export async function findPostgres() {
  return folderWith(['initdb', 'postgres'], await debianFolders())
}

async function debianFolders() {
  const versions = await readdir(DEBIAN_FOLDER).catch(() => /** @type {string[]} */ ([]))
  return versions.sort((a, b) => Number(b) - Number(a)).map((version) => join(DEBIAN_FOLDER, version, 'bin'))
}
