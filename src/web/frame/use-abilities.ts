import { groupApi, projectApi } from '../../addresses/first-reads.js'
import type { GroupAbilities, ProjectAbilities } from '../../coordinator/http/presenters/abilities-schema.js'
import { useRead } from '../api/use-read.js'

const MINUTE = 60_000

export interface May {
  /** False until the answer of the server is there; then nothing is allowed yet. */
  isLoaded: boolean
  /** Whether the role of the user has a permission; parts that need another role are not shown. */
  may: (permission: string) => boolean
  /**
   * Why a change is refused although the role allows it, for a disabled button. Buttons that remove access do not use
   * it: a read-only project permits that.
   */
  reasonAgainst: (permission: string) => string | undefined
  /** Whether a feature of the project is available to the user. */
  has: (feature: keyof ProjectAbilities['features']) => boolean
  level: number
  /** Why the project is read-only, such as `archived`. The record of a project has it for signed-in users only. */
  readOnly: string | undefined
}

/** What the user of the page may do in a project. */
export function useProjectAbilities(project: string | undefined): May {
  const path = project === undefined ? undefined : `${projectApi(project)}/abilities`
  const { data } = useRead<ProjectAbilities>(path, { staleTime: MINUTE })
  const names: readonly string[] = data?.may ?? []
  const frozen: readonly string[] = [...(data?.frozen ?? []), ...(data?.removals_only ?? [])]
  return {
    isLoaded: data !== undefined,
    may: (permission) => names.includes(permission),
    reasonAgainst: (permission) =>
      data?.read_only && frozen.includes(permission) ? `The project is ${data.read_only}.` : undefined,
    has: (feature) => data?.features[feature] ?? false,
    level: data?.level ?? 0,
    readOnly: data?.read_only ?? undefined,
  }
}

/** What the user of the page may do in a group. */
export function useGroupAbilities(group: string | undefined): Pick<May, 'isLoaded' | 'may' | 'level'> {
  const path = group === undefined ? undefined : `${groupApi(group)}/abilities`
  const { data } = useRead<GroupAbilities>(path, { staleTime: MINUTE })
  const names: readonly string[] = data?.may ?? []
  return {
    isLoaded: data !== undefined,
    may: (permission) => names.includes(permission),
    level: data?.level ?? 0,
  }
}
