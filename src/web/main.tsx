import './styles/layers.css'
import './styles/tokens.css'
import './styles/base.css'

import { type ComponentType, render } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

import { matchPage } from '../addresses/match-page.js'
import type { PageMatch } from '../addresses/page-table.js'
import { boot } from './api/boot.js'
import { RequestError } from './api/client.js'
import { findNamed, type Found, rememberParents } from './frame/found.js'
import { Frame } from './frame/frame.js'
import { followLinks, reloadAtNextPage, usePlace } from './frame/location.js'
import { notifyError } from './frame/notices.js'
import { PageErrors } from './frame/page-errors.js'
import { applyPreferences } from './frame/preferences.js'
import { NotFound } from './frame/problem.js'
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
  const { pathname } = usePlace()
  const [loaded, setLoaded] = useState<Loaded | 'missing'>()
  const first = useRef(pathname)
  const page = matchPage(pathname)

  useEffect(() => {
    let isCurrent = true
    const isFirst = first.current === pathname
    first.current = ''
    const loading = page && pageModule(page.name)
    if (!page || !loading || (isFirst && boot.found === null)) {
      setLoaded('missing')
      return undefined
    }
    const finding = isFirst ? boot.found : findNamed(page)
    if (isFirst) rememberParents(page, boot.found)
    Promise.all([finding, loading.catch(reloadDocument)]).then(
      ([found, module]) => {
        if (!isCurrent || !module) return
        setLoaded(found === null ? 'missing' : { page, found, Page: module.Page as Loaded['Page'] })
        if (!isFirst) focusHeading()
      },
      (error: unknown) => {
        if (!(error instanceof RequestError)) throw error
        if (isCurrent) notifyError(error)
      },
    )
    return () => {
      isCurrent = false
    }
  }, [pathname])

  const shown = loaded === 'missing' ? page : (loaded?.page ?? page)
  const found = loaded === 'missing' ? null : (loaded?.found ?? boot.found)
  return (
    <Frame page={shown} section={shown && loaded !== 'missing' ? sectionOf(shown, found) : undefined}>
      {loaded === 'missing' && <NotFound isPage />}
      {loaded !== undefined && loaded !== 'missing' && (
        <PageErrors key={JSON.stringify(loaded.page)}>
          <loaded.Page params={loaded.page.params} found={loaded.found} />
        </PageErrors>
      )}
    </Frame>
  )
}

/** A new build has replaced the module: the document names the new one. */
function reloadDocument(): undefined {
  location.reload()
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
if (root) render(<App />, root)
