import './styles/layers.css'
import './styles/tokens.css'
import './styles/base.css'

import { type ComponentType, render } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

import { matchPage } from '../addresses/match-page.js'
import type { PageMatch } from '../addresses/page-table.js'
import { boot } from './api/boot.js'
import { Frame } from './frame/frame.js'
import { followLinks, usePlace } from './frame/location.js'
import { PageErrors } from './frame/page-errors.js'
import { applyPreferences } from './frame/preferences.js'
import { NotFound } from './frame/problem.js'
import { sectionOf } from './frame/side.js'
import { pageModule } from './page-modules.js'

interface Loaded {
  page: PageMatch
  Page: ComponentType<{ params: Record<string, string> }>
}

/** Shows the page of the present address inside the frame. The page before it stays until the next one is loaded. */
function App() {
  const { pathname } = usePlace()
  const [loaded, setLoaded] = useState<Loaded | 'missing'>()
  const first = useRef(pathname)
  const isFirst = first.current === pathname
  const page = matchPage(pathname)

  useEffect(() => {
    let isCurrent = true
    const loading = page && pageModule(page.name)
    if (!page || !loading || (isFirst && boot.found === null)) {
      setLoaded('missing')
      return undefined
    }
    loading.then(
      ({ Page }) => {
        if (!isCurrent) return
        setLoaded({ page, Page: Page as Loaded['Page'] })
        if (!isFirst) focusHeading()
      },
      // A new build has replaced the module: the document names the new one.
      () => location.reload(),
    )
    return () => {
      isCurrent = false
    }
  }, [pathname])

  const shown = loaded === 'missing' ? page : (loaded?.page ?? page)
  const section = shown && loaded !== 'missing' ? sectionOf(shown, isFirst ? boot.found : null) : undefined
  return (
    <Frame page={shown} section={section}>
      {loaded === 'missing' && <NotFound />}
      {loaded !== undefined && loaded !== 'missing' && (
        <PageErrors key={JSON.stringify(loaded.page)}>
          <loaded.Page params={loaded.page.params} />
        </PageErrors>
      )}
    </Frame>
  )
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
const root = document.getElementById('page')
if (root) render(<App />, root)
