import { useEffect, useState } from 'preact/hooks'

import { useKeys } from '../kit/keys.js'
import type { Section } from './side.js'
import { useLoaded } from './use-loaded.js'

let open: (() => void) | undefined

export function openPalette(): void {
  open?.()
}

/** The dialog of Ctrl K: finds pages, projects, groups and people, and carries out commands. */
export function Palette({ section }: { section: Section | undefined }) {
  const [isOpen, setOpen] = useState(false)
  open = () => setOpen(true)
  useKeys({ '/': () => focusFilter() })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey) return
      event.preventDefault()
      setOpen((was) => !was)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
  return isOpen ? <LoadedPalette section={section} close={() => setOpen(false)} /> : null
}

function LoadedPalette(props: { section: Section | undefined; close: () => void }) {
  const part = useLoaded(() => import('./palette-dialog.js'))
  return part ? <part.PaletteDialog {...props} /> : null
}

function focusFilter(): void {
  const filter = document.querySelector<HTMLElement>(
    '[data-filter] input, input[data-filter], input[type=search]',
  )
  if (filter) filter.focus()
  else openPalette()
}
