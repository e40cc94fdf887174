import { useEffect, useState } from 'preact/hooks'

import { loadModule, ModuleError } from '../frame/load-module.js'
import { notifyError } from '../frame/notices.js'
import type * as Loaded from './marks.js'

type Module = typeof Loaded

let loaded: Module | undefined

/** What marks invisible characters, once a text needs it: at once for those after the first one. */
export function useMarks(isNeeded: boolean): Module | undefined {
  const [, setCount] = useState(0)
  const isReady = loaded !== undefined
  useEffect(() => {
    if (!isNeeded || isReady) return
    if (loaded) {
      // It has come between the rendering and this effect.
      setCount((count) => count + 1)
      return
    }
    loadModule(() => import('./marks.js')).then(
      (module) => {
        loaded = module
        setCount((count) => count + 1)
      },
      (error: unknown) => {
        if (!(error instanceof ModuleError)) throw error
        notifyError(error)
      },
    )
  }, [isNeeded, isReady])
  return isNeeded ? loaded : undefined
}
