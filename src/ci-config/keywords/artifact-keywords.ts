import { ARTIFACT_ACCESS, type artifactsShape } from '../entries/artifacts.js'
import type { cacheKeyShape } from '../entries/cache-key.js'
import { CACHE_POLICIES, type cacheShape } from '../entries/cache.js'
import {
  LINK_TYPES,
  type releaseAssetsShape,
  type releaseLinkShape,
  type releaseShape,
} from '../entries/release.js'
import { COVERAGE_FORMATS, type coverageReportShape, STORED_REPORTS } from '../entries/reports.js'
import { UPLOAD_WHEN } from '../entries/when.js'
import {
  either,
  flag,
  type KeywordMap,
  type KeywordsNamed,
  type KeywordsOf,
  list,
  map,
  text,
  texts,
} from './keyword.js'

const artifacts: KeywordsOf<typeof artifactsShape> = {
  paths: list('Patterns of the files, relative to the project folder.'),
  exclude: list('Patterns of files that are left out.'),
  untracked: flag('Whether files are added that git does not track.'),
  when: text('When the archive is uploaded.', { words: UPLOAD_WHEN }),
  expire_in: text('When the archive is deleted: `30 days`, or `never`.'),
  name: text('Name of the archive; may contain variables.'),
  expose_as: text('Label of a link in merge requests.'),
  public: flag('Whether everybody who sees the job may download the archive; true by default.'),
  access: text('Who may download the archive.', { words: ARTIFACT_ACCESS }),
  reports: map('Files that are read as reports.', 'reports'),
}

type StoredReport = (typeof STORED_REPORTS)[number]

const READ_REPORTS: Partial<Record<StoredReport, string>> = {
  junit: 'Test results in the format of JUnit.',
  dotenv: 'Variables for later jobs, one `NAME=value` in a line.',
  annotations: 'Links to show on the page of the job.',
}

const reports: KeywordsNamed<StoredReport | 'coverage_report'> = {
  ...(Object.fromEntries(
    STORED_REPORTS.map((type) => [
      type,
      texts(READ_REPORTS[type] ?? `Report of the type \`${type}\`, which is kept as a file.`),
    ]),
  ) as KeywordsNamed<StoredReport>),
  coverage_report: map('Coverage of the lines, which is kept as a file.', 'coverage_report'),
}

const coverageReport: KeywordsOf<typeof coverageReportShape> = {
  coverage_format: text('Format of the file.', { words: COVERAGE_FORMATS }),
  path: text('Path of the file.'),
}

const cache: KeywordsOf<typeof cacheShape> = {
  key: either(['string', 'map'], 'Name of the cache; jobs with the same key share it.', { map: 'cache_key' }),
  paths: list('Paths in the project folder.'),
  untracked: flag('Whether files are added that git does not track.'),
  policy: text('Whether the cache is downloaded, uploaded, or both.', { words: CACHE_POLICIES }),
  when: text('When the cache is uploaded.', { words: UPLOAD_WHEN }),
  fallback_keys: list('Keys that are tried in order when the first one has no cache.'),
  unprotect: flag('Whether protected and unprotected refs share the cache.'),
}

const cacheKey: KeywordsOf<typeof cacheKeyShape> = {
  files: list('Files whose content makes the key, at most two.'),
  files_commits: list('Files whose last commits make the key, at most two.'),
  prefix: text('Text before the digest; may contain variables.'),
}

const release: KeywordsOf<typeof releaseShape> = {
  tag_name: text('Tag of the release, which is created if it does not exist.'),
  description: text('Text of the release, or the path of a file with it.'),
  tag_message: text('Message of a new tag.'),
  name: text('Title; the tag by default.'),
  ref: text('Where a new tag is created; the commit of the pipeline by default.'),
  milestones: texts('Titles of milestones.'),
  released_at: text('Time of the release, in ISO 8601.'),
  assets: map('Links of the release.', 'release_assets'),
}

const releaseAssets: KeywordsOf<typeof releaseAssetsShape> = {
  links: list('Links to files.', { map: 'release_link' }),
}

const releaseLink: KeywordsOf<typeof releaseLinkShape> = {
  name: text('Text of the link.'),
  url: text('Address.'),
  filepath: text('Path of a permanent address of the link.'),
  link_type: text('Kind of the file.', { words: LINK_TYPES }),
}

/** Maps of what a job keeps: artifacts, reports, caches and releases (CI language, 3.4, 3.5 and 3.14). */
export const artifactMaps = {
  artifacts,
  reports,
  coverage_report: coverageReport,
  cache,
  cache_key: cacheKey,
  release,
  release_assets: releaseAssets,
  release_link: releaseLink,
} satisfies Record<string, KeywordMap>
