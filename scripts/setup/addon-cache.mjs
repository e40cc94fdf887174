import { createHash } from 'node:crypto'
import { copyFile, mkdir, rename } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

/**
 * The compiled better-sqlite3, kept for the next clone on this machine: compiling takes more than a minute.
 * @typedef {object} AddonCache
 * @property {() => Promise<boolean>} restore puts the kept add-on in place; false if none is kept
 * @property {() => Promise<void>} save keeps the add-on that is in place
 */

/**
 * @param {object} place
 * @param {string} place.addon where the package expects its add-on
 * @param {string | undefined} place.integrity of the package in the lock file: another version is another add-on
 * @param {string} [place.folder]
 * @returns {AddonCache}
 */
export function addonCache({ addon, integrity = '', folder = cacheFolder() }) {
  const kept = join(folder, `better_sqlite3-${digest([integrity, ...runtime()])}.node`)
  return {
    async restore() {
      try {
        await mkdir(dirname(addon), { recursive: true })
        await copyFile(kept, addon)
        return true
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
        throw error
      }
    },
    async save() {
      await mkdir(folder, { recursive: true })
      const partial = `${kept}.${process.pid}`
      await copyFile(addon, partial)
      await rename(partial, kept)
    },
  }
}

function cacheFolder() {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'switchyard')
}

/** What a compiled add-on depends on beside its source. */
function runtime() {
  const { header } = /** @type {{ header: { glibcVersionRuntime?: string } }} */ (process.report.getReport())
  return [process.versions.modules, process.platform, process.arch, header.glibcVersionRuntime ?? '']
}

/** @param {string[]} parts */
function digest(parts) {
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 20)
}
