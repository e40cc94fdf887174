import type { IconNode } from 'lucide'

import { navigate } from './location.js'

/** A line of the palette: a page, or a command. */
export interface Choice {
  id: string
  icon: IconNode
  label: string
  detail?: string
  run: () => void
}

/** A line that leads to an address. */
export function linkTo(id: string, icon: IconNode, label: string, href: string, detail?: string): Choice {
  return { id, icon, label, ...(detail !== undefined && { detail }), run: () => navigate(href) }
}
