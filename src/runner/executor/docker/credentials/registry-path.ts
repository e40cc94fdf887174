const DOCKER_HUB = 'docker.io'

/** `host/path/name` of an image, without tag and digest: its repository. */
export function repositoryOf(image: string): string {
  const bare = image.replace(/@.*$/, '').replace(/:[^/:]*$/, '')
  const [first = '', ...rest] = bare.split('/')
  if (rest.length === 0) return `${DOCKER_HUB}/library/${bare}`
  if (!isHost(first)) return `${DOCKER_HUB}/${bare}`
  const path = rest.length === 1 && hostOf(first) === DOCKER_HUB ? ['library', ...rest] : rest
  return [hostOf(first), ...path].join('/')
}

/** Where credentials for an image may be written down, the most exact place first (runner protocol, 7.6). */
export function registryPaths(image: string): string[] {
  const parts = repositoryOf(image).split('/')
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('/'))
}

/** A key of a docker `config.json`, in the form of `registryPaths`: `https://index.docker.io/v1/` is `docker.io`. */
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
