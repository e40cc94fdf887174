import { useKeys } from './keys.js'

const ENTRIES = 'main a[data-entry]'

/**
 * Binds keys that go through the entries of the lists of a page, which are the links with `data-entry`: `j` and `k` focus
 * the next and the previous one, `o` opens it in a new tab. `Enter` follows it, as for every link.
 */
export function useEntryKeys(): void {
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    o: () => {
      const link = document.activeElement
      if (link instanceof HTMLAnchorElement && link.matches(ENTRIES))
        window.open(link.href, '_blank', 'noopener')
    },
  })
}

function move(step: number): void {
  const links = [...document.querySelectorAll<HTMLElement>(ENTRIES)].filter(
    (link) => link.offsetParent !== null,
  )
  const here = links.indexOf(document.activeElement as HTMLElement)
  const next = links[Math.max(0, Math.min(links.length - 1, here + step))]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}
