import type { ConfigMap } from '../yaml/config-value.js'
import { refuseUnknownKeys } from './map-entry.js'
import { readNeeds } from './needs.js'
import type { Place } from './place.js'

const KEYS: ReadonlySet<string> = new Set(
  (
    'allow_failure environment except extends inherit interruptible needs only parallel resource_group rules stage ' +
    'trigger variables when'
  ).split(' '),
)

/**
 * A map with `trigger` or `needs` and no script starts another pipeline, which this version cannot; what is said about
 * it is what the language would say, and then that (CI language, 3.0 and 3.8).
 */
export function refuseTriggerJob(map: ConfigMap, place: Place): void {
  const before = place.problemCount()
  refuseUnknownKeys(map, KEYS, place)
  if ((map.get('trigger') ?? null) !== null) {
    place.refuseUnsupported('trigger')
    return
  }
  const needs = map.get('needs') ?? null
  if (needs !== null) readNeeds(needs, place.child('needs'))
  if (place.problemCount() === before) place.refuse('should contain either a trigger or a needs:pipeline')
}
