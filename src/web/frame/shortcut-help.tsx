import { useState } from 'preact/hooks'

import { addressOf } from '../../addresses/address-of.js'
import { useKeys } from '../kit/keys.js'
import { navigate } from './location.js'
import type { Section } from './side.js'
import { useLoaded } from './use-loaded.js'

let open: (() => void) | undefined

export function openShortcutHelp(): void {
  open?.()
}

/** The keys that go to other pages, and the dialog that lists all keys. */
export function ShortcutHelp({ section }: { section: Section | undefined }) {
  const [isOpen, setOpen] = useState(false)
  open = () => setOpen(true)
  const project = section?.kind === 'project' ? section.path : undefined
  const go = (page: 'pipelines/list' | 'jobs/list' | 'code/tree' | 'settings/ci') => () => {
    if (project !== undefined) navigate(addressOf(page, { project, ref_path: '' }))
  }
  useKeys({
    '?': () => setOpen(true),
    'g h': () => navigate('/'),
    'g p': go('pipelines/list'),
    'g j': go('jobs/list'),
    'g c': go('code/tree'),
    'g s': go('settings/ci'),
  })
  return isOpen ? <LoadedHelp close={() => setOpen(false)} /> : null
}

function LoadedHelp(props: { close: () => void }) {
  const part = useLoaded(() => import('./shortcut-list.js'))
  return part ? <part.ShortcutList {...props} /> : null
}
