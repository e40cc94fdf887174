import { SetupError } from '../setup/say.mjs'

const UNRELEASED = '## [Unreleased]'

/**
 * The changelog of a release: the unreleased changes become the section of the version, below an empty section for what
 * follows.
 * @param {string} text
 * @param {string} version
 * @param {string} date such as 2026-01-31
 * @throws {SetupError} if there is nothing to release
 */
export function releaseChangelog(text, version, date) {
  const { before, section, after } = split(text, UNRELEASED)
  if (!/^- /m.test(section)) {
    throw new SetupError(
      `CHANGELOG.md has no entry below "${UNRELEASED}". Describe what users get with ${version}, commit it, and try again.`,
    )
  }
  return `${before}${UNRELEASED}\n\n${headingOf(version)} - ${date}${section}${after}`
}

/**
 * The entries of one version, without its heading.
 * @param {string} text
 * @param {string} version
 */
export function changesOf(text, version) {
  return split(text, headingOf(version)).section.replace(/^.*\n/, '').trim()
}

/** @param {string} version */
function headingOf(version) {
  return `## [${version}]`
}

/**
 * The text around the section with this heading. The section has the rest of the line of the heading too.
 * @param {string} text
 * @param {string} heading
 */
function split(text, heading) {
  const start = `\n${text}`.indexOf(`\n${heading}`)
  if (start === -1) throw new SetupError(`CHANGELOG.md has no heading "${heading}".`)
  const content = start + heading.length
  const next = text.indexOf('\n## ', content)
  const end = next === -1 ? text.length : next
  return { before: text.slice(0, start), section: text.slice(content, end), after: text.slice(end) }
}
