import { debianVersion } from './version.mjs'

/**
 * Names of the files of a release.
 * @param {string} version
 * @param {string} architecture as Debian names that of this machine
 */
export function artifactNames(version, architecture) {
  return {
    debian: `switchyard_${debianVersion(version)}_${architecture}.deb`,
    image: `switchyard-${version}-image.tar.gz`,
    npm: `switchyard-${version}.tgz`,
    sbom: `switchyard-${version}.cdx.json`,
  }
}

export const CHECKSUMS = 'SHA256SUMS'

/**
 * What `docker build` reads: the Dockerfile, and the paths that .dockerignore allows.
 * @param {string} dockerignore
 * @returns {string[]}
 */
export function imageContextPaths(dockerignore) {
  const allowed = dockerignore
    .split('\n')
    .flatMap((line) => (line.startsWith('!') ? [line.slice(1).trim()] : []))
  return ['.dockerignore', 'Dockerfile', ...allowed]
}

/**
 * The text of SHA256SUMS, for `sha256sum --check`.
 * @param {Readonly<Record<string, string>>} digests by file name
 */
export function checksumLines(digests) {
  return Object.keys(digests)
    .sort()
    .map((name) => `${digests[name]}  ${name}\n`)
    .join('')
}
