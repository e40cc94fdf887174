const DEFAULT_SECONDS = 30

/** How long services are waited for, in seconds; undefined = not at all (runner protocol, 7.8). */
export function waitLimit(setting: number | undefined): number | undefined {
  if (setting !== undefined && setting < 0) return undefined
  return setting || DEFAULT_SECONDS
}
