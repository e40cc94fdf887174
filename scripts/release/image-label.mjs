const LABEL = /^(LABEL org\.opencontainers\.image\.version=").*(")$/m

/**
 * The Dockerfile of a version. Docker cannot read a label from package.json.
 * @param {string} dockerfile
 * @param {string} version
 */
export function withImageVersion(dockerfile, version) {
  if (!LABEL.test(dockerfile)) throw new Error('The Dockerfile has no label with a version')
  return dockerfile.replace(LABEL, `$1${version}$2`)
}
