import { atlasApi } from './projects/atlas-api.mjs'
import { atlasWeb } from './projects/atlas-web.mjs'
import { forecast } from './projects/forecast.mjs'
import { images } from './projects/images.mjs'
import { infrastructure } from './projects/infrastructure.mjs'
import { mobileApp } from './projects/mobile-app.mjs'
import { statusPage } from './projects/status-page.mjs'

/** @typedef {keyof typeof import('./script-lines.mjs').lines} LogKind */
/** @typedef {keyof typeof import('./job-files.mjs').archives} ArchiveKind */
/** @typedef {keyof typeof import('./job-files.mjs').reports} ReportKind */
/** @typedef {keyof typeof import('./tests.mjs').suites} SuiteName */

/**
 * How jobs of a name behave.
 * @typedef {object} JobPlan
 * @property {[number, number]} seconds least and most duration
 * @property {LogKind} log
 * @property {number} [failure] probability
 * @property {SuiteName} [tests]
 * @property {ArchiveKind} [files]
 * @property {ReportKind[]} [reports]
 */

/**
 * @typedef {object} ProjectPlan
 * @property {string} path
 * @property {string} name
 * @property {string} description
 * @property {string[]} topics
 * @property {string} owner
 * @property {string[]} authors
 * @property {string[]} [reporters] authors who may not push any more at the end of the past
 * @property {string[]} pools tags, one for each kind of runner that its jobs need
 * @property {number} share of all pipelines
 * @property {boolean} [isQuiet] nobody pushes to it at the end of the history, nor while the demo runs
 * @property {Record<string, string>} files of the first commit
 * @property {string[]} changed files that commits change
 * @property {string[]} messages of commits
 * @property {string[]} branches
 * @property {Record<string, JobPlan>} jobs by name, without the part of parallel jobs
 */

/** @type {ProjectPlan[]} */
export const projects = [atlasApi, atlasWeb, mobileApp, infrastructure, images, forecast, statusPage]

/** The authors of a project who may push at the end of the past. @param {Pick<ProjectPlan, 'authors' | 'reporters'>} plan */
export function pushersOf({ authors, reporters = [] }) {
  return authors.filter((author) => !reporters.includes(author))
}

/** How much the demo makes. */
export const sizes = {
  full: { pipelines: 200, days: 21, commitsBefore: 30, logLines: 2_000_000, manyJobs: 500 },
  small: { pipelines: 14, days: 3, commitsBefore: 3, logLines: 20_000, manyJobs: 20 },
}

/** @typedef {keyof typeof sizes} SizeName */
/** @typedef {typeof sizes.full} Size */

/** The name of a job without the part of parallel jobs: `unit 2/4` and `build: [amd64]` have the plan of `unit` and `build`. @param {string} name */
export function baseName(name) {
  return name.replace(/ \d+\/\d+$/, '').replace(/: \[.*\]$/, '')
}
