import type { ContextVariable } from '../../../ci-config/context-variable.js'
import { compareScopes } from '../../../ci-config/variables/environment-scope.js'
import type { ServerClient } from './server-client.js'

/** As the API of variables has them. */
interface SettingsVariable {
  key: string
  /** Null for a hidden one. */
  value: string | null
  variable_type: 'env_var' | 'file'
  protected: boolean
  masked: boolean
  raw?: boolean
  environment_scope?: string
}

export interface ServerVariables {
  /** Lowest precedence first: of the groups from the root on, then of the project. */
  variables: ContextVariable[]
  /** What could not be read, for people. */
  notes: string[]
}

/**
 * The variables of the project and its groups. Protected ones only if the ref is protected (CI language, 8.2). Values
 * are for the pipeline alone: nothing here prints them.
 */
export async function serverVariables(
  server: ServerClient,
  projectPath: string,
  isProtected: boolean,
): Promise<ServerVariables> {
  const notes: string[] = []
  const variables: ContextVariable[] = []
  const project = await server.readJson<{ namespace: { kind: string } }>(
    `projects/${encodeURIComponent(projectPath)}`,
  )
  const owners = ownersOf(projectPath)
  // The namespace of a user has no variables.
  for (const owner of project?.namespace.kind === 'user' ? owners.slice(-1) : owners) {
    const found = await server.readList<SettingsVariable>(`${owner.path}/variables`)
    if (!found) notes.push(`The variables of ${owner.name} cannot be read with this token`)
    const hidden = (found ?? []).filter(({ value }) => value === null).map(({ key }) => key)
    if (hidden.length > 0)
      notes.push(`Hidden variables of ${owner.name} have no value here: ${hidden.join(', ')}`)
    variables.push(...usable(found ?? [], isProtected))
  }
  return { variables, notes }
}

function ownersOf(projectPath: string): { path: string; name: string }[] {
  const groups = projectPath.split('/').slice(0, -1)
  return [
    ...groups.map((_, index) => {
      const path = groups.slice(0, index + 1).join('/')
      return { path: `groups/${encodeURIComponent(path)}`, name: `the group ${path}` }
    }),
    { path: `projects/${encodeURIComponent(projectPath)}`, name: `the project ${projectPath}` },
  ]
}

function usable(found: readonly SettingsVariable[], isProtected: boolean): ContextVariable[] {
  return found
    .filter((variable) => isProtected || !variable.protected)
    .toSorted((one, other) => compareScopes(one.environment_scope ?? '*', other.environment_scope ?? '*'))
    .flatMap(({ key, value, masked, raw, variable_type: type, environment_scope: environmentScope }) =>
      value === null
        ? []
        : [
            {
              key,
              value,
              masked,
              ...(raw && { raw }),
              ...(type === 'file' && { file: true }),
              ...(environmentScope !== undefined && { environmentScope }),
            },
          ],
    )
}
