import { debianVersion } from './version.mjs'

const MAINTAINER = 'Switchyard contributors <maintainers@switchyard.example>'

/** The oldest release of each major version of Node.js that is supported, where it is not the first one. */
const OLDEST = /** @type {Readonly<Record<string, string>>} */ ({ 20: '20.19' })

/**
 * debian/changelog, which has the version of the package. What has changed is in CHANGELOG.md, which is installed too.
 * @param {string} version
 * @param {string} date as RFC 2822 has it
 */
export function debianChangelog(version, date) {
  return [
    `switchyard (${debianVersion(version)}) stable; urgency=medium`,
    '',
    `  * Release ${version}: its changes are in /usr/share/doc/switchyard/changelog.gz.`,
    '',
    ` -- ${MAINTAINER}  ${date}`,
    '',
  ].join('\n')
}

/**
 * The dependency on Node.js: an add-on loads only into the major version for which it was compiled.
 * @param {string} version of the Node.js that builds the package
 */
export function nodeDependency(version) {
  const major = version.split('.')[0] ?? ''
  return `nodejs (>= ${OLDEST[major] ?? `${major}.0`}), nodejs (<< ${Number(major) + 1}~)`
}
