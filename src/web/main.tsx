import './styles/layers.css'
import './styles/tokens.css'
import './styles/base.css'

import { type ComponentType, render } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'

import { matchPage } from '../addresses/match-page.js'
import type { PageMatch } from '../addresses/page-table.js'
import { boot } from './api/boot.js'
import { RequestError } from './api/client.js'
import { isAbsence } from './api/is-server-absent.js'
import { findNamed, type Found, rememberParents } from './frame/found.js'
import { Frame } from './frame/frame.js'
import { loadModule, ModuleError, RETRY_INTERVAL } from './frame/load-module.js'
import { followLinks, reloadAtNextPage, useLocation } from './frame/location.js'
import { notifyError } from './frame/notices.js'
import { PageErrors, PageFailure } from './frame/page-errors.js'
import { applyPreferences } from './frame/preferences.js'
import { NotFound, Unreachable } from './frame/problem.js'
import { sectionOf } from './frame/side.js'
import { onServerBuild } from './live/use-live.js'
import { pageModule } from './page-modules.js'

interface Loaded {
  page: PageMatch
  found: Found
  Page: ComponentType<{ params: Record<string, string>; found: Found }>
}

/** Shows the page of the present address inside the frame. The page before it stays until the next one is loaded. */
function App() {
  const { pathname } = useLocation()
  const [loaded, setLoaded] = useState<Loaded | ModuleError | 'missing' | 'unreachable'>()
  const first = useRef(pathname)
  const page = useMemo(() => matchPage(pathname), [pathname])

  useEffect(() => {
    let isCurrent = true
    const isFirst = first.current === pathname
    first.current = ''
    const module = page && pageModule(page.name)
    if (!page || !module || (isFirst && boot.found === null)) {
      setLoaded('missing')
      return undefined
    }
    if (isFirst) rememberParents(page, boot.found)
    const onUnreachable = () => {
      if (isCurrent) setLoaded('unreachable')
    }
    Promise.all([
      isFirst ? boot.found : findReachable(page, onUnreachable),
      loadModule(module, onUnreachable),
    ]).then(
      ([found, { Page }]) => {
        if (!isCurrent) return
        setLoaded(found === null ? 'missing' : { page, found, Page: Page as Loaded['Page'] })
        if (!isFirst) focusHeading()
      },
      (error: unknown) => {
        if (isCurrent && error instanceof ModuleError) setLoaded(error)
        else if (!(error instanceof RequestError)) throw error
        else if (isCurrent) notifyError(error)
      },
    )
    return () => {
      isCurrent = false
    }
  }, [pathname, page])

  const isLoaded = typeof loaded === 'object' && !(loaded instanceof ModuleError)
  const shown = isLoaded ? loaded.page : page
  const found = loaded === 'missing' ? null : isLoaded ? loaded.found : boot.found
  return (
    <Frame page={shown} section={shown && loaded !== 'missing' ? sectionOf(shown, found) : undefined}>
      {loaded === 'missing' && <NotFound isPage />}
      {loaded === 'unreachable' && <Unreachable />}
      {loaded instanceof ModuleError && <PageFailure error={loaded} />}
      {isLoaded && (
        <PageErrors key={JSON.stringify(loaded.page)}>
          <loaded.Page params={loaded.page.params} found={loaded.found} />
        </PageErrors>
      )}
    </Frame>
  )
}

/** Finds what the address names. While the server cannot be reached, it is asked again. */
async function findReachable(page: PageMatch, onUnreachable: () => void): Promise<Found> {
  for (;;) {
    try {
      return await findNamed(page)
    } catch (error) {
      if (!(error instanceof RequestError) || !isAbsence(error)) throw error
      onUnreachable()
      await new Promise((resolve) => setTimeout(resolve, RETRY_INTERVAL))
    }
  }
}

/** After a change of page, screen readers and the keyboard go on at its heading. */
function focusHeading(): void {
  requestAnimationFrame(() => {
    const heading =
      document.querySelector<HTMLElement>('main h1') ?? document.querySelector<HTMLElement>('main')
    heading?.focus({ preventScroll: true })
  })
}

applyPreferences()
followLinks()
onServerBuild((build) => {
  if (build !== boot.build) reloadAtNextPage()
})
const root = document.getElementById('page')
// The note of the shell for readers whose scripts did not load.
root?.replaceChildren()
if (root) render(<App />, root)
