import { boot } from '../api/boot.js'
import type { Section } from './side.js'
import { useLoaded } from './use-loaded.js'

interface BroadcastsProps {
  section: Section | undefined
}

/** Messages of administrators. What shows them is loaded only if there are any. */
export function Broadcasts(props: BroadcastsProps) {
  return boot.broadcasts[0] ? <Loaded {...props} /> : null
}

function Loaded(props: BroadcastsProps) {
  const part = useLoaded(() => import('./broadcast-list.js'))
  return part ? <part.BroadcastList {...props} /> : null
}
