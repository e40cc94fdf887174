import type { AwardEmoji } from '../../coordinator/planning/award-emoji/schema.js'
import { boot } from '../api/boot.js'
import type { Reaction } from './reactions.js'

/** The emoji of an issue or merge request, counted by name in the order in which they were first given. */
export function countReactions(awards: readonly AwardEmoji[]): Reaction[] {
  const counted = new Map<string, Reaction>()
  for (const { id, name, user } of awards) {
    const known = counted.get(name) ?? { name, count: 0, own_id: null }
    const own_id = boot.user?.id === user.id ? id : known.own_id
    counted.set(name, { name, count: known.count + 1, own_id })
  }
  return [...counted.values()]
}
