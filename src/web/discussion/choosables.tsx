import { queryOf } from '../../addresses/address-of.js'
import { requestJson } from '../api/client.js'
import { Avatar } from '../kit/avatar.js'
import type { Choosable } from './choice-box.js'
import { LabelChip, type ShownLabel } from './label-chip.js'

interface ShownPerson {
  id: number
  username: string
  name: string
  avatar_url?: string | null
}

const MAX_FOUND = 50

/** A label to be chosen; its key is the name. */
export function labelChoice(label: ShownLabel): Choosable {
  return { key: label.name, label: label.name, shown: <LabelChip label={label} /> }
}

/** A person to be chosen; the key is the ID. */
export function personChoice({ id, username, name, avatar_url }: ShownPerson): Choosable {
  return {
    key: String(id),
    label: `${name} @${username}`,
    shown: (
      <>
        <Avatar name={name} url={avatar_url} size={20} />
        <span>
          {name} <small>@{username}</small>
        </span>
      </>
    ),
  }
}

/** A milestone to be chosen; the key is the ID. */
export function milestoneChoice({ id, title }: { id: number; title: string }): Choosable {
  return { key: String(id), label: title }
}

/**
 * Finds the labels of a project or group.
 * @param base path of the project or group in the API
 */
export function findLabels(base: string): (text: string) => Promise<Choosable[]> {
  return async (text) =>
    (await requestJson<ShownLabel[]>(base + listOf('labels', { search: text || undefined }))).map(labelChoice)
}

/** Finds people with access to a project. */
export function findPeople(base: string): (text: string) => Promise<Choosable[]> {
  return async (text) =>
    (await requestJson<ShownPerson[]>(base + listOf('users', { search: text || undefined }))).map(
      personChoice,
    )
}

/** Finds the active milestones of a project or group, and of the groups above. */
export function findMilestones(base: string): (text: string) => Promise<Choosable[]> {
  return async (text) =>
    (
      await requestJson<{ id: number; title: string }[]>(
        base + listOf('milestones', { search: text || undefined, state: 'active', include_ancestors: true }),
      )
    ).map(milestoneChoice)
}

function listOf(name: string, query: Record<string, string | boolean | undefined>): string {
  return `/${name}${queryOf({ ...query, per_page: MAX_FOUND })}`
}
