import { useEffect, useState } from 'preact/hooks'

import { matchPage } from '../../addresses/match-page.js'
import { opensElsewhere } from '../kit/opens-elsewhere.js'

export interface PageLocation {
  pathname: string
  search: string
  hash: string
}

type Listener = (current: PageLocation) => void

const listeners = new Set<Listener>()

function currentLocation(): PageLocation {
  const { pathname, search, hash } = window.location
  return { pathname, search, hash }
}

interface NavigateOptions {
  /** The address replaces the current entry of the history. */
  replaces?: boolean
  /** The page keeps its scroll position. The default when the address is replaced. */
  keepsScroll?: boolean
}

/** Goes to a page of this server, without loading the document again. Other addresses are loaded. */
export function navigate(
  href: string,
  { replaces = false, keepsScroll = replaces }: NavigateOptions = {},
): void {
  const url = new URL(href, location.href)
  if (!isPage(url)) {
    location.assign(url.href)
    return
  }
  const isSamePage = url.pathname === location.pathname && url.search === location.search
  if (replaces || url.href === location.href) history.replaceState(history.state, '', url.href)
  else history.pushState(null, '', url.href)
  if (!isSamePage && !keepsScroll) window.scrollTo(0, 0)
  announce()
}

/** The present address, which changes with the page. */
export function useLocation(): PageLocation {
  const [current, setCurrent] = useState(currentLocation)
  useEffect(() => {
    listeners.add(setCurrent)
    return () => void listeners.delete(setCurrent)
  }, [])
  return current
}

/** Values of the query of the address, and a function that changes some of them; empty values are removed. */
export function useSearch(): [
  URLSearchParams,
  (changes: Record<string, string | undefined>, options?: NavigateOptions) => void,
] {
  const { search } = useLocation()
  const change = (changes: Record<string, string | undefined>, options: NavigateOptions = {}) => {
    const params = new URLSearchParams(location.search)
    for (const [key, value] of Object.entries(changes)) {
      if (value) params.set(key, value)
      else params.delete(key)
    }
    const query = params.toString()
    navigate(location.pathname + (query && `?${query}`), { ...options, replaces: options.replaces ?? true })
  }
  return [new URLSearchParams(search), change]
}

/** Follows the links of this page and the buttons of the browser. */
export function followLinks(): void {
  window.addEventListener('popstate', announce)
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || opensElsewhere(event)) return
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!link?.href || link.target || link.hasAttribute('download') || link.dataset['reload'] !== undefined)
      return
    const url = new URL(link.href)
    if (!isPage(url)) return
    const isHere = url.pathname === location.pathname && url.search === location.search
    // The browser scrolls to it itself.
    if (isHere && url.hash) return
    event.preventDefault()
    navigate(url.href)
  })
}

/** Set when the server has a newer build: the next change of page then loads the document. */
let isOutdated = false

export function reloadAtNextPage(): void {
  isOutdated = true
}

/** Below `/users` are pages of the server; no group has that name. */
function isPage({ origin, pathname }: URL): boolean {
  if (isOutdated || origin !== location.origin || pathname.startsWith('/users/')) return false
  return matchPage(pathname) !== undefined
}

function announce(): void {
  const current = currentLocation()
  for (const listener of listeners) listener(current)
}
