/** One entry of the `volumes` setting (runner protocol, 7.4). Variables in container paths are not expanded yet. */
export type Volume =
  | {
      kind: 'bind'
      /** A directory on the engine's host, or the name of a volume. */
      source: string
      containerPath: string
      /** Mode, label and propagation in the engine's format: `ro,z,rslave`. */
      mode: string | undefined
    }
  | { kind: 'cache'; containerPath: string }

const MODES = /^(?:ro|rw|z|Z|nocopy|consistent|cached|delegated|r?(?:private|shared|slave))$/
const VOLUME_NAME = /^[a-zA-Z0-9][\w.-]*$/

/**
 * Parses `host:container[:mode]`, or a container path alone. Returns undefined if it is neither, or if it would
 * hide the whole container.
 */
export function parseVolume(text: string): Volume | undefined {
  const [first = '', second, ...modes] = text.split(':')
  const containerPath = second ?? first
  if (containerPath === '' || isRoot(containerPath)) return undefined
  if (second === undefined) return { kind: 'cache', containerPath }
  const mode = modes.join(',')
  const areModesKnown = mode === '' || mode.split(',').every((part) => MODES.test(part))
  if (!areModesKnown || !(first.startsWith('/') || VOLUME_NAME.test(first))) return undefined
  return { kind: 'bind', source: first, containerPath, mode: mode === '' ? undefined : mode }
}

export function isRoot(containerPath: string): boolean {
  return /^\/[/.]*$/.test(containerPath)
}
