import { groupApi, projectApi } from '../../addresses/first-reads.js'
import type { GroupAbilities, ProjectAbilities } from '../../coordinator/http/presenters/abilities-schema.js'
import { MINUTE } from '../../lib/time-units.js'
import { type Reading, useRead } from '../api/use-read.js'

/** What the user of the page may do in a project or group. */
export interface Abilities {
  /** The response of the server. Until it is there, nothing is allowed. */
  result: Reading<{ level: number; may: readonly string[] }>
  isLoaded: boolean
  /** Whether the role of the user has a permission; parts that need another role are not shown. */
  may: (permission: string) => boolean
  level: number
}

export interface May extends Abilities {
  /**
   * Why a change is refused although the role allows it, for a disabled button. Buttons that remove access do not use
   * it: a read-only project permits that.
   */
  reasonAgainst: (permission: string) => string | undefined
  /** Whether a feature of the project is available to the user. */
  has: (feature: keyof ProjectAbilities['features']) => boolean
  /** Why the project is read-only, such as `archived`. The record of a project has it for signed-in users only. */
  readOnly: string | undefined
}

/** What the user of the page may do in a project. */
export function useProjectAbilities(project: string | undefined): May {
  const path = project === undefined ? undefined : `${projectApi(project)}/abilities`
  const result = useRead<ProjectAbilities>(path, { staleTime: MINUTE })
  const { data } = result
  const frozen: readonly string[] = [...(data?.frozen ?? []), ...(data?.removals_only ?? [])]
  return {
    ...abilitiesOf(result),
    reasonAgainst: (permission) =>
      data?.read_only && frozen.includes(permission) ? `The project is ${data.read_only}.` : undefined,
    has: (feature) => data?.features[feature] ?? false,
    readOnly: data?.read_only ?? undefined,
  }
}

/** What the user of the page may do in a group. */
export function useGroupAbilities(group: string | undefined): Abilities {
  const path = group === undefined ? undefined : `${groupApi(group)}/abilities`
  return abilitiesOf(useRead<GroupAbilities>(path, { staleTime: MINUTE }))
}

function abilitiesOf(result: Abilities['result']): Abilities {
  const { data } = result
  return {
    result,
    isLoaded: data !== undefined,
    may: (permission) => data?.may.includes(permission) ?? false,
    level: data?.level ?? 0,
  }
}
