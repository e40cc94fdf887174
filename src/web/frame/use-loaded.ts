import { useEffect, useState } from 'preact/hooks'

/**
 * A module that is loaded when the component is first shown, because few readers need it. Undefined until it is there.
 * @param load such as `() => import('./fork-dialog.js')`
 */
export function useLoaded<Module>(load: () => Promise<Module>): Module | undefined {
  const [module, setModule] = useState<Module>()
  useEffect(() => {
    load().then(setModule, () => {
      // A new build has replaced the file: the document names the new one.
      location.reload()
    })
  }, [])
  return module
}
