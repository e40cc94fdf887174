import { useEffect, useState } from 'preact/hooks'

import { loadModule, ModuleError } from './load-module.js'
import { notifyError } from './notices.js'

/**
 * A module that is loaded when the component is first shown, because few readers need it. Undefined until it is there.
 * @param load such as `() => import('./fork-dialog.js')`
 */
export function useLoaded<Module>(load: () => Promise<Module>): Module | undefined {
  const [module, setModule] = useState<Module>()
  useEffect(() => {
    loadModule(load).then(setModule, (error: unknown) => {
      if (!(error instanceof ModuleError)) throw error
      notifyError(error)
    })
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once: callers give another function in each render
  }, [])
  return module
}
