import type { JobVariable } from '../../protocol/job-payload.js'

/**
 * Replaces `$NAME` and `${NAME}` by the unexpanded value of the last variable of that name; what is unknown becomes
 * nothing, `$$` a dollar sign (runner protocol, 10.3).
 */
export function expandText(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(
    /\$(?:\$|\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*)|([*#@!?\-0-9]))/g,
    (match, braced: string | undefined, plain: string | undefined) => {
      if (match === '$$') return '$'
      return values.get(braced ?? plain ?? '') ?? ''
    },
  )
}

/** The values that references stand for, the last of a name winning. */
export function valuesOf(variables: readonly JobVariable[]): Map<string, string> {
  return new Map(variables.map(({ key, value }) => [key, value]))
}

/** One pass over all variables: a reference gives what stands in the other variable, not what that expands to. */
export function expandVariables(variables: readonly JobVariable[]): JobVariable[] {
  const values = valuesOf(variables)
  return variables.map((variable) =>
    variable.raw || variable.file ? variable : { ...variable, value: expandText(variable.value, values) },
  )
}
