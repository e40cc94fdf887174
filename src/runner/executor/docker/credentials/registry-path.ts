const DOCKER_HUB = 'docker.io'

/** The repository of an image: `host/path/name`, without tag and digest. */
export function repositoryOf(image: string): string {
  const bare = image.replace(/@.*$/, '').replace(/:[^/:]*$/, '')
  const [first = '', ...rest] = bare.split('/')
  if (rest.length === 0) return `${DOCKER_HUB}/library/${bare}`
  if (!isHost(first)) return `${DOCKER_HUB}/${bare}`
  const path = rest.length === 1 && hostOf(first) === DOCKER_HUB ? ['library', ...rest] : rest
  return [hostOf(first), ...path].join('/')
}

/** Keys under which credentials for an image may be stored, the most specific first (runner protocol, 7.6). */
export function registryPaths(image: string): string[] {
  const parts = repositoryOf(image).split('/')
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('/'))
}

/**
 * Normalizes a key of a docker `config.json` to the form of `registryPaths`: `https://index.docker.io/v1/` becomes
 * `docker.io`.
 */
export function registryPathOf(key: string): string {
  const [host = '', ...path] = key
    .replace(/^https?:\/\//, '')
    .replace(/\/(v[12]\/?)?$/, '')
    .split('/')
  return [hostOf(host), ...path].join('/')
}

function isHost(component: string): boolean {
  return /[.:]/.test(component) || component === 'localhost'
}

function hostOf(name: string): string {
  const host = name.toLowerCase()
  return ['index.docker.io', 'registry-1.docker.io'].includes(host) ? DOCKER_HUB : host
}
