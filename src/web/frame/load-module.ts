import { boot } from '../api/boot.js'
import { isServerAbsent } from '../api/is-server-absent.js'

/** Interval between attempts while the server cannot be reached, in milliseconds. */
export const RETRY_INTERVAL = 5000

/** A document that is older was not loaded again for this module, in milliseconds. */
const RELOAD_INTERVAL = 60_000

/** In the storage of the tab: the build for which a module was missing, so that the document was loaded again. */
const RELOADED = 'switchyard-reloaded-build'

/** A module that this build has and that cannot be loaded. */
export class ModuleError extends Error {
  constructor(cause: unknown) {
    super('A part of this page could not be loaded.', { cause })
    this.name = 'ModuleError'
  }
}

/**
 * Loads a module. While the server cannot be reached, it is tried again. If the server responds and the module is missing, a
 * new build has replaced it: the document, which names the new one, is loaded again, for each build at most once a minute.
 * @param load such as `() => import('./fork-dialog.js')`
 * @param onUnreachable called after each attempt that did not reach the server
 * @throws {ModuleError} if the module is missing after the document was loaded again
 */
export async function loadModule<Module>(
  load: () => Promise<Module>,
  onUnreachable: () => void = () => undefined,
): Promise<Module> {
  for (;;) {
    try {
      return await load()
    } catch (error) {
      if (await isServerAbsent()) {
        onUnreachable()
        await new Promise((resolve) => setTimeout(resolve, RETRY_INTERVAL))
        continue
      }
      return await loadOrReload(load, error)
    }
  }
}

/** The server responds: it may have been away for a moment only. */
async function loadOrReload<Module>(load: () => Promise<Module>, first: unknown): Promise<Module> {
  return load().catch(() => {
    const isAgain = sessionStorage.getItem(RELOADED) === boot.build && performance.now() < RELOAD_INTERVAL
    if (isAgain) throw new ModuleError(first)
    sessionStorage.setItem(RELOADED, boot.build)
    location.reload()
    return new Promise<Module>(() => undefined)
  })
}
