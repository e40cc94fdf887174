/** Expands `$NAME` and `${NAME}` from the environment, for `url` and `token` only (runner protocol, 9.1). */
export function fromEnvironment(text: string, environment: NodeJS.ProcessEnv): string {
  return text.replace(
    /\$(?:\{(\w+)\}|(\w+))/g,
    (_, braced: string | undefined, plain: string | undefined) => {
      return environment[braced ?? plain ?? ''] ?? ''
    },
  )
}
