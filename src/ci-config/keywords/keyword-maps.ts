import { artifactMaps } from './artifact-keywords.js'
import { containerMaps } from './container-keywords.js'
import { fileMaps } from './file-keywords.js'
import { jobMaps } from './job-keywords.js'
import type { KeywordMap } from './keyword.js'

/**
 * Every keyword of the CI language, by the maps that contain them. `file` is the top of a file, `header` the document
 * before it. Types hold that each map has the keys that its reader accepts.
 */
export const KEYWORD_MAPS: Readonly<Record<string, KeywordMap>> = {
  ...fileMaps,
  ...jobMaps,
  ...artifactMaps,
  ...containerMaps,
}
