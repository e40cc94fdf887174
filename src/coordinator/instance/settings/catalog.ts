import type { Attribute } from './attribute.js'
import { accounts } from './catalog/accounts.js'
import { ci } from './catalog/ci.js'
import { projects } from './catalog/projects.js'
import { services } from './catalog/services.js'

/** All application settings, by name. */
export const ATTRIBUTES: Readonly<Record<string, Attribute>> = {
  ...accounts,
  ...projects,
  ...ci,
  ...services,
}

const CANONICAL = new Map(
  Object.entries(ATTRIBUTES).flatMap(([name, { aliases = [] }]) =>
    [name, ...aliases].map((one) => [one, name] as const),
  ),
)

/** The name under which a setting is stored, from any of its names. */
export function canonicalName(name: string): string {
  return CANONICAL.get(name) ?? name
}
